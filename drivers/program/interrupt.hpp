#pragma once
#include <atomic>
#include <stdexcept>

namespace jostle {

/// From now on SIGINT, SIGTERM, SIGUSR1 (a queue's warning before the end) and SIGHUP end the program at once with
/// ExitStatus::interrupted; those that were ignored when it started, as in the background, stay so. For commands that
/// have nothing to go on with. SIGXFSZ is ignored: a write beyond the limit of a file's size fails as one to a full
/// disk does.
void end_at_interrupts();

/// From now on these signals, and only SIGHUP may be ignored, set the returned flag. The program ends with
/// ExitStatus::interrupted within 20 s, whatever it is doing, and at once on another signal more than a second later.
/// Who writes one file calls it before: the file is written to its end in time, or its temporary one removed.
const std::atomic<bool>& catch_interrupts();

/// The flag was found set by a command that does not resume. what() tells how far it came.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace jostle
