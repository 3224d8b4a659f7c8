#pragma once
// Loops over independent turns by several threads.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

namespace jostle {

/// The turns 0 .. count - 1 of a loop, each for one thread. A thread takes those of its own part, some at once, and
/// then what is left of the other parts. If the same loop is run again, it finds most of its data in its own cache.
class Turns {
 public:
  Turns(int count, int threads) : parts_(static_cast<std::size_t>(threads)) {
    // Some turns take much longer than others, but fetching them one by one costs as much as a cheap one.
    at_once_ = std::clamp(count / (64 * threads), 1, 16);
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const auto begin = [&](std::size_t part) {
        return static_cast<int>(static_cast<std::int64_t>(count) * static_cast<std::int64_t>(part) / threads);
      };
      parts_[k].next = begin(k), parts_[k].end = begin(k + 1);
    }
  }

  /// f(turn) for all turns that the thread gets.
  template <class F>
  void take(int thread, F f) {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      Part& part = parts_[(static_cast<std::size_t>(thread) + k) % parts_.size()];
      for (;;) {
        const int first = part.next.fetch_add(at_once_, std::memory_order_relaxed);
        if (first >= part.end) break;
        for (int i = first; i < std::min(first + at_once_, part.end); ++i) f(i);
      }
    }
  }

 private:
  struct alignas(64) Part {
    std::atomic<int> next = 0;
    int end = 0;
  };
  std::vector<Part> parts_;
  int at_once_ = 1;
};

/// Keeps the first exception of several threads.
class FirstFailure {
 public:
  bool is_there() const { return failed_.load(std::memory_order_relaxed); }
  template <class F>
  void catch_from(F f) {
    try {
      f();
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false;
};

/// f(turn, thread) for all turns, by so many threads, with DefaultArithmetic. After an exception no turn begins; the
/// first one is rethrown.
void share_turns(int count, int threads, const std::function<void(int turn, int thread)>& f);

}  // namespace jostle
