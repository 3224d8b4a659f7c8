#include "drivers/parallel.hpp"

#include <atomic>
#include <exception>

namespace jostle {

void parallel_for(int count, const std::function<void(int)>& f) {
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
