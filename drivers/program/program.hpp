#pragma once

namespace jostle {

/// The `jostle` program: finds the command that the words of the command line ask for, runs it, and reports an error in
/// one line. Returns the exit status.
int run_program(int count, char** words);

}  // namespace jostle
