#pragma once
// Ranks that are threads of one process, for what they say to each other.
#include <algorithm>
#include <barrier>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "drivers/ranks/ranks.hpp"

namespace jostle::test {

/// What threads share.
class ThreadGroup {
 public:
  explicit ThreadGroup(int threads) : size(threads), barrier(threads) {}

  /// Combines the numbers of all; no rank goes on before all have the result.
  void combine(std::span<std::int64_t> numbers, const std::function<std::int64_t(std::int64_t, std::int64_t)>& join) {
    {
      const std::lock_guard lock(mutex);
      if (all.empty())
        all.assign(numbers.begin(), numbers.end());
      else
        for (std::size_t i = 0; i < numbers.size(); ++i) all.at(i) = join(all[i], numbers[i]);
    }
    barrier.arrive_and_wait();
    std::ranges::copy(all, numbers.begin());
    barrier.arrive_and_wait();
    {
      const std::lock_guard lock(mutex);
      all.clear();
    }
    barrier.arrive_and_wait();
  }

  const int size;
  std::barrier<> barrier;
  std::mutex mutex;
  OneRank counters;
  std::vector<std::int64_t> all;
};

class ThreadRank : public Ranks {
 public:
  ThreadRank(ThreadGroup& group, int rank) : group_(group), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return group_.size; }
  int local_rank() const override { return rank_; }
  int local_size() const override { return group_.size; }
  std::int64_t take_next() override {
    const std::lock_guard lock(group_.mutex);
    return group_.counters.take_next();
  }
  SharedCounts add(const SharedCounts& amounts) override {
    const std::lock_guard lock(group_.mutex);
    return group_.counters.add(amounts);
  }
  void sum(std::span<std::int64_t> numbers) override { group_.combine(numbers, std::plus<>()); }
  void largest(std::span<std::int64_t> numbers) override {
    group_.combine(numbers, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
  }
  void sum_on_host(std::span<std::int64_t> numbers) override { sum(numbers); }
  void wait_for_all(const std::function<void()>&) override { group_.barrier.arrive_and_wait(); }
  void end() override {}

 private:
  ThreadGroup& group_;
  int rank_;
};

/// Calls f(ranks) on `size` threads.
inline void on_ranks(int size, const std::function<void(Ranks& ranks)>& f) {
  ThreadGroup group(size);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&group, &f, rank] {
      ThreadRank ranks(group, rank);
      f(ranks);
    });
}

}  // namespace jostle::test
