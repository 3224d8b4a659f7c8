// What the format knows and this version cannot do: refused by name, in one line, never ignored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/program.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::Answer;
using test::Edit;
using testing::HasSubstr;

struct Refusal {
  const char* name;
  std::vector<Edit> edits;  ///< of test::good_scenario
  const char* message;      ///< with its place, as far as "is not supported in this version"
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class NotInThisVersion : public testing::TestWithParam<Refusal> {};

TEST_P(NotInThisVersion, IsRefusedByNameAndNothingIsWritten) {
  const test::ScratchFolder folder;
  test::write_file(folder / "rod.yaml", test::edited(GetParam().edits));
  const std::vector<std::vector<std::string>> commands = {{"sweep", "rod.yaml", "-n", "3", "-o", "out"},
                                                          {"sweep", "rod.yaml", "-n", "3", "--dry-run"},
                                                          {"run", "rod.yaml"}};
  for (const auto& command : commands) {
    const Answer answer = test::jostle(command, folder.path().string());
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_TRUE(test::is_one_line(answer.err)) << answer.err;
    EXPECT_THAT(answer.err, testing::StartsWith(GetParam().message));
    EXPECT_THAT(answer.err, HasSubstr("not supported in this version"));
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "something was written";
}

Edit method(const char* line) { return {"world:\n", line}; }
Edit section(const char* text) { return {"0.2}\n", text}; }
std::vector<Refusal> refusals() {
  return {
      {"GapOfHalfSpaces",
       {{"  ball:\n", "  wall: {fixed: true, shape: {half_space: {normal: [1, 0, 0], offset: -9}}}\n  ball:\n"},
        {"at_end: ball.position.z < 0.2", "at_end: \"gap(wall, floor)\""}},
       "rod.yaml:17:18: outcomes.low.at_end: gap between the shapes of wall and floor"},
  };
}

INSTANTIATE_TEST_SUITE_P(Program, NotInThisVersion, testing::ValuesIn(refusals()),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

// The method, the samplers and the empty lists that stand for nothing are no promise.
TEST(InThisVersion, WhatSaysNothingIsAccepted) {
  const test::ScratchFolder folder;
  test::write_file(folder / "rod.yaml",
                   test::edited({section("0.2}\njoints: []\nsprings: []\nforces: []\nsample: {method: random}\n"),
                                 method("world:\n  method: stewart_trinkle\n"),
                                 {"friction: $mu", "friction: $mu, restitution: 0"},
                                 {"contacts:\n", "contacts:\n  - {between: [floor, ball], contact: false}\n"}}));
  const Answer answer = test::jostle({"sweep", "rod.yaml", "-n", "3", "-o", "out"}, folder.path().string());
  EXPECT_EQ(answer.status, 0) << answer.err;
}

}  // namespace
}  // namespace jostle
