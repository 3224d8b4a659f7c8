#include "drivers/program/interrupt.hpp"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace jostle {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<std::int64_t> interrupted_at = 0;  ///< s, from 1; 0: not yet
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler sets them");

/// The first signal asks the program to stop; one more than a second later (at most two, in whole seconds) kills it.
/// A second one at once repeats the same request: `timeout` and batch systems signal a process and its group.
extern "C" void interrupt(int signal) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::int64_t first = 0;
  if (interrupted_at.compare_exchange_strong(first, 1 + now.tv_sec)) {
    interrupted = true;
  } else if (1 + now.tv_sec > first + 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction inherited = {};
  sigaction(SIGHUP, nullptr, &inherited);
  if (inherited.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // not under nohup
  return interrupted;
}

}  // namespace jostle
