#include "core/batch/turns.hpp"

#include <omp.h>

#include "core/batch/default_arithmetic.hpp"

namespace jostle {

void share_turns(int count, int threads, const std::function<void(int turn, int thread)>& f) {
  FirstFailure failure;
  Turns turns(count, threads);
#pragma omp parallel num_threads(threads)
  {
    const DefaultArithmetic arithmetic;
    const int thread = omp_get_thread_num();
    turns.take(thread, [&](int i) {
      if (!failure.is_there()) failure.catch_from([&] { f(i, thread); });
    });
  }
  failure.rethrow();
}

}  // namespace jostle
