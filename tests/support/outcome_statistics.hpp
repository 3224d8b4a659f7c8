#pragma once
#include "drivers/statistics/tally.hpp"

namespace jostle::test {

/// Statistics of a whole column, which comes in two pieces.
inline OutcomeStatistics outcome_statistics(const OutcomeInfo& outcome, std::span<const double> values,
                                            std::span<const std::uint8_t> status) {
  OutcomeTally tally(outcome, values.size());
  const std::size_t half = values.size() / 2;
  tally.add(values.first(half), status);
  tally.add(values.subspan(half), status.subspan(half));
  OneRank alone;
  return finish(std::span(&tally, 1), alone).front();
}

}  // namespace jostle::test
