#pragma once
#include <atomic>

namespace jostle {

/// From now on SIGINT, SIGTERM and, if it is not ignored already, SIGHUP set the flag that is returned; another one
/// kills if it comes more than a second later.
const std::atomic<bool>& catch_interrupts();

}  // namespace jostle
