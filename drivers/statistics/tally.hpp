#pragma once
// Columns of outcomes, piece by piece, to their statistics. Sums are exact and quantiles those of sorted numbers, so
// nothing depends on threads, on shards, or on which process has which samples.
#include <cstdint>
#include <span>
#include <vector>

#include "drivers/ranks/ranks.hpp"
#include "drivers/statistics/exact_sum.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// Takes the column of one outcome piece by piece, in any order. Keeps numbers and times, 8 bytes each; for a truth
/// only counts.
class OutcomeTally {
 public:
  /// Reserves memory for `samples` numbers, so that none is copied later.
  OutcomeTally(const OutcomeInfo& outcome, std::size_t samples);
  /// More samples: their values and their statuses, which are as many or more.
  void add(std::span<const double> values, std::span<const std::uint8_t> status);

 private:
  friend std::vector<OutcomeStatistics> finish(std::span<OutcomeTally> tallies, Ranks& ranks);

  // Steps of finish().
  void sort();
  void share_numbers(Ranks& ranks);
  void measure_spread();
  void share_spread(Ranks& ranks);

  void describe_values(Ranks& ranks, std::int64_t all);
  void describe_rate();
  std::vector<double> numbers_at(std::span<const std::int64_t> places, Ranks& ranks) const;

  OutcomeStatistics statistics_;
  std::vector<double> numbers_;  ///< numbers, or the times that were reached; of this rank
  ExactSum sum_, squares_;       ///< of the numbers; of their distances from the mean
};

/// The statistics of the samples of all ranks, by all threads; every rank has as many tallies, and gets the same. The
/// tallies are empty afterwards.
std::vector<OutcomeStatistics> finish(std::span<OutcomeTally> tallies, Ranks& ranks);

/// Whether the outcome has numbers, which a tally must keep.
inline bool has_numbers(const OutcomeInfo& outcome) { return outcome.kind != OutcomeInfo::Kind::truth; }

}  // namespace jostle
