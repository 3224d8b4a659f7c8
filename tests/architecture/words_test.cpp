// What may not stand in any file of the project, and what may not stand in core.
#include <gtest/gtest.h>

#include <cctype>
#include <regex>

#include "tests/architecture/source_files.hpp"

namespace jostle::test {
namespace {

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where `word` begins in `text` as a whole word, from `start` on; npos if nowhere.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t start = 0) {
  for (std::size_t at = text.find(word, start); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_letter(text[at - 1]);
    const bool ends = end == text.size() || !is_word_letter(text[end]);
    if (begins && ends) return at;
  }
  return std::string::npos;
}

/// A call is the word, then "(".
bool calls(const std::string& code, const std::string& function) {
  for (std::size_t at = find_word(code, function); at != std::string::npos; at = find_word(code, function, at + 1)) {
    const std::size_t next = code.find_first_not_of(' ', at + function.size());
    if (next != std::string::npos && code[next] == '(') return true;
  }
  return false;
}

std::vector<SourceFile> text_files() {
  auto files = source_files(
      {"core", "cuda", "scenarios", "emulation", "drivers", "python", "tests", "benchmarks", "docs", "cmake"},
      {".hpp", ".cpp", ".cu", ".cuh", ".py", ".md", ".txt", ".cmake", ".yaml", ".json", ".csv", ".in", ".sh", ".dict"});
  for (auto& file : source_files({"tools", ".ci"}, {""})) files.push_back(std::move(file));
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json"}) {
    files.push_back(read_source_file(JOSTLE_SOURCE_DIR, std::filesystem::path(JOSTLE_SOURCE_DIR) / name));
  }
  return files;
}

// Work that is put off belongs in an issue, not in a file. (Written in two halves, or this line would be found.)
TEST(Files, PutNothingOff) {
  for (const SourceFile& file : text_files()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const char* word : {"TO"
                               "DO",
                               "FIX"
                               "ME",
                               "X"
                               "XX"}) {
        EXPECT_EQ(find_word(file.lines[i], word), std::string::npos) << file.place(i) << ": " << word;
      }
    }
  }
}

TEST(Files, NameNoPathOfOneMachine) {
  for (const SourceFile& file : text_files()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const char* path : {"../"
                               "shared",
                               "/wo"
                               "rk/",
                               "/ho"
                               "me/",
                               "/t"
                               "mp/"}) {
        EXPECT_EQ(file.lines[i].find(path), std::string::npos) << file.place(i) << ": " << path;
      }
    }
  }
}

// libm's functions differ in the last bit from library to library. Square root, fma and absolute value are exact.
TEST(Core, CallsNoLibm) {
  const char* const libm[] = {"sin",       "cos",    "tan",       "asin",  "acos",  "atan",   "atan2",  "sinh",
                              "cosh",      "tanh",   "exp",       "exp2",  "expm1", "log",    "log2",   "log10",
                              "log1p",     "pow",    "cbrt",      "hypot", "erf",   "erfc",   "tgamma", "fmod",
                              "remainder", "lgamma", "sincos",    "ldexp", "frexp", "scalbn", "logb",   "ilogb",
                              "round",     "lround", "nearbyint", "rint"};
  for (const SourceFile& file : source_files({"core"}, code_endings)) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string code = without_comment(file.lines[i]);
      for (const char* function : libm) EXPECT_FALSE(calls(code, function)) << file.place(i) << ": " << function;
    }
  }
}

// fmin and fmax may return either zero, and either operand if one is NaN.
TEST(Core, ComparesByName) {
  for (const SourceFile& file : source_files({"core"}, code_endings)) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const char* function : {"fmin", "fmax"}) {
        EXPECT_FALSE(calls(without_comment(file.lines[i]), function)) << file.place(i) << ": " << function;
      }
    }
  }
}

// A reduction adds in an order that depends on the number of lanes; an atomic addition in no order at all.
TEST(Core, AddsInOneOrder) {
  for (const SourceFile& file : source_files({"core"}, code_endings)) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string code = without_comment(file.lines[i]);
      if (code.find("#pragma omp") == std::string::npos) continue;
      EXPECT_EQ(code.find("reduction"), std::string::npos) << file.place(i);
      EXPECT_EQ(code.find("atomic"), std::string::npos) << file.place(i);
    }
  }
}

// nvcc 13.0 loses a semicolon where a loop over a list names members of what a template is given. Numbers are safe.
TEST(Core, LoopsOverListsOfPlainNames) {
  static const std::regex loop(R"(for \([^;]*: \{[^}]*\bwork_?\b[^}]*\}\))");
  for (const SourceFile& file : source_files({"core"}, code_endings))
    for (const std::string& line : file.lines) EXPECT_FALSE(std::regex_search(line, loop)) << file.path << ": " << line;
}

TEST(Core, KnowsNoCuda) {
  for (const SourceFile& file : source_files({"core"}, code_endings)) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.path == "core/config.hpp") continue;  // the one place that asks what it is compiled for
      for (const char* word : {"__CUDACC__", "__CUDA_ARCH__", "__device__", "__host__", "__global__", "__shared__"}) {
        EXPECT_EQ(find_word(without_comment(file.lines[i]), word), std::string::npos) << file.place(i) << ": " << word;
      }
    }
  }
}

}  // namespace
}  // namespace jostle::test
