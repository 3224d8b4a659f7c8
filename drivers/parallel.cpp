#include "drivers/parallel.hpp"

#include <omp.h>

#include <atomic>
#include <exception>

namespace jostle {

ThreadCount::ThreadCount(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
ThreadCount::~ThreadCount() { omp_set_num_threads(before_); }

void parallel_for(int count, const std::function<void(int)>& f) {
  std::exception_ptr failure;
  std::atomic<bool> failed = false;
#pragma omp parallel for schedule(guided)
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
