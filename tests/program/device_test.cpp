// The program with GPUs: what --device does in every command. The GPUs are those of tests/support/mock_gpus.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::library;
using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;

TEST(WithGpus, InfoListsThem) {
  const Answer answer = test::jostle_with_gpus({"info"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.out, AllOf(HasSubstr("with CUDA"), HasSubstr("  cuda:0: mock"), HasSubstr("  cuda:2: small")));
  EXPECT_THAT(answer.out, HasSubstr("    kernels for teams of: warp1, warp2, warp4, "));
  const json gpu = json::parse(test::jostle_with_gpus({"info", "--json"}).out).at("devices").at(1);
  EXPECT_EQ(gpu.at("name"), "cuda:0");
  EXPECT_EQ(gpu.at("team_kinds").size(), 6u);
}

TEST(WithGpus, ASweepsFolderIsThatOfTheCpu) {
  const ScratchFolder folder;
  const auto sweep = [&](const std::string& device) {
    Answer answer = test::jostle_with_gpus({"sweep", library("four_balls"), "-n", "40", "--device", device, "--set",
                                            "world.duration=0.3", "--set", "record.trajectories=2", "-o", device, "-v"},
                                           folder.path());
    EXPECT_EQ(answer.status, 0) << answer.err;
    return answer;
  };
  EXPECT_THAT(sweep("cpu").err, HasSubstr("\ncpu: "));
  EXPECT_THAT(sweep("cuda").err, HasSubstr("\nemulated device: "));
  EXPECT_THAT(sweep("auto").err, HasSubstr("\nemulated device: "));
  const auto cpu = test::content_of(folder / "cpu");
  EXPECT_GT(cpu.size(), 4u);
  EXPECT_TRUE(test::content_of(folder / "cuda") == cpu);
  EXPECT_TRUE(test::content_of(folder / "auto") == cpu);
}

TEST(WithGpus, ADryRunTellsTheMemoryOfASystemAndOfItsTrajectory) {
  const auto dry_run = [](const std::string& trajectories) {
    const Answer answer = test::jostle_with_gpus({"sweep", library("rod"), "-n", "4", "--device", "cuda:0", "--dry-run",
                                                  "--json", "--set", "record.trajectories=" + trajectories});
    EXPECT_EQ(answer.status, 0) << answer.err;
    return json::parse(answer.out);
  };
  const json plan = dry_run("2");
  EXPECT_GT(plan.at("device_bytes_per_system"), 100);
  // 101 times of two bodies with 7 + 6 numbers, and the view of them: every fourth of 400 steps, and the start
  EXPECT_NEAR(plan.at("device_bytes_per_record").get<double>(), 101 * 2 * 13 * 8, 64);
  EXPECT_FALSE(dry_run("0").contains("device_bytes_per_record"));
}

TEST(WithGpus, ATraceIsThatOfTheCpu) {
  std::vector<std::string> words = {"run", library("two_balls"), "--json"};
  const Answer cpu = test::jostle_with_gpus(words);
  EXPECT_EQ(cpu.status, 0);
  words.insert(words.end(), {"--device", "cuda:0"});
  EXPECT_EQ(test::jostle_with_gpus(words).out, cpu.out);
  EXPECT_EQ(test::jostle_with_gpus({"run", library("box_stack"), "--device", "cuda:2"}).status, 6) << "it has no room";
}

TEST(WithGpus, LcpsAreSolvedAsOnTheCpu) {
  const ScratchFolder folder;
  test::write_file(folder / "lcp.json",
                   R"([{"M": [[2, 1], [1, 3]], "q": [-4, -1]}, {"M": [[-1]], "q": [-1]}, {"M": [], "q": []}])");
  const Answer cpu = test::jostle_with_gpus({"lcp", "lcp.json", "--json", "--device", "cpu"}, folder.path());
  const Answer gpu = test::jostle_with_gpus({"lcp", "lcp.json", "--json", "--device", "cuda"}, folder.path());
  EXPECT_EQ(cpu.status, 3) << "the second has no solution";
  EXPECT_EQ(gpu.status, 3);
  EXPECT_EQ(json::parse(gpu.out), json::parse(cpu.out));
  EXPECT_EQ(json::parse(gpu.out)[1].at("ray"), json({1.0}));

  const std::vector<double> row(100, 1);
  test::write_file(folder / "large.json", json{{"M", std::vector(100, row)}, {"q", row}}.dump());
  EXPECT_EQ(test::jostle_with_gpus({"lcp", "large.json", "--device", "cuda:0"}, folder.path()).status, 0);
  EXPECT_EQ(test::jostle_with_gpus({"lcp", "large.json", "--device", "cuda:2"}, folder.path()).status, 6) << "no room";
}

TEST(WithGpus, ARightOneComparesEqual) {
  const Answer answer = test::jostle_with_gpus({"compare", library("sliding_block"), "-n", "20", "--device", "cuda:0"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.out, HasSubstr("20 compared, 0 bits differ"));
}

TEST(WithGpus, AWrongOneIsFoundByCompare) {
  std::vector<std::string> words = {"compare", library("sliding_block"), "-n", "20", "--device", "cuda:1"};
  const Answer text = test::jostle_with_gpus(words);
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out, HasSubstr("velocity"));
  words.emplace_back("--json");
  const Answer answer = test::jostle_with_gpus(words);
  EXPECT_EQ(answer.status, 1);
  const json comparison = json::parse(answer.out).at(0);
  EXPECT_EQ(comparison.at("differing_samples"), 1);
  EXPECT_EQ(comparison.at("differing_bits"), 1);
  EXPECT_EQ(comparison.at("first").at("sample"), 5);
  EXPECT_EQ(comparison.at("first").at("step"), 1);
}

// cuda:5 is wrong in teams of warp8 alone.
TEST(WithGpus, EachKindOfTeamIsComparedByItself) {
  const auto compare = [](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"compare", library("sliding_block"), "-n", "20", "--device", "cuda:5"};
    words.insert(words.end(), more.begin(), more.end());
    return test::jostle_with_gpus(words);
  };
  const Answer both = compare({"--team", "warp4", "--team", "warp8"});
  EXPECT_EQ(both.status, 1);
  EXPECT_THAT(both.out, HasSubstr("device, warp4                20 compared, 0 bits differ"));
  EXPECT_THAT(both.out, HasSubstr("device, warp8                20 compared, 1 differ"));
  EXPECT_EQ(compare({"--teams", "warp4,warp32"}).status, 0);
  EXPECT_EQ(compare({"--teams", "warp8"}).status, 1);
}

