// --shard auto: what it takes from the variables of each launcher, and what it refuses.
#include "drivers/program/launcher_share.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "drivers/errors.hpp"

namespace jostle {
namespace {

using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

Environment environment(Variables variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

/// "k/n", or the message of the error.
std::string share(const Variables& variables, std::int64_t parts = 0, bool shares_tasks = false) {
  try {
    const LauncherShare found = share_of_launcher(environment(variables), parts, shares_tasks);
    return std::to_string(found.part) + "/" + std::to_string(found.parts);
  } catch (const UsageError& error) {
    return error.what();
  }
}

Variables slurm_array(const std::string& id, const std::string& count, const std::string& least,
                      const std::string& most, const std::string& step = "1") {
  return {{"SLURM_ARRAY_TASK_ID", id},    {"SLURM_ARRAY_TASK_COUNT", count}, {"SLURM_ARRAY_TASK_MIN", least},
          {"SLURM_ARRAY_TASK_MAX", most}, {"SLURM_ARRAY_TASK_STEP", step},   {"SLURM_PROCID", "0"}};
}

TEST(LauncherShare, OfASlurmArrayCountsFromItsFirstNumber) {
  EXPECT_EQ(share(slurm_array("3", "200", "1", "200")), "3/200");
  EXPECT_EQ(share(slurm_array("0", "4", "0", "3")), "1/4");
  EXPECT_EQ(share(slurm_array("3", "4", "0", "3")), "4/4");
  EXPECT_EQ(share(slurm_array("20", "3", "10", "30", "10")), "2/3");
}

TEST(LauncherShare, OfPartOfASlurmArrayIsOneOfTheWhole) {
  EXPECT_THAT(share(slurm_array("17", "2", "3", "17")),
              HasSubstr("SLURM_ARRAY_TASK_ID=17 does not say of how many; give --shards N"));
  const auto asks = HasSubstr("does not say of how many; give --shards N");
  EXPECT_THAT(share(slurm_array("17", "1", "17", "17")), asks) << "one that is repeated";
  EXPECT_THAT(share(slurm_array("1", "1", "1", "1")), asks);
  EXPECT_THAT(share(slurm_array("3", "2", "3", "4")), asks);
  EXPECT_EQ(share(slurm_array("17", "1", "17", "17"), 200), "17/200");
  EXPECT_EQ(share(slurm_array("17", "2", "3", "17"), 200), "17/200");
  EXPECT_EQ(share(slurm_array("18", "3", "17", "19"), 200), "18/200") << "without gaps, but not all";
  EXPECT_EQ(share(slurm_array("5", "10", "0", "9"), 10), "6/10") << "all: counted from its first number";
  EXPECT_THAT(share(slurm_array("0", "2", "0", "17"), 200), HasSubstr("is not one of 200 jobs numbered from 1"));
  EXPECT_THAT(share(slurm_array("201", "2", "3", "201"), 200), HasSubstr("is not one of 200"));
}

TEST(LauncherShare, OfAStepOfSrunIsItsTask) {
  const Variables step = {{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "4"}};
  EXPECT_EQ(share(step), "3/4");
  EXPECT_THAT(share({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), HasSubstr("none of SLURM_ARRAY_TASK_ID"))
      << "a batch script is no step";
  EXPECT_THAT(share(step, 0, true), HasSubstr("the ranks of MPI share the work without it"));
}

TEST(LauncherShare, OfAnArrayWhoseJobsAreStepsOfOneTaskIsThatOfTheArray) {
  Variables both = slurm_array("3", "200", "1", "200");
  both.insert({{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "1"}});
  EXPECT_EQ(share(both), "3/200");
  both["SLURM_NTASKS"] = "4";
  EXPECT_THAT(share(both), testing::AllOf(HasSubstr("SLURM_ARRAY_TASK_ID=3 means 3/200"),
                                          HasSubstr("SLURM_PROCID=0 means 1/4; give --shard k/n")));
  EXPECT_EQ(share(both, 0, true), "3/200") << "the tasks are ranks of MPI";
}

TEST(LauncherShare, OfOtherQueues) {
  EXPECT_EQ(share({{"AWS_BATCH_JOB_ARRAY_INDEX", "0"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "50"}}), "1/50");
  EXPECT_EQ(share({{"JOB_COMPLETION_INDEX", "4"}}, 5), "5/5");
  EXPECT_EQ(share({{"PBS_ARRAY_INDEX", "4"}}, 5), "4/5");
  EXPECT_EQ(share({{"LSB_JOBINDEX", "5"}}, 5), "5/5");
  EXPECT_EQ(share({{"SGE_TASK_ID", "1"}}, 5), "1/5");
  for (const char* name : {"JOB_COMPLETION_INDEX", "PBS_ARRAY_INDEX", "LSB_JOBINDEX", "SGE_TASK_ID"})
    EXPECT_THAT(share({{name, "1"}}), HasSubstr(std::string(name) + "=1 does not say of how many; give --shards N"));
}

TEST(LauncherShare, OfAJobThatIsNoArrayIsRefused) {
  EXPECT_THAT(share({}), HasSubstr("none of SLURM_ARRAY_TASK_ID"));
  EXPECT_THAT(share({{"SGE_TASK_ID", "undefined"}}), HasSubstr("none of"));
  EXPECT_THAT(share({{"LSB_JOBINDEX", "0"}}), HasSubstr("none of"));
}

TEST(LauncherShare, IsRefusedWhereTwoDisagreeOrANumberIsNone) {
  EXPECT_THAT(share({{"AWS_BATCH_JOB_ARRAY_INDEX", "0"}, {"AWS_BATCH_JOB_ARRAY_SIZE", "50"}}, 40),
              HasSubstr("is one of 50, but --shards says 40"));
  EXPECT_THAT(share({{"PBS_ARRAY_INDEX", "4"}, {"SGE_TASK_ID", "3"}}, 5), HasSubstr("means 4/5, but"));
  EXPECT_EQ(share({{"PBS_ARRAY_INDEX", "3"}, {"SGE_TASK_ID", "3"}}, 5), "3/5");
  EXPECT_THAT(share({{"PBS_ARRAY_INDEX", "three"}}, 5), HasSubstr("PBS_ARRAY_INDEX is 'three', not a whole number"));
  EXPECT_THAT(share({{"PBS_ARRAY_INDEX", "6"}}, 5), HasSubstr("PBS_ARRAY_INDEX=6 is not one of 5"));
}

}  // namespace
}  // namespace jostle
