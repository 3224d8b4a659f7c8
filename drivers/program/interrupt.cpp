#include "drivers/program/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "drivers/exit_status.hpp"

namespace jostle {
namespace {

/// Queues kill what still runs 20 to 30 s after their warning.
constexpr unsigned most_seconds = 18;

std::atomic<bool> interrupted = false;
std::atomic<std::int64_t> interrupted_at = 0;  ///< s, from 1; 0: not yet
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler sets them");

[[noreturn]] void end(std::string_view line) {
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(static_cast<int>(ExitStatus::interrupted));
}

/// Nothing is lost: files get their names when they are complete, and the next writer removes temporary ones.
extern "C" void end_at_once(int) { end("interrupted; the same command resumes\n"); }

extern "C" void end_without_files(int) { end("interrupted; nothing was written\n"); }

/// The first signal asks the program to stop, which it must within most_seconds; one more than a second later (at most
/// two, in whole seconds) ends it at once. A second one at once repeats the same request: `timeout` and batch systems
/// signal a process and its group.
extern "C" void interrupt(int signal) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::int64_t first = 0;
  if (interrupted_at.compare_exchange_strong(first, 1 + now.tv_sec)) {
    interrupted = true;
    ::alarm(most_seconds);
  } else if (1 + now.tv_sec > first + 1) {
    end_at_once(signal);
  }
}

bool is_ignored(int signal) {
  struct sigaction inherited = {};
  sigaction(signal, nullptr, &inherited);
  return inherited.sa_handler == SIG_IGN;
}

}  // namespace

void end_at_interrupts() {
  struct sigaction action = {};
  action.sa_handler = end_without_files;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP})
    if (!is_ignored(signal)) sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
  if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, nullptr);  // not under nohup
  action.sa_handler = end_at_once;
  sigaction(SIGALRM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
  return interrupted;
}

}  // namespace jostle
