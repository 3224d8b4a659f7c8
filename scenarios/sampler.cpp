#include "scenarios/sampler.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <bit>
#include <boost/random/sobol.hpp>
#include <limits>
#include <string_view>

namespace jostle {

namespace {

using Sobol = boost::random::sobol_engine<std::uint64_t, 64>;
static_assert(max_sobol_variables == boost::random::default_sobol_table::max_dimension);

/// Streams of one variable; the second word of Philox' counter.
enum class Stream : std::uint64_t { draw = 0, digital_shift = 1 };

/// 64 random bits that depend on the arguments alone (Salmon et al. 2011).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t name, Stream stream, std::uint64_t sample) {
  const r123::Philox4x64::ctr_type counter = {{sample, static_cast<std::uint64_t>(stream), 0, 0}};
  const r123::Philox4x64::key_type key = {{seed, name}};
  return r123::Philox4x64()(counter, key)[0];
}

/// FNV-1a, 64 bits.
std::uint64_t hash_of_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// The middle of the cell of width 2^-52 that the bits choose: symmetric about 1/2, never 0 or 1.
double open_unit(std::uint64_t bits) { return static_cast<double>(bits >> 12 << 1 | 1) * 0x1p-53; }

/// Point n of the sequence is the exclusive or of the direction numbers chosen by the Gray code of n, so the point
/// number 2^(k+1) - 1, whose Gray code is 2^k, is direction number k itself. Boost counts from the point after 0.
std::vector<std::uint64_t> direction_numbers(std::size_t dimensions) {
  std::vector<std::uint64_t> directions(64 * dimensions);
  if (dimensions == 0) return directions;
  Sobol engine(dimensions);
  for (int k = 0; k < 64; ++k) {
    engine.seed((std::uint64_t{2} << k) - 2);
    for (std::size_t d = 0; d < dimensions; ++d) directions[64 * d + k] = engine();
  }
  return directions;
}

int column_of(const std::string& name, const Table& table) {
  const std::vector<std::string>& names = table.columns();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

Sampler::Sampler(SampleMethod method, std::uint64_t seed, const std::vector<Variable>& variables, const Table* table)
    : method_(method), seed_(seed), table_(table), count_(std::numeric_limits<std::int64_t>::max()) {
  const bool sobol = method == SampleMethod::sobol, tabular = method == SampleMethod::table;
  if (sobol && variables.size() > max_sobol_variables) {
    throw SamplerError("sobol draws at most " + std::to_string(max_sobol_variables) + " variables, not " +
                       std::to_string(variables.size()) + " (use 'method: random')");
  }
  if (tabular && table == nullptr) throw SamplerError("the table sampler has no table");

  for (const Variable& variable : variables) {
    const std::uint64_t key = hash_of_name(variable.name);
    const std::uint64_t shift = sobol ? random_bits(seed, key, Stream::digital_shift, 0) : 0;
    columns_.push_back({variable.distribution, key, shift, tabular ? column_of(variable.name, *table) : -1});
  }
  if (sobol) directions_ = direction_numbers(variables.size());
  if (tabular) count_ = table->rows();
}

std::uint64_t Sampler::sobol_bits(std::size_t dimension, std::uint64_t gray_code) const {
  std::uint64_t bits = columns_[dimension].shift;
  for (; gray_code != 0; gray_code &= gray_code - 1) bits ^= directions_[64 * dimension + std::countr_zero(gray_code)];
  return bits;
}

void Sampler::draw(std::int64_t sample, double* values) const {
  if (sample < 0 || sample >= count_) {
    throw SamplerError("there is no sample " + std::to_string(sample) + ", only " + std::to_string(count_));
  }
  const auto number = static_cast<std::uint64_t>(sample);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    if (column.table_column >= 0) {
      values[i] = table_->value(sample, static_cast<std::size_t>(column.table_column));
    } else {
      const std::uint64_t bits = method_ == SampleMethod::sobol ? sobol_bits(i, number ^ number >> 1)
                                                                : random_bits(seed_, column.key, Stream::draw, number);
      values[i] = quantile(column.distribution, open_unit(bits));
    }
  }
}

}  // namespace jostle
