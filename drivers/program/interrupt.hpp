#pragma once
#include <atomic>

namespace jostle {

/// From now on SIGINT, SIGTERM, SIGUSR1 (a queue's warning before the end) and, unless it is already ignored, SIGHUP
/// set the returned flag. The program ends with ExitStatus::interrupted within 20 s, whatever it is doing, and at once
/// on another signal more than a second later. SIGXFSZ is ignored: a write beyond the limit of a file's size fails as
/// one to a full disk does.
const std::atomic<bool>& catch_interrupts();

}  // namespace jostle
