#pragma once
// Maps each sample to a point in the space of variables.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "scenarios/model/number.hpp"
#include "scenarios/model/sample_spec.hpp"
#include "scenarios/sampling/table.hpp"

namespace jostle {

/// Boost's Sobol sequence has direction numbers for this many dimensions.
inline constexpr std::size_t max_sobol_variables = 3667;

struct SamplerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Generates sample i from (variables, seed, i) alone. Immutable, so any thread may generate any sample.
class Sampler {
 public:
  /// Only SampleMethod::table needs `table`, which must outlive the sampler. Throws SamplerError for too many
  /// variables, and for a Latin hypercube without a count.
  Sampler(const SampleSpec& sample, const std::vector<Variable>& variables, const Table* table);

  /// Writes one value per variable, in their order. `sample` >= 0; throws SamplerError if it is not below count().
  void draw(std::int64_t sample, double* values) const;

  /// The number of different samples: rows of the table, those of the Latin hypercube, or as many as can be counted.
  std::int64_t count() const { return count_; }

 private:
  struct Column {
    Distribution distribution;
    std::uint64_t key;                ///< of the variable's name
    std::uint64_t shift;              ///< sobol: the random digital shift
    int table_column;                 ///< table: of the variable, or -1
    std::vector<double> values = {};  ///< on the grid; empty: drawn
    std::int64_t stride = 1;          ///< on the grid: samples from one value to the next
  };

  void set_grid(const SampleSpec& sample);
  std::uint64_t sobol_bits(std::size_t dimension, std::uint64_t gray_code) const;
  /// In (0, 1).
  double uniform(std::size_t dimension, std::uint64_t sample) const;
  double in_hypercube(const Column& column, std::uint64_t sample) const;

  SampleMethod method_;
  std::uint64_t seed_;
  const Table* table_;
  std::int64_t count_;
  std::vector<Column> columns_;
  std::vector<std::uint64_t> directions_;  ///< sobol: [dimension][bit]
};

}  // namespace jostle
