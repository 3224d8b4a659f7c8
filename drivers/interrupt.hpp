#pragma once
#include <atomic>

namespace jostle {

/// From now on the first SIGINT or SIGTERM sets the flag that is returned; a second one kills.
const std::atomic<bool>& catch_interrupts();

}  // namespace jostle
