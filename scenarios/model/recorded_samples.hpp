#pragma once
// Which samples are recorded, and how.
#include <cstdint>
#include <string>
#include <vector>

namespace jostle {

/// A condition that selects samples (scenarios/expression/condition.hpp).
struct RecordedWhere {
  std::string condition;   ///< as written
  std::int64_t first = 0;  ///< so many of the samples for which it holds; 0: all
};

/// The samples whose trajectories are stored.
struct RecordedSamples {
  enum class Which { none, first, all, failures, listed, where };
  Which which = Which::none;
  std::int64_t count = 0;          ///< Which::first: samples 0 .. count - 1
  std::vector<std::int64_t> list;  ///< Which::listed, ascending
  RecordedWhere where;
};

/// How numbers of records are stored.
enum class RecordType { f8, f4 };

/// The LCPs that are stored of the same samples.
struct RecordedLcps {
  int every = 0;  ///< steps from one to the next; 0: none is
};

}  // namespace jostle
