#pragma once
// Processes that run one command together: the ranks of MPI (mpi_ranks.hpp), or this process alone.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace jostle {

/// Numbers that all ranks add to, at any time: rank 0 holds them, and takes no part in it.
struct SharedCounts {
  std::int64_t done = 0, simulated = 0, valid = 0, true_count = 0;  ///< samples, as in SweepProgress
  std::int64_t resting = 0;                                         ///< ranks that have nothing left to do
  std::int64_t stops = 0;                                           ///< ranks that were told to stop, or have failed
};

class Ranks {
 public:
  bool all_have_failed = false;  ///< together() has told all of an error, so all come to their end

  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  /// Number of this process, and of all, on its host.
  virtual int local_rank() const { return 0; }
  virtual int local_size() const { return 1; }

  /// 0, 1, 2, ...: each number to one rank, at any time.
  virtual std::int64_t take_next() = 0;
  /// Adds to the counts and returns what they were before.
  virtual SharedCounts add(const SharedCounts& amounts) = 0;

  // All ranks call these, in the same order.

  /// Each number becomes the sum, or the largest, of those of all ranks.
  virtual void sum(std::span<std::int64_t> numbers) = 0;
  virtual void largest(std::span<std::int64_t> numbers) = 0;
  /// The sum over the ranks of this host.
  virtual void sum_on_host(std::span<std::int64_t> numbers) = 0;
  /// Returns once all ranks have called it; calls `meanwhile` every now and then.
  virtual void wait_for_all(const std::function<void()>& meanwhile) = 0;
  /// The last call. Without it, the destructor ends the other ranks, too.
  virtual void end() = 0;
};

/// The part of a list that a rank gets if each takes every size-th item.
template <class Item>
std::vector<Item> dealt(const std::vector<Item>& items, const Ranks& ranks) {
  std::vector<Item> own;
  const auto step = static_cast<std::size_t>(ranks.size());
  for (auto i = static_cast<std::size_t>(ranks.rank()); i < items.size(); i += step) own.push_back(items[i]);
  return own;
}

/// This process alone.
class OneRank : public Ranks {
 public:
  std::int64_t take_next() override { return next_++; }
  SharedCounts add(const SharedCounts& amounts) override {
    const SharedCounts before = counts_;
    counts_.done += amounts.done;
    counts_.simulated += amounts.simulated;
    counts_.valid += amounts.valid;
    counts_.true_count += amounts.true_count;
    counts_.resting += amounts.resting;
    counts_.stops += amounts.stops;
    return before;
  }
  void sum(std::span<std::int64_t>) override {}
  void largest(std::span<std::int64_t>) override {}
  void sum_on_host(std::span<std::int64_t>) override {}
  void wait_for_all(const std::function<void()>&) override {}
  void end() override {}

 private:
  std::int64_t next_ = 0;
  SharedCounts counts_;
};

}  // namespace jostle
