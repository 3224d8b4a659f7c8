// `jostle compare`: the same samples in other ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cuda/device.hpp"
#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using testing::HasSubstr;

TEST(Compare, FindsNoBitThatDiffers) {
  const Answer answer = test::jostle(
      {"compare", test::library("rod"), "-n", "20", "--lanes-samples", "1", "--set", "world.duration=0.5"});
  EXPECT_EQ(answer.status, 0) << answer.out << answer.err;
#ifndef JOSTLE_SANITIZED  // which says there that it does not like emulated lanes
  EXPECT_EQ(answer.err, "");
#endif
  EXPECT_THAT(answer.out, HasSubstr("20 compared, 0 bits differ"));
  if (!cuda_devices().empty()) return;
  EXPECT_THAT(answer.out, HasSubstr("emulated device"));
  EXPECT_THAT(answer.out, HasSubstr("emulated team of 8 lanes"));
  EXPECT_THAT(answer.out, HasSubstr("1 compared, 0 bits differ"));
}

TEST(Compare, GivesAListForMachines) {
  const Answer answer =
      test::jostle({"compare", test::library("sliding_block"), "-n", "3", "--lanes-samples", "0", "--json"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  const json list = json::parse(answer.out);
  ASSERT_EQ(list.size(), 2u) << "no lanes asked for";
  for (const json& comparison : list) {
    EXPECT_THAT(comparison.at("reference").get<std::string>(), testing::EndsWith(", one batch"));
    EXPECT_NE(comparison.at("other"), comparison.at("reference"));
    EXPECT_EQ(comparison.at("samples"), 3);
    EXPECT_EQ(comparison.at("differing_samples"), 0);
    EXPECT_EQ(comparison.at("differing_bits"), 0);
    EXPECT_TRUE(comparison.at("first").is_null());
  }
}

TEST(Compare, ComparesNoMoreSamplesThanATableHas) {
  const test::ScratchFolder folder;
  test::write_file(folder / "points.csv", "speed\n1\n2\n");
  test::write_file(folder / "ball.yaml", R"yaml(jostle: 1
variables: {speed: {uniform: [0, 3]}}
world: {step: 0.01, duration: 0.1}
bodies: {ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, velocity: [$speed, 0, 0]}}
sample: {method: table, table: points.csv}
)yaml");
  const Answer answer = test::jostle({"compare", "ball.yaml", "--json"}, folder.path().string());
  ASSERT_EQ(answer.status, 0) << answer.err;
  const json list = json::parse(answer.out);
  ASSERT_GE(list.size(), 2u);
  for (const json& comparison : list) EXPECT_EQ(comparison.at("samples"), 2);
}

TEST(Compare, NeedsASoundScenario) {
  const Answer answer = test::jostle({"compare", "absent.yaml"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_TRUE(test::is_one_line(answer.err));
}

}  // namespace
}  // namespace jostle
