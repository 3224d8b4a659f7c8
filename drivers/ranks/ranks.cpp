#include "drivers/ranks/ranks.hpp"

namespace jostle {

SharedCounts OneRank::add(const SharedCounts& amounts) {
  const SharedCounts before = counts_;
  counts_.done += amounts.done;
  counts_.simulated += amounts.simulated;
  counts_.valid += amounts.valid;
  counts_.true_count += amounts.true_count;
  counts_.resting += amounts.resting;
  counts_.stops += amounts.stops;
  return before;
}

}  // namespace jostle
