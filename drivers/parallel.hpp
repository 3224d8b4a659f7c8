#pragma once
#include <functional>

namespace jostle {

inline constexpr int most_threads = 1024;

/// Throws UsageError unless `threads` is from 1 to most_threads, or 0 for one per processor.
void check_threads(int threads);

/// Sets the number of OpenMP's threads for the calling thread, until it is destroyed.
class ThreadCount {
 public:
  explicit ThreadCount(int threads);
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;
  ~ThreadCount();

 private:
  int before_;
};

/// Calls f(0), ..., f(count - 1) by all threads of OpenMP, in any order. After an exception no call begins; the first
/// one is rethrown.
void parallel_for(int count, const std::function<void(int)>& f);

/// The same with make(i) in any order and take(i) in the order of i, one at a time, by the thread that made i. Nothing
/// is taken after an exception.
void parallel_in_order(int count, const std::function<void(int)>& make, const std::function<void(int)>& take);

}  // namespace jostle
