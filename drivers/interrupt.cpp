#include "drivers/interrupt.hpp"

#include <csignal>

namespace jostle {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void set_interrupted(int) { interrupted = true; }

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = set_interrupted;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the next one has its default effect
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  return interrupted;
}

}  // namespace jostle
