#include "drivers/program/cpu_check.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace jostle {

// JOSTLE_REQUIRED_CPU_FEATURES is a sequence of JOSTLE_REQUIRE(name), made from the build's -march.
const char* missing_cpu_feature() {
#define JOSTLE_REQUIRE(feature) \
  if (!__builtin_cpu_supports(#feature)) return #feature;
#if defined(__x86_64__)
  __builtin_cpu_init();
  JOSTLE_REQUIRED_CPU_FEATURES
#endif
#undef JOSTLE_REQUIRE
  return nullptr;
}

namespace {

void write_to_stderr(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) std::_Exit(1);
}

// 101 is the first priority that a program may use: it runs before all static initialisers of other sources.
__attribute__((constructor(101))) void refuse_unsuitable_cpu() {
  const char* const missing = missing_cpu_feature();
  if (missing == nullptr) return;
  write_to_stderr("jostle: this program was built for processors with ");
  write_to_stderr(missing);
  write_to_stderr(", which this one lacks; build it here with -DJOSTLE_ARCH=native (the results are the same)\n");
  std::_Exit(1);
}

}  // namespace
}  // namespace jostle
