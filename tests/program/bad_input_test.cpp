// Files that are no scenarios: one line with file, line and column, exit status 2, nothing written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program.hpp"
#include "tests/program/scenarios.hpp"

namespace jostle {
namespace {

using test::Answer;
using test::ScratchFolder;
using test::write_file;
using testing::StartsWith;

/// Both commands that read scenarios refuse `file` in the same line, and write nothing beside it.
std::string refusal_of(const std::string& file, const ScratchFolder& folder) {
  const auto files = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  const Answer sweep = test::jostle({"sweep", file, "-n", "3", "-o", "out"}, folder.path().string());
  EXPECT_EQ(sweep.status, 2) << sweep.err;
  EXPECT_EQ(sweep.out, "");
  EXPECT_TRUE(test::is_one_line(sweep.err)) << sweep.err;
  EXPECT_LT(sweep.err.size(), 400u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), files) << "something was written";
  const Answer run = test::jostle({"run", file}, folder.path().string());
  EXPECT_EQ(run.status, 2) << run.err;
  EXPECT_TRUE(test::is_one_line(run.err)) << run.err;
  return sweep.err;
}

std::string refusal_of_text(const std::string& text) {
  const ScratchFolder folder;
  write_file(folder / "bad.yaml", text);
  return refusal_of("bad.yaml", folder);
}

TEST(BadInput, OfAFolderIsRefused) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "folder");
  EXPECT_THAT(refusal_of("folder", folder), StartsWith("folder:1:1: is a directory"));
}

TEST(BadInput, OfAMissingFileIsRefused) {
  EXPECT_EQ(refusal_of("absent.yaml", ScratchFolder()), "absent.yaml:1:1: cannot be read: No such file or directory\n");
}

TEST(BadInput, OfAnEmptyFileIsRefused) { EXPECT_EQ(refusal_of_text(""), "bad.yaml:1:1: the file is empty\n"); }

TEST(BadInput, OfABinaryFileIsRefused) {
  EXPECT_THAT(refusal_of_text(std::string("\x7F"
                                          "ELF\0\1\2\xFF",
                                          8)),
              StartsWith("bad.yaml:1:1: not a text file"));
}

TEST(BadInput, OfAMistypedKeyNamesItsPlaceAndTheNearestKey) {
  std::string text = test::kicked_ball;
  text.replace(text.find("friction"), 8, "friciton");
  EXPECT_EQ(refusal_of_text(text), "bad.yaml:9:20: unknown key 'friciton' in contacts[0] (did you mean 'friction'?)\n");
}

TEST(BadInput, OfADeviceIsRefused) {
  EXPECT_EQ(refusal_of("/dev/zero", ScratchFolder()), "/dev/zero:1:1: is a device, not a scenario file\n");
}

TEST(BadInput, OfAFolderThatIsGoneIsAFileError) {
  const ScratchFolder folder;
  const Answer answer = test::shell(
      "mkdir gone && cd gone && rmdir ../gone && exec \"$JOSTLE\" sweep " + test::library("rod") + " -n 4 -o out",
      folder.path().string());
  EXPECT_EQ(answer.status, 6);
  EXPECT_EQ(answer.err, "the current folder cannot be found: No such file or directory\n");
}

// A hundred megabytes: refused after the first few, not read.
TEST(BadInput, OfAHugeFileIsRefusedWithoutReadingIt) {
  const ScratchFolder folder;
  {
    std::ofstream file(folder / "huge.yaml", std::ios::binary);
    const std::string line = "# " + std::string(1021, 'x') + "\n";
    for (int i = 0; i < 100 * 1024; ++i) file << line;
  }
  const Answer answer = test::jostle({"sweep", "huge.yaml", "-n", "3", "-o", "out"}, folder.path().string());
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, StartsWith("huge.yaml:1:1: larger than"));
#ifndef JOSTLE_SANITIZED
  EXPECT_LT(answer.peak_memory, 80'000'000);
