#include "drivers/program/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace jostle {
namespace {

bool reader_is_gone() {
  pollfd stream = {STDOUT_FILENO, 0, 0};
  return ::poll(&stream, 1, 0) == 1 && (stream.revents & POLLERR) != 0;
}

}  // namespace

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0)
      std::_Exit(static_cast<int>(ExitStatus::file));
}

ExitStatus close_stdout(ExitStatus status) {
  if (std::cout.flush()) return status;
  if (!reader_is_gone()) std::cerr << "standard output: cannot be written\n";
  return ExitStatus::file;
}

}  // namespace jostle
