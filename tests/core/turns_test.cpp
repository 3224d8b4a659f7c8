// Threads share the turns of a loop: each turn is taken once, however many threads come.
#include "core/batch/turns.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

namespace jostle {
namespace {

/// How often each turn is taken if these threads come, one after the other.
std::vector<int> taken(int count, int threads, const std::vector<int>& coming) {
  Turns turns(count, threads);
  std::vector<int> times(static_cast<std::size_t>(count));
  for (const int thread : coming) turns.take(thread, [&](int i) { ++times[static_cast<std::size_t>(i)]; });
  return times;
}

TEST(Turns, AreEachTakenOnceByAnyNumberOfThreads) {
  for (const int count : {0, 1, 2, 7, 16, 100, 5000}) {
    for (const int threads : {1, 2, 3, 8, 200}) {
      const std::vector<int> once(static_cast<std::size_t>(count), 1);
      EXPECT_EQ(taken(count, threads, {0}), once) << count << " by one of " << threads;
      EXPECT_EQ(taken(count, threads, {threads - 1, 0}), once) << count << " by two of " << threads;
    }
  }
}

TEST(Turns, ThreadsBeginWithTheirOwnPartInOrder) {
  Turns turns(100, 2);
  std::vector<int> second, first;
  turns.take(1, [&](int i) {
    second.push_back(i);
    if (i == 99) turns.take(0, [&](int other) { first.push_back(other); });
  });
  std::vector<int> expected(50);
  std::iota(expected.begin(), expected.end(), 50);
  EXPECT_EQ(second, expected);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(first, expected);
}

TEST(Turns, ThreadsAtTheSameTimeTakeEachOnce) {
  constexpr int count = 20'000, threads = 4;
  Turns turns(count, threads);
  std::vector<int> times(count);
  std::vector<std::thread> all;
  for (int thread = 0; thread < threads; ++thread)
    all.emplace_back([&, thread] { turns.take(thread, [&](int i) { ++times[static_cast<std::size_t>(i)]; }); });
  for (std::thread& one : all) one.join();
  EXPECT_EQ(times, std::vector<int>(count, 1));
}

}  // namespace
}  // namespace jostle
