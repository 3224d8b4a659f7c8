#pragma once
// The floating-point environment that bits of results need, whatever the calling program has set.
#include <cfenv>

namespace jostle {

/// As long as it lives, the thread that made it rounds to nearest, keeps subnormals and has no traps; then it has its
/// own environment again. Costs nothing worth measuring where that is so anyway.
class DefaultArithmetic {
 public:
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

#if defined(__x86_64__)
  DefaultArithmetic() : before_(__builtin_ia32_stmxcsr()) {
    if ((before_ & ~flags) != default_control) __builtin_ia32_ldmxcsr(default_control);
  }
  ~DefaultArithmetic() {
    if ((before_ & ~flags) != default_control) __builtin_ia32_ldmxcsr(before_);
  }

 private:
  static constexpr unsigned flags = 0x3F, default_control = 0x1F80;  // of MXCSR: what has happened; all traps masked
  unsigned before_;
#else
  DefaultArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_;
#endif
};

}  // namespace jostle
