#pragma once
// Runs a program that may hang.
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace jostle {

struct ProcessEnd {
  enum class How {
    exited,     ///< with exit status `number`; 127 if it could not be started
    signalled,  ///< by signal `number`, which we did not send
    timed_out,
    stopped,
  };
  How how = How::exited;
  int number = 0;
  std::string out;  ///< what it wrote to stdout
};

/// Runs the program words[0] in its own process group until it ends, `limit` is over or `stop` is set; then kills the
/// group. Returns even if the system cannot kill the process. stdin and stderr are /dev/null; stdout has the room of a
/// pipe, 64 kB.
ProcessEnd run_limited(std::vector<std::string> words, std::chrono::milliseconds limit, const std::atomic<bool>& stop);

}  // namespace jostle
