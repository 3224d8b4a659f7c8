// `jostle sweep` over a table: its rows are the samples, whatever the scenario says of its variables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using test::Answer;
using test::ScratchFolder;
using test::write_file;
using testing::HasSubstr;

/// A falling ball whose variables are plain numbers: only the table draws.
constexpr const char* falling_ball = R"yaml(jostle: 1
variables: {m: 1.0, z: 5.0}
world: {step: 0.125, duration: 0.5, gravity: [0, 0, -8]}
bodies:
  ball: {mass: $m, shape: {sphere: {radius: 0.1}}, position: [0, 0, $z]}
sample: {table: points.csv}
outcomes: {height: {at_end: ball.position.z}}
)yaml";

class SweepOverATable : public testing::Test {
 protected:
  SweepOverATable() { write_file(folder_ / "ball.yaml", falling_ball); }

  Answer sweep(const std::string& table, std::vector<std::string> options = {}) {
    write_file(folder_ / "points.csv", table);
    options.insert(options.begin(), {"sweep", "ball.yaml", "-o", "out"});
    return test::jostle(options, folder_.path().string());
  }

  /// summary.csv without the names of its columns, up to the status.
  std::string rows() const {
    std::istringstream lines(read_text_file(folder_ / "out/summary.csv"));
    std::string line, text;
    std::getline(lines, line);
    EXPECT_THAT(line, testing::StartsWith("sample,m,z,height,status,"));
    while (std::getline(lines, line)) {
      std::size_t end = 0;
      for (int column = 0; column < 5; ++column) end = line.find(',', end) + 1;
      text += line.substr(0, end - 1) + "\n";
    }
    return text;
  }

  const ScratchFolder folder_;
};

// The height after the step n is z - 8 h^2 n (n + 1) / 2, with n = 4 that is z - 1.25.
TEST_F(SweepOverATable, WithoutACountTakesAllItsRows) {
  const Answer answer = sweep("m,z\n1,2\n2,3.5\n3,4\n");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("3 systems"));
  EXPECT_EQ(rows(), "0,1,2,0.75,0\n1,2,3.5,2.25,0\n2,3,4,2.75,0\n");
}

TEST_F(SweepOverATable, WithACountTakesSoManyOfItsRows) {
  ASSERT_EQ(sweep("z\n2\n3.5\n4\n", {"-n", "2"}).status, 0);
  EXPECT_EQ(rows(), "0,1,2,0.75,0\n1,1,3.5,2.25,0\n");
}

TEST_F(SweepOverATable, ReadsQuotedNamesAndNumbers) {
  const Answer answer = sweep("\"m\",\"z\"\n\"1\", \"2\"\r\n");
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("1 system, 4 steps in "));
  EXPECT_EQ(rows(), "0,1,2,0.75,0\n");
}

TEST_F(SweepOverATable, OfOneRowIsPlannedInTheSingular) {
  const Answer answer = sweep("m,z\n1,2\n", {"--dry-run"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, testing::StartsWith("1 sample of 4 steps in 1 shard\n"));
}

TEST_F(SweepOverATable, HistogramsShowRoundingNoiseAsZero) {
  const Answer answer = sweep("m\n1\n2\n", {"--set", "outcomes.height={at_end: $m - 1 - 1e-17}"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("  " + std::string(11, ' ') + "0 |"));
}

TEST_F(SweepOverATable, GivesARowThatIsNotPhysicalItsStatusEvenIfItIsTheFirst) {
  const Answer answer = sweep("m,z\n-1,2\n2,3.5\n");
  EXPECT_EQ(answer.status, 3);
  EXPECT_THAT(answer.out, HasSubstr("1 invalid: bad_parameters"));
  EXPECT_EQ(rows(), "0,-1,2,nan,8\n1,2,3.5,2.25,0\n");
}

}  // namespace
}  // namespace jostle
