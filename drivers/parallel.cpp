#include "drivers/parallel.hpp"

#include <omp.h>

#include "core/batch/turns.hpp"
#include "drivers/errors.hpp"
#include "drivers/text.hpp"

namespace jostle {

void check_threads(int threads) {
  if (threads < 0 || threads > most_threads)
    throw UsageError("threads must be from 1 to " + with_commas(most_threads) + ", or 0 for one per processor, not " +
                     std::to_string(threads));
}

ThreadCount::ThreadCount(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
ThreadCount::~ThreadCount() { omp_set_num_threads(before_); }

void parallel_for(int count, const std::function<void(int)>& f) {
  share_turns(count, omp_get_max_threads(), [&](int i, int) { f(i); });
}

void parallel_in_order(int count, const std::function<void(int)>& make, const std::function<void(int)>& take) {
  FirstFailure failure;
#pragma omp parallel for ordered schedule(static, 1) if (count > 1)
  for (int i = 0; i < count; ++i) {
    if (!failure.is_there()) failure.catch_from([&] { make(i); });
#pragma omp ordered
    if (!failure.is_there()) failure.catch_from([&] { take(i); });
  }
  failure.rethrow();
}

}  // namespace jostle
