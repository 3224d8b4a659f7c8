#pragma once
// Which samples are drawn, and what is recorded of them.
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/model.hpp"
#include "scenarios/expression/expression.hpp"
#include "scenarios/model/number.hpp"
#include "scenarios/model/recorded_samples.hpp"

namespace jostle {

enum class SampleMethod { sobol, random, table, latin_hypercube, grid };

/// The values of a variable on a grid.
struct VariedSpec {
  enum class Kind { grid, values };
  std::string name;
  Kind kind = Kind::grid;
  std::vector<double> grid;    ///< first, last, number
  std::vector<double> values;  ///< all, whichever kind
  int variable = -1;           ///< its number, once the variables are sorted
  Location where;
};

struct SampleSpec {
  SampleMethod method = SampleMethod::sobol;
  std::int64_t count = -1;  ///< -1: not given
  std::uint64_t seed = 0;
  std::vector<VariedSpec> vary;  ///< SampleMethod::grid; the last one changes from sample to sample
  std::int64_t repetitions = 1;  ///< of the grid; decides the count unless that is given
  std::string table;             ///< path as written, relative to the scenario
  std::string table_place;       ///< where it is, if not there; empty: it is
};

struct RecordSpec {
  using Which = RecordedSamples::Which;
  RecordedSamples trajectories;
  RecordedSamples samples;  ///< the same by another name, until it is read
  int stride = 1;
  bool contacts = false;               ///< contacts, impulses and parameters of the same samples
  std::vector<Expression> quantities;  ///< of each recorded step; each has its text as a name
  RecordType dtype = RecordType::f8;
  RecordedLcps lcp;

  /// Whether more is recorded of a step than states.
  bool has_steps() const { return contacts || lcp.every > 0 || !quantities.empty(); }
  double every = 0;  ///< s, in place of the stride; 0: not given
  bool last = true;  ///< the last state is recorded, even if the stride leaves it out
};

}  // namespace jostle
