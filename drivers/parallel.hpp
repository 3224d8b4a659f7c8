#pragma once
#include <atomic>
#include <exception>

namespace jostle {

/// f(0), ..., f(count - 1) by all threads of OpenMP, in no order. The first exception that is seen comes out at the
/// end.
template <class F>
void parallel_for(int count, const F& f) {
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; ++i) {
    try {
      f(i);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace jostle
