// Scenarios with joints in the program.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using test::Answer;
using test::library;
using testing::HasSubstr;

TEST(Joints, HaveTheSameBitsOnEveryBackend) {
  const std::vector<std::string> words = {"compare", library("door"),       "-n",    "3", "--lanes-samples", "1",
                                          "--set",   "world.duration=0.06", "--json"};
  for (const bool gpus : {true, false}) {
    const Answer answer = gpus ? test::jostle_with_gpus(words) : test::jostle(words);
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(nlohmann::json::parse(answer.out).size(), gpus ? 2U : 3U);
  }
}

TEST(Joints, RunOnAGpu) {
  const test::ScratchFolder folder;
  const Answer answer = test::jostle_with_gpus(
      {"sweep", library("door"), "-n", "4", "-o", "out", "-v", "--device", "cuda", "--set", "world.duration=0.2"},
      folder.path().string());
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("emulated device"));
}

// The matrix that is dumped is that of a system with joints: its own answer solves it.
TEST(Joints, AreInTheLcpThatIsDumped) {
  const test::ScratchFolder folder;
  const std::string file = (folder / "lcp.json").string();
  const Answer run =
      test::jostle({"run", library("door"), "--sample", "0", "--set", "world.duration=0.1", "--dump-lcp", "5", file});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto lcp = nlohmann::json::parse(std::ifstream(file)).at(0);
  const Answer solved = test::jostle({"lcp", file, "--json"});
  EXPECT_EQ(solved.status, 0) << solved.err;
  // Friction and motor of the hinge have one row, so their columns are equal; a leaf of 2.6 kg m^2 turns.
  const double response = lcp.at("M").at(0).at(0);
  EXPECT_NEAR(response, lcp.at("M").at(0).at(2).get<double>(), 1e-15);
  EXPECT_NEAR(1 / response, 12 * (0.64 + 0.0016) / 12 + 12 * 0.16, 1e-9);
}

}  // namespace
}  // namespace jostle
