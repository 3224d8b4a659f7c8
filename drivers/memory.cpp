#include "drivers/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace jostle {

double memory_of_machine() {
  double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  // Of a container, in both versions of control groups; "max", or a number beyond all memory, is no limit.
  for (const char* limit : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    double least = 0;
    if (std::ifstream(limit) >> least) bytes = std::min(bytes, least);
  }
  return bytes;
}

}  // namespace jostle