TEST(WithGpus, KindsOfTeamsThatAreNotThereAreRefused) {
  const auto error = [](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"compare", library("sliding_block"), "-n", "20", "--device", "cuda:0"};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = test::jostle_with_gpus(words);
    EXPECT_EQ(answer.status, 2);
    return answer.err;
  };
  const std::string known = "warp1, warp2, warp4, warp8, warp16, warp32\n";
  EXPECT_EQ(error({"--teams", "warp4,warp7"}), "--teams: there is no kind of team 'warp7', only " + known);
  EXPECT_EQ(error({"--team", "warp7"}), "--team: there is no kind of team 'warp7', only " + known);
  EXPECT_EQ(error({"--teams", "warp4", "--team", "warp8"}),
            "--team: this build or --teams leaves out warp8; there are warp4\n");
}

TEST(WithGpus, AKindOfTeamNeedsAGpu) {
  const Answer answer =
      test::jostle_with_gpus({"compare", library("rod"), "-n", "2", "--device", "cpu", "--team", "warp8"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(answer.err, "--team: there is no GPU to compare; see jostle info\n");
}

TEST(WithGpus, OneWithoutRoomIsSaidToHaveNone) {
  const ScratchFolder folder;
  const Answer answer =
      test::jostle_with_gpus({"sweep", library("rod"), "-n", "4", "--device", "cuda:2"}, folder.path());
  EXPECT_EQ(answer.status, 6);
  EXPECT_TRUE(test::is_one_line(answer.err)) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("no room"));
}

TEST(WithGpus, OneThatIsNotThereEndsWithStatus5) {
  for (const char* command : {"sweep", "run", "compare"}) {
    const ScratchFolder folder;
    const Answer answer = test::jostle_with_gpus({command, library("rod"), "--device", "cuda:6"}, folder.path());
    EXPECT_EQ(answer.status, 5);
    EXPECT_EQ(answer.err, "--device cuda:6: there are 6 GPUs; use --device cpu\n");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

}  // namespace
}  // namespace jostle
