#pragma once
#include <atomic>

namespace jostle {

/// From now on SIGINT, SIGTERM and, unless it is already ignored, SIGHUP set the returned flag. Another one more than a
/// second later kills the program.
const std::atomic<bool>& catch_interrupts();

}  // namespace jostle
