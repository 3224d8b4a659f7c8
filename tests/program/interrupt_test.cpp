// Every command ends with the status of an interruption when it is told to stop, and leaves no half file behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using test::ChildProcess;
using test::ScratchFolder;
using test::sleep_ms;

const std::vector<int> signals = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};

/// These tests may run in the background or under nohup, which the program respects.
void respect_signals() {
  for (const int signal : signals) std::signal(signal, SIG_DFL);
}

/// Waits until a process has opened the pipe for reading, and lets it wait for what never comes. False after 20 s.
bool is_opened(const std::string& pipe, int& descriptor) {
  for (int i = 0; i < 2000; ++i) {
    descriptor = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) return true;
    sleep_ms(10);
  }
  return false;
}

// Their file is a pipe that nobody writes to: so each waits at a known place.
TEST(InterruptedCommand, EndsWithItsStatusWhateverItIs) {
  respect_signals();
  const ScratchFolder folder;
  const std::string pipe = (folder / "pipe.yaml").string(), err = (folder / "err").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const char* command : {"run", "compare", "view", "lcp"}) {
    for (const int signal : signals) {
      ChildProcess child({JOSTLE_PROGRAM, command, pipe}, {}, {"/dev/null", err, folder.path().string()});
      int descriptor = -1;
      ASSERT_TRUE(is_opened(pipe, descriptor)) << command;
      child.signal(signal);
      EXPECT_EQ(child.wait(), 75) << command << ", signal " << signal;
      EXPECT_EQ(read_text_file(err), "interrupted; nothing was written\n") << command;
      ::close(descriptor);
    }
  }
}

TEST(InterruptedCommand, SelftestEndsWithItsStatus) {
  respect_signals();
  const ScratchFolder folder;
  const std::string out = (folder / "out").string();
  ChildProcess child({JOSTLE_PROGRAM, "selftest", "--threads", "1"}, {}, {out, (folder / "err").string(), {}});
  while (read_text_file(out).empty()) sleep_ms(1);
  child.signal(SIGTERM);
  EXPECT_EQ(child.wait(), 75);
}

TEST(InterruptedCommand, KeepsIgnoringWhatItsCallerIgnores) {
  const ScratchFolder folder;
  const std::string pipe = (folder / "pipe.yaml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::signal(SIGHUP, SIG_IGN);
  ChildProcess child({JOSTLE_PROGRAM, "lcp", pipe}, {}, {"/dev/null", (folder / "err").string(), {}});
  std::signal(SIGHUP, SIG_DFL);
  int descriptor = -1;
  ASSERT_TRUE(is_opened(pipe, descriptor));
  child.signal(SIGHUP);
  sleep_ms(50);
  ::close(descriptor);  // an empty file
  EXPECT_EQ(child.wait(), 2);
}

// Ten million steps take half a minute, and each of them has a row and an LCP.
TEST(InterruptedCommand, RunEndsBetweenStepsWithoutItsFileOfLcps) {
  respect_signals();
  const ScratchFolder folder;
  const std::string out = (folder / "out").string(), err = (folder / "err").string();
  for (const int signal : signals) {
    ChildProcess child({JOSTLE_PROGRAM, "run", test::library("rod"), "--csv", "--set", "world.step=1e-7", "--dump-lcp",
                        "all", (folder / "lcps.json").string()},
                       {}, {out, err, {}});
    while (read_text_file(out).size() < 10000) sleep_ms(1);
    child.signal(signal);
    EXPECT_EQ(child.wait(), 75);
    EXPECT_THAT(read_text_file(err), testing::StartsWith("interrupted after step "));
    EXPECT_TRUE(test::is_one_line(read_text_file(err)));
    const std::string rows = read_text_file(out);
    EXPECT_EQ(rows.back(), '\n') << "the last row is a whole one";
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      left.push_back(entry.path().filename());
    EXPECT_THAT(left, testing::UnorderedElementsAre("out", "err"));
  }
}

}  // namespace
}  // namespace jostle
