// Preloaded, this is a file system whose locks answer as JOSTLE_TEST_LOCKS says: ENOLCK, ENOTSUP or ENOSYS.
#include <dlfcn.h>
#include <fcntl.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <string_view>

namespace {

int answer() {
  const char* const name = std::getenv("JOSTLE_TEST_LOCKS");
  const std::string_view text = name ? name : "";
  if (text == "ENOTSUP") return ENOTSUP;
  return text == "ENOSYS" ? ENOSYS : ENOLCK;
}

int control(const char* symbol, int descriptor, int command, void* argument) {
  using Real = int (*)(int, int, ...);
  const auto real = reinterpret_cast<Real>(::dlsym(RTLD_NEXT, symbol));
  if (command != F_OFD_SETLK && command != F_SETLK) return real(descriptor, command, argument);
  errno = answer();
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
