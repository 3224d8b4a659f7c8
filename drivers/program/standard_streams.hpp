#pragma once
#include "drivers/exit_status.hpp"

namespace jostle {

/// A file opened by the program must never get the number of a standard stream that the caller closed.
void open_standard_streams();

/// Data that did not reach stdout are an error; one that needs no word if whoever read them has had enough. Otherwise
/// the status is the given one.
ExitStatus close_stdout(ExitStatus status);

}  // namespace jostle
