#pragma once
// The same samples simulated by two backends and compared bit by bit.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drivers/backend.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// What one backend makes of the step in question.
struct StepAccount {
  std::string value;  ///< of the first element that differs
  int contacts = 0;
  int pivots = 0;
  Real residual = 0;
  std::vector<int>
      pivot_path;  ///< of its last LCP: the variable that each pivot made leave; w_k = k, z_k = n + k, z0 = 2n
};

/// Where two simulations of a sample part.
struct FirstDifference {
  std::int64_t step = 0;  ///< 0: the initial state
  std::string stage;      ///< the stage that wrote what differs
  std::string field;
  int index = 0;  ///< in the field
  StepAccount reference, other;
};

struct Comparison {
  std::int64_t samples = 0;
  std::int64_t differing_samples = 0;
  std::int64_t differing_bits = 0;
  std::map<std::string, std::int64_t> differing_fields;  ///< samples in which a field of the state differs
  double largest_distance = 0;                           ///< in units in the last place; infinity beside a NaN
  std::int64_t first_sample = -1;                        ///< the first that differs
  std::optional<FirstDifference> first;                  ///< none if that sample, alone, is the same on both

  bool equal() const { return differing_samples == 0; }
};

/// Samples [0, samples) from start to end. The states at the end are compared; the first sample that differs is
/// simulated again, alone and step by step.
Comparison compare(const Ensemble& ensemble, std::int64_t samples, const Backend& reference, const Backend& other);

}  // namespace jostle