#endif
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(BadInput, NestedDeepIsRefused) {
  EXPECT_THAT(refusal_of_text("jostle: 1\nbodies: " + std::string(100'000, '[')), StartsWith("bad.yaml:2:"));
  EXPECT_THAT(refusal_of_text("jostle: 1\nbodies: " + std::string(100'000, '{')), StartsWith("bad.yaml:2:"));
}

TEST(BadInput, OfAnAliasBombIsRefused) {
  std::string text = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name <= 'i'; ++name) {
    const char before = static_cast<char>(name - 1);
    text += std::string(1, name) + ": &" + name + " [";
    for (int i = 0; i < 9; ++i) text += std::string(i > 0 ? ", *" : "*") + before;
    text += "]\n";
  }
  EXPECT_THAT(refusal_of_text(text), testing::AllOf(StartsWith("bad.yaml:"), testing::HasSubstr("aliases")));
}

TEST(BadInput, OfZeroDurationIsRefused) {
  std::string text = test::kicked_ball;
  text.replace(text.find("duration: 1.0"), 13, "duration: 0");
  EXPECT_THAT(refusal_of_text(text), StartsWith("bad.yaml:4:"));
}

TEST(BadInput, OfASamplelessScenarioAsksForACount) {
  const ScratchFolder folder;
  write_file(folder / "ball.yaml", test::kicked_ball);
  const Answer answer = test::jostle({"sweep", "ball.yaml"}, folder.path().string());
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(answer.err, "ball.yaml:1:1: how many samples? Give -n, or sample.count in the scenario\n");
}

struct WrongTable {
  const char* name;
  const char* table;  ///< nullptr: absent
  const char* message;
};

void PrintTo(const WrongTable& wrong, std::ostream* out) { *out << wrong.name; }

class BadTable : public testing::TestWithParam<WrongTable> {};

TEST_P(BadTable, IsRefusedWithItsPlace) {
  const ScratchFolder folder;
  write_file(folder / "block.yaml", test::block_over_table);
  if (GetParam().table) write_file(folder / "points.csv", GetParam().table);
  EXPECT_EQ(refusal_of("block.yaml", folder), std::string(GetParam().message) + "\n");
}

constexpr WrongTable wrong_tables[] = {
    {"Absent", nullptr, "points.csv:1:1: the table cannot be read: No such file or directory"},
    {"Empty", "", "points.csv:1:1: the table does not begin with the names of its columns"},
    {"NoRows", "speed,mu\n", "points.csv:1:1: the table has no rows"},
    {"UnknownColumn", "speed,muu\n3,0.3\n",
     "points.csv:1:7: column 'muu' names no variable of the scenario (did you mean 'mu'?)"},
    {"ColumnTwice", "mu,mu\n0.3,0.3\n", "points.csv:1:4: column 'mu' stands twice"},
    {"MissingColumn", "speed,mu\n3,0.3\n3.5\n", "points.csv:3:4: the row ends before column 'mu'"},
    {"ColumnTooMany", "speed,mu\n3,0.3,1\n", "points.csv:2:7: the row has more fields than the header"},
    {"Word", "speed,mu\n3,slippery\n", "points.csv:2:3: 'slippery' is not a number"},
    {"QuotedWord", "speed,mu\n3,\"slippery\"\n", "points.csv:2:3: 'slippery' is not a number"},
    {"QuotedNothing", "speed,mu\n3,\"\"\n", "points.csv:2:3: a number is missing"},
    {"NothingBetweenCommas", "speed,mu\n3,\n", "points.csv:2:3: a number is missing"},
    {"NotANumber", "speed,mu\n3,nan\n", "points.csv:2:3: 'nan' is not finite"}};

INSTANTIATE_TEST_SUITE_P(Program, BadTable, testing::ValuesIn(wrong_tables),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(ShortTable, WithFewerRowsThanSamplesIsRefused) {
  const ScratchFolder folder;
  write_file(folder / "block.yaml", test::block_over_table);
  write_file(folder / "points.csv", "speed,mu\n3,0.3\n2,0.4\n");
  const Answer answer = test::jostle({"sweep", "block.yaml", "-n", "3", "-o", "out"}, folder.path().string());
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(answer.err, "-n 3: 3 samples asked for, but the table has 2 rows\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace jostle
