#include "scenarios/sampling/sampler.hpp"

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
enum class Stream : std::uint64_t { draw = 0, digital_shift = 1, permutation = 2 };

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

Sampler::Sampler(const SampleSpec& sample, const std::vector<Variable>& variables, const Table* table)
    : method_(sample.method), seed_(sample.seed), table_(table), count_(std::numeric_limits<std::int64_t>::max()) {
  const bool sobol = method_ == SampleMethod::sobol, tabular = method_ == SampleMethod::table;
  if (sobol && variables.size() > max_sobol_variables) {
    throw SamplerError("sobol draws at most " + std::to_string(max_sobol_variables) + " variables, not " +
                       std::to_string(variables.size()) + " (use 'method: random')");
  }
  if (tabular && table == nullptr) throw SamplerError("the table sampler has no table");

  for (const Variable& variable : variables) {
    const std::uint64_t key = hash_of_name(variable.name);
    const std::uint64_t shift = sobol ? random_bits(seed_, key, Stream::digital_shift, 0) : 0;
    columns_.push_back({variable.distribution, key, shift, tabular ? column_of(variable.name, *table) : -1});
  }
  set_grid(sample);
  if (method_ == SampleMethod::latin_hypercube) {
    if (sample.count < 1) throw SamplerError("sample.count is missing: a Latin hypercube depends on it (or give -n)");
    count_ = sample.count;
  }
  if (sobol) directions_ = direction_numbers(variables.size());
  if (tabular) count_ = table->rows();
}

std::uint64_t Sampler::sobol_bits(std::size_t dimension, std::uint64_t gray_code) const {
  std::uint64_t bits = columns_[dimension].shift;
  for (; gray_code != 0; gray_code &= gray_code - 1) bits ^= directions_[64 * dimension + std::countr_zero(gray_code)];
  return bits;
}

// Sample i is in cell i mod cells; the last variable changes first.
void Sampler::set_grid(const SampleSpec& sample) {
  std::int64_t stride = 1;
  for (auto varied = sample.vary.rbegin(); varied != sample.vary.rend(); ++varied) {
    Column& column = columns_.at(static_cast<std::size_t>(varied->variable));
    column.values = varied->values;
    column.stride = stride;
    stride *= static_cast<std::int64_t>(varied->values.size());
  }
}

namespace {

/// Element i of a random permutation of 0 .. n-1: a Feistel network over the even number of bits that holds n
/// (Luby & Rackoff 1988), repeated until the result is below n, which takes four tries on average at most.
std::uint64_t permuted(std::uint64_t i, std::uint64_t n, std::uint64_t seed, std::uint64_t name) {
  const int half_bits = std::max(1, (static_cast<int>(std::bit_width(n - 1)) + 1) / 2);
  const std::uint64_t mask = (std::uint64_t{1} << half_bits) - 1;
  do {
    std::uint64_t left = i >> half_bits, right = i & mask;
    for (std::uint64_t round = 0; round < 8; ++round) {
      const std::uint64_t mixed = random_bits(seed, name, Stream::permutation, round << 32 | right);
      const std::uint64_t next = left ^ (mixed & mask);
      left = right;
      right = next;
    }
    i = left << half_bits | right;
  } while (i >= n);
  return i;
}

}  // namespace

// One of n equal parts of (0, 1) for each of n samples, and a random place in it (McKay, Beckman & Conover 1979).
double Sampler::in_hypercube(const Column& column, std::uint64_t sample) const {
  const auto n = static_cast<std::uint64_t>(count_);
  const auto part = static_cast<double>(permuted(sample, n, seed_, column.key));
  const double u = (part + open_unit(random_bits(seed_, column.key, Stream::draw, sample))) / static_cast<double>(n);
  return std::min(u, 1 - 0x1p-53);
}

double Sampler::uniform(std::size_t dimension, std::uint64_t sample) const {
  const Column& column = columns_[dimension];
  if (method_ == SampleMethod::sobol) return open_unit(sobol_bits(dimension, sample ^ sample >> 1));
  if (method_ == SampleMethod::latin_hypercube) return in_hypercube(column, sample);
  return open_unit(random_bits(seed_, column.key, Stream::draw, sample));
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
    } else if (!column.values.empty()) {
      const auto at = static_cast<std::uint64_t>(sample / column.stride) % column.values.size();
      values[i] = column.values[at];
    } else {
      values[i] = quantile(column.distribution, uniform(i, number));
    }
  }
}

}  // namespace jostle
