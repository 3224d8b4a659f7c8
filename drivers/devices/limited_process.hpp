#pragma once
// A program started to try what may never return.
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace jostle {

struct ProcessEnd {
  enum class How {
    exited,     ///< with exit status `number`; 127 where it could not be started
    signalled,  ///< by signal `number`, which was not ours
    timed_out,
    stopped,
  };
  How how = How::exited;
  int number = 0;
  std::string out;  ///< what it wrote to stdout
};

/// Runs a program, words[0] being its path, in a process group of its own, until it ends, `limit` is over or `stop` is
/// set; then the group is killed. Returns in any case, if need be without a process that the system cannot kill. Its
/// stdin and stderr are /dev/null, and its stdout has as much room as a pipe: 64 kB.
ProcessEnd run_limited(std::vector<std::string> words, std::chrono::milliseconds limit, const std::atomic<bool>& stop);

}  // namespace jostle
