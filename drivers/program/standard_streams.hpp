#pragma once
#include "drivers/exit_status.hpp"

namespace jostle {

/// Prevents that a file opened by the program gets the number of a standard stream that the caller closed.
void open_standard_streams();

/// An error status if data did not reach stdout, without a message if the reader closed the pipe. Otherwise the given
/// status.
ExitStatus close_stdout(ExitStatus status);

}  // namespace jostle
