// What the documents say of each other and of the code: links lead somewhere, the tables of keys are those of the
// reader, and every equation that a comment cites has a number in the theory.
#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <set>

#include "drivers/results_version.hpp"
#include "scenarios/format/keys.hpp"
#include "tests/architecture/source_files.hpp"

namespace jostle::test {
namespace {

const std::filesystem::path root = JOSTLE_SOURCE_DIR;

std::vector<SourceFile> documents() {
  std::vector<SourceFile> files = source_files({"docs", "tests/data"}, {".md"});
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md"}) {
    files.push_back(read_source_file(root, root / name));
  }
  return files;
}

std::string text_of(const SourceFile& file) {
  std::string text;
  for (const std::string& line : file.lines) text += line + '\n';
  return text;
}

/// The name by which a link reaches a heading: lower case, blanks as hyphens, other signs left out.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find_first_not_of("# "))) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(letter));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> anchors_of(const SourceFile& file) {
  std::set<std::string> anchors;
  for (const std::string& line : file.lines) {
    if (line.starts_with("#")) anchors.insert(anchor_of(line));
  }
  return anchors;
}

/// All matches of the first group of `pattern`.
std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

TEST(Links, LeadToFilesAndHeadings) {
  int count = 0;
  for (const SourceFile& file : documents()) {
    for (const std::string& link : matches(text_of(file), std::regex(R"(\]\(([^)\s]+)\))"))) {
      if (link.find("://") != std::string::npos) continue;
      ++count;
      const std::size_t hash = link.find('#');
      const std::string name = link.substr(0, hash);
      const std::filesystem::path target = name.empty() ? root / file.path : (root / file.path).parent_path() / name;
      ASSERT_TRUE(std::filesystem::exists(target)) << file.path << " links to " << link;
      if (hash == std::string::npos) continue;
      EXPECT_TRUE(anchors_of(read_source_file(root, target)).contains(link.substr(hash + 1)))
          << file.path << " links to " << link << ", which has no such heading";
    }
  }
  EXPECT_GT(count, 10);
}

TEST(Manual, HoldsTheTablesOfKeysOfTheReader) {
  const std::string manual = text_of(read_source_file(root, root / "docs/keys.md"));
  const std::string begin = "<!-- keys: made by tools/manual -->\n", end = "<!-- end of keys -->\n";
  const std::size_t from = manual.find(begin), to = manual.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(manual.substr(from + begin.size(), to - from - begin.size()), key_table_markdown())
      << "out of date: run tools/manual";
}

// docs/library.md is made by tools/pictures.
TEST(LibraryPage, HasALineAndAPictureForEveryScenario) {
  const std::string page = text_of(read_source_file(root, root / "docs/library.md"));
  std::size_t count = 0;
  for (const SourceFile& file : source_files({"scenarios/library"}, {".yaml"})) {
    const std::vector<std::string> titles = matches(text_of(file), std::regex(R"re(\ntitle: "?(.*?)"?\n)re"));
    ASSERT_FALSE(titles.empty()) << file.path;
    EXPECT_NE(page.find("](../" + file.path + "): " + titles.front() + " |"), std::string::npos) << file.path;
    const std::string name = std::filesystem::path(file.path).stem().string();
    EXPECT_TRUE(std::filesystem::exists(root / "docs/pictures" / (name + ".png"))) << name;
    ++count;
  }
  EXPECT_EQ(matches(page, std::regex(R"(\n(\| !\[))")).size(), count);
}

/// Numbers of equations stand at the end of their line, as in "    v = v0 + P J'p      (12)", some with a letter:
/// (12a).
std::set<std::string> numbered_equations() {
  const std::string theory = text_of(read_source_file(root, root / "docs/theory.md"));
  std::set<std::string> numbers;
  for (const std::string& number : matches(theory, std::regex(R"(    .*\S  +\((\d+[a-z]?)\)\n)"))) {
    EXPECT_TRUE(numbers.insert(number).second) << "equation (" << number << ") stands twice";
  }
  return numbers;
}

TEST(Theory, NumbersItsEquationsWithoutGaps) {
  std::set<std::string> numbers = numbered_equations();
  std::erase_if(numbers,
                [](const std::string& number) { return std::isalpha(static_cast<unsigned char>(number.back())); });
  ASSERT_GT(numbers.size(), 20U);
  for (std::size_t i = 1; i <= numbers.size(); ++i) EXPECT_TRUE(numbers.contains(std::to_string(i))) << "(" << i << ")";
}

// A comment cites as in "docs/theory.md (12)".
TEST(Theory, HasEveryEquationThatTheCodeCites) {
  const std::set<std::string> numbers = numbered_equations();
  int count = 0;
  for (const SourceFile& file : source_files({"core", "scenarios", "drivers", "tests"}, code_endings)) {
    for (const std::string& number : matches(text_of(file), std::regex(R"(theory\.md \((\d+[a-z]?)\))"))) {
      EXPECT_TRUE(numbers.contains(number)) << file.path << " cites (" << number << ")";
      ++count;
    }
  }
  EXPECT_GT(count, 0);
}

// A release has one number, and the results one more: the build's, the citation's and the changelog's are the same.
TEST(Versions, AreTheSameInBuildCitationAndChangelog) {
  const auto first = [](const char* name, const char* pattern) {
    const std::vector<std::string> found = matches(text_of(read_source_file(root, root / name)), std::regex(pattern));
    return found.empty() ? std::string() : found.front();
  };
  const std::string version = first("CMakeLists.txt", R"(project\(jostle VERSION ([0-9.]+))");
  ASSERT_FALSE(version.empty());
  EXPECT_EQ(first("CITATION.cff", R"(\nversion: (\S+)\n)"), version);
  EXPECT_EQ(first("CHANGELOG.md", R"(\n## ([0-9.]+))"), version);
  EXPECT_EQ(first("CHANGELOG.md", R"(\n## .*results_version (\d+)\n)"), std::to_string(results_version));
  const std::string changelog = text_of(read_source_file(root, root / "CHANGELOG.md"));
  EXPECT_EQ(matches(changelog, std::regex(R"(\n\| (\d+) \|)")).back(), std::to_string(results_version));
}

}  // namespace
}  // namespace jostle::test
