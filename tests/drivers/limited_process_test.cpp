// Programs that end, die, hang or do not exist.
#include "drivers/devices/limited_process.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using How = ProcessEnd::How;
using namespace std::chrono_literals;

const std::atomic<bool> go_on = false;

ProcessEnd shell(const std::string& line, std::chrono::milliseconds limit = 60s) {
  return run_limited({"/bin/sh", "-c", line}, limit, go_on);
}

TEST(LimitedProcess, GivesBackWhatItWroteAndItsStatus) {
  const ProcessEnd end = shell("echo what was found; echo noise >&2; exit 3");
  EXPECT_EQ(end.how, How::exited);
  EXPECT_EQ(end.number, 3);
  EXPECT_EQ(end.out, "what was found\n");
}

TEST(LimitedProcess, TellsOfASignal) {
  const ProcessEnd end = shell("kill -SEGV $$");
  EXPECT_EQ(end.how, How::signalled);
  EXPECT_EQ(end.number, SIGSEGV);
}

TEST(LimitedProcess, EndsWithStatus127WhereThereIsNoProgram) {
  const ProcessEnd end = run_limited({"/absent"}, 60s, go_on);
  EXPECT_EQ(end.how, How::exited);
  EXPECT_EQ(end.number, 127);
}

TEST(LimitedProcess, KillsTheWholeGroupWhenTheTimeIsOver) {
  const test::ScratchFolder folder;
  const auto start = std::chrono::steady_clock::now();
  const std::string late = (folder / "late").string();
  EXPECT_EQ(shell("(sleep 1; touch '" + late + "') & trap '' TERM; sleep 600", 100ms).how, How::timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  std::this_thread::sleep_for(1500ms);
  EXPECT_FALSE(std::filesystem::exists(late));
}

TEST(LimitedProcess, IsStopped) {
  std::atomic<bool> stop = false;
  std::thread user([&] {
    std::this_thread::sleep_for(100ms);
    stop = true;
  });
  EXPECT_EQ(run_limited({"/bin/sh", "-c", "sleep 600"}, 60s, stop).how, How::stopped);
  user.join();
}

}  // namespace
}  // namespace jostle
