// Preloaded, this is another host: its file system answers locks as JOSTLE_TEST_LOCKS says (ENOLCK, ENOTSUP or ENOSYS),
// and its clock is ahead by JOSTLE_TEST_CLOCK seconds. Without these variables, all is as it is.
#include <dlfcn.h>
#include <fcntl.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace {

/// 0: as the file system does.
int answer_to_locks() {
  const char* const name = std::getenv("JOSTLE_TEST_LOCKS");
  if (!name) return 0;
  const std::string_view text = name;
  if (text == "ENOTSUP") return ENOTSUP;
  return text == "ENOSYS" ? ENOSYS : ENOLCK;
}

int control(const char* symbol, int descriptor, int command, void* argument) {
  using Real = int (*)(int, int, ...);
  const auto real = reinterpret_cast<Real>(::dlsym(RTLD_NEXT, symbol));
  const int answer = answer_to_locks();
  if (answer == 0 || (command != F_OFD_SETLK && command != F_SETLK)) return real(descriptor, command, argument);
  errno = answer;
  return -1;
}

}  // namespace

extern "C" int fcntl(int descriptor, int command, ...) {
  std::va_list list;
  va_start(list, command);
  void* const argument = va_arg(list, void*);
  va_end(list);
  return control("fcntl", descriptor, command, argument);
}

extern "C" int fcntl64(int descriptor, int command, ...) {
  std::va_list list;
  va_start(list, command);
  void* const argument = va_arg(list, void*);
  va_end(list);
  return control("fcntl64", descriptor, command, argument);
}

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using Real = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<Real>(::dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  const char* const ahead = clock == CLOCK_REALTIME ? std::getenv("JOSTLE_TEST_CLOCK") : nullptr;
  if (ahead) time->tv_sec += std::atol(ahead);
  return result;
}
