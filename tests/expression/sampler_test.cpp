// Which point of the space of variables sample i is: golden bits, independence, uniformity.
#include "scenarios/sampling/sampler.hpp"

#include <gtest/gtest.h>

#include <boost/random/sobol.hpp>
#include <cmath>
#include <limits>
#include <thread>

#include "core/math/normal_distribution.hpp"

namespace jostle {
namespace {

Variable uniform_variable(const std::string& name) {
  Variable variable;
  variable.name = name;
  return variable;  // uniform on [0, 1]
}

std::vector<Variable> uniform_variables(int count) {
  std::vector<Variable> variables;
  for (int i = 0; i < count; ++i) variables.push_back(uniform_variable("v" + std::to_string(i)));
  return variables;
}

SampleSpec spec_of(SampleMethod method, std::uint64_t seed, std::int64_t count = -1) {
  SampleSpec spec;
  spec.method = method, spec.seed = seed, spec.count = count;
  return spec;
}

std::vector<double> draw(const Sampler& sampler, std::int64_t sample, std::size_t width) {
  std::vector<double> values(width);
  sampler.draw(sample, values.data());
  return values;
}

TEST(Sampler, DrawsTheGoldenBits) {
  std::vector<Variable> variables = {uniform_variable("mu"), uniform_variable("omega0")};
  variables[1].distribution = {Distribution::Kind::normal, {4, 0.2}, 0, infinity(), {}, {}, {}};
  struct Golden {
    SampleMethod method;
    std::uint64_t seed;
    std::int64_t sample;
    double mu, omega0;
  };
  const Golden golden[] = {
      {SampleMethod::sobol, 0, 0, 0x1.6c4a85b2c7cf9p-1, 0x1.ee51701b2e3c5p+1},
      {SampleMethod::sobol, 7, 12345, 0x1.9789bffe6bd44p-3, 0x1.0c28f82d67b85p+2},
      {SampleMethod::random, 0, 0, 0x1.b821a66e772p-10, 0x1.183208cdca51ap+2},
      {SampleMethod::random, std::numeric_limits<std::uint64_t>::max(), 731204, 0x1.54dd54b81edd7p-1,
       0x1.07fb81cdc8d1dp+2},
  };
  for (const Golden& g : golden) {
    const std::vector<double> values = draw(Sampler(spec_of(g.method, g.seed), variables, nullptr), g.sample, 2);
    EXPECT_EQ(values[0], g.mu) << std::hexfloat << values[0];
    EXPECT_EQ(values[1], g.omega0) << std::hexfloat << values[1];
  }
}

TEST(Sampler, StaysStrictlyInsideTheUnitInterval) {
  for (const SampleMethod method : {SampleMethod::sobol, SampleMethod::random}) {
    const Sampler sampler(spec_of(method, 3), uniform_variables(5), nullptr);
    for (std::int64_t sample = 0; sample < 20000; ++sample) {
      for (const double u : draw(sampler, sample, 5)) {
        ASSERT_GT(u, 0);
        ASSERT_LT(u, 1);
      }
    }
  }
}

TEST(SobolSampler, IsBoostsSequenceBehindAShift) {
  constexpr std::size_t width = 40;
  const Sampler sampler(spec_of(SampleMethod::sobol, 11), uniform_variables(width), nullptr);
  boost::random::sobol_engine<std::uint64_t, 64> engine(width);
  const auto cell = [](double u) { return static_cast<std::uint64_t>(u * 0x1p52); };
  const std::vector<double> origin = draw(sampler, 0, width);  // point 0 is the shift itself
  for (std::int64_t sample = 1; sample < 3000; ++sample) {     // Boost leaves out point 0
    const std::vector<double> values = draw(sampler, sample, width);
    for (std::size_t d = 0; d < width; ++d) ASSERT_EQ(cell(values[d]) ^ cell(origin[d]), engine() >> 12) << sample;
  }
  const std::int64_t far = std::int64_t{1} << 40;
  engine.seed(static_cast<std::uint64_t>(far) - 1);
  const std::vector<double> values = draw(sampler, far, width);
  for (std::size_t d = 0; d < width; ++d) ASSERT_EQ(cell(values[d]) ^ cell(origin[d]), engine() >> 12);
}

TEST(SobolSampler, PutsOnePointInEveryCell) {
  // The first 2^k points of each coordinate hit every cell of width 2^-k once, and of the first two every cell of
  // width 2^-5 x 2^-5, whatever the shift.
  const Sampler sampler(spec_of(SampleMethod::sobol, 5), uniform_variables(8), nullptr);
  std::vector<std::vector<int>> hits(8, std::vector<int>(1024));
  std::vector<int> squares(1024);
  for (std::int64_t sample = 0; sample < 1024; ++sample) {
    const std::vector<double> u = draw(sampler, sample, 8);
    for (std::size_t d = 0; d < 8; ++d) ++hits[d][static_cast<std::size_t>(u[d] * 1024)];
    ++squares[static_cast<std::size_t>(u[0] * 32) * 32 + static_cast<std::size_t>(u[1] * 32)];
  }
  for (std::size_t d = 0; d < 8; ++d) EXPECT_EQ(hits[d], std::vector<int>(1024, 1)) << "dimension " << d;
  EXPECT_EQ(squares, std::vector<int>(1024, 1));
}

TEST(SobolSampler, KeepsEarlierVariablesIfOneIsAppended) {
  const Sampler few(spec_of(SampleMethod::sobol, 1), uniform_variables(3), nullptr);
  const Sampler more(spec_of(SampleMethod::sobol, 1), uniform_variables(4), nullptr);
  for (const std::int64_t sample : {0, 1, 999}) {
    std::vector<double> values = draw(more, sample, 4);
    values.pop_back();
    EXPECT_EQ(draw(few, sample, 3), values);
  }
}

TEST(SobolSampler, RefusesMoreVariablesThanThereAreDimensions) {
  EXPECT_NO_THROW(Sampler(spec_of(SampleMethod::sobol, 0), uniform_variables(3667), nullptr));
  try {
    Sampler(spec_of(SampleMethod::sobol, 0), uniform_variables(3668), nullptr);
    ADD_FAILURE() << "accepted";
  } catch (const SamplerError& error) {
    EXPECT_STREQ(error.what(), "sobol draws at most 3667 variables, not 3668 (use 'method: random')");
  }
  EXPECT_NO_THROW(Sampler(spec_of(SampleMethod::random, 0), uniform_variables(3668), nullptr));
}

TEST(RandomSampler, DrawsAVariableByItsNameAlone) {
  const std::vector<Variable> one = {uniform_variable("mu")};
  const std::vector<Variable> three = {uniform_variable("a"), uniform_variable("mu"), uniform_variable("b")};
  const Sampler alone(spec_of(SampleMethod::random, 42), one, nullptr),
      among(spec_of(SampleMethod::random, 42), three, nullptr);
  for (const std::int64_t sample : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1} << 62}) {
    EXPECT_EQ(draw(alone, sample, 1)[0], draw(among, sample, 3)[1]);
  }
}

TEST(RandomSampler, HasUncorrelatedUniformColumnsAndSamples) {
  constexpr std::size_t width = 6;
  constexpr int count = 100000;
  const Sampler sampler(spec_of(SampleMethod::random, 1), uniform_variables(width), nullptr);
  double sum[width] = {}, products[width][width] = {}, lagged[width] = {};
  std::vector<double> last(width, 0.5);
  for (int sample = 0; sample < count; ++sample) {
    const std::vector<double> u = draw(sampler, sample, width);
    for (std::size_t i = 0; i < width; ++i) {
      sum[i] += u[i];
      lagged[i] += (u[i] - 0.5) * (last[i] - 0.5);
      for (std::size_t j = 0; j < width; ++j) products[i][j] += (u[i] - 0.5) * (u[j] - 0.5);
    }
    last = u;
  }
  // Five standard deviations: of u sqrt(1/12), of a product 1/12, of a square sqrt(1/180).
  const double noise = 5 / std::sqrt(count);
  for (std::size_t i = 0; i < width; ++i) {
    EXPECT_NEAR(sum[i] / count, 0.5, noise * std::sqrt(1.0 / 12)) << i;
    EXPECT_NEAR(products[i][i] / count, 1.0 / 12, noise * std::sqrt(1.0 / 180)) << i;
    EXPECT_NEAR(lagged[i] / count, 0, noise / 12) << i;
    for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(products[i][j] / count, 0, noise / 12) << i << ", " << j;
  }
}

TEST(Sampler, ChangesEveryColumnWithTheSeed) {
  for (const SampleMethod method : {SampleMethod::sobol, SampleMethod::random}) {
    const std::vector<Variable> variables = uniform_variables(3);
    const std::vector<double> first = draw(Sampler(spec_of(method, 0), variables, nullptr), 17, 3);
    for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
      const std::vector<double> other = draw(Sampler(spec_of(method, seed), variables, nullptr), 17, 3);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NE(first[i], other[i]) << seed;
    }
  }
}

TEST(Sampler, DrawsTheSameInAnyOrderAndThread) {
  for (const SampleMethod method : {SampleMethod::sobol, SampleMethod::random}) {
    const Sampler sampler(spec_of(method, 9), uniform_variables(4), nullptr);
    std::vector<std::vector<double>> forward(1000), backward(1000);
    std::thread other([&] {
      for (std::int64_t i = 999; i >= 0; --i) backward[i] = draw(sampler, i, 4);
    });
    for (std::int64_t i = 0; i < 1000; ++i) forward[i] = draw(sampler, i, 4);
    other.join();
    EXPECT_EQ(forward, backward);
  }
}

TEST(TableSampler, TakesColumnsAndDrawsTheRest) {
  const std::vector<Variable> variables = uniform_variables(3);
  const Table table("points.csv", "v2,v0\n10,20\n30,40\n", {"v0", "v1", "v2"});
  const Sampler sampler(spec_of(SampleMethod::table, 4), variables, &table);
  const Sampler random(spec_of(SampleMethod::random, 4), variables, nullptr);
  EXPECT_EQ(sampler.count(), 2);
  EXPECT_EQ(draw(sampler, 0, 3), (std::vector<double>{20, draw(random, 0, 3)[1], 10}));
  EXPECT_EQ(draw(sampler, 1, 3), (std::vector<double>{40, draw(random, 1, 3)[1], 30}));
  EXPECT_THROW(draw(sampler, 2, 3), SamplerError);
}

// Of n samples each of n equal parts of every variable has one, in another order; for any n.
TEST(LatinHypercube, HasOneSampleInEachPartOfEachVariable) {
  for (const int count : {1, 2, 3, 17, 64, 1000}) {
    const Sampler sampler(spec_of(SampleMethod::latin_hypercube, 5, count), uniform_variables(3), nullptr);
    EXPECT_EQ(sampler.count(), count);
    std::vector<std::vector<int>> seen(3, std::vector<int>(static_cast<std::size_t>(count)));
    int equal = 0;
    for (int i = 0; i < count; ++i) {
      const std::vector<double> u = draw(sampler, i, 3);
      for (std::size_t k = 0; k < 3; ++k) ++seen[k].at(static_cast<std::size_t>(u[k] * count));
      equal += static_cast<int>(u[0] * count) == static_cast<int>(u[1] * count);
    }
    for (const std::vector<int>& parts : seen) EXPECT_EQ(parts, std::vector<int>(static_cast<std::size_t>(count), 1));
    EXPECT_TRUE(count < 1000 || equal < 10) << "two permutations agree about once, not " << equal << " times";
  }
}

// A permutation leaves no place more often than another: each of 10 parts, of 1000 seeds, about 100 times at sample 0.
TEST(LatinHypercube, PutsASampleIntoAnyPartEquallyOften) {
  std::vector<int> seen(10);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Sampler sampler(spec_of(SampleMethod::latin_hypercube, seed, 10), uniform_variables(1), nullptr);
    ++seen.at(static_cast<std::size_t>(10 * draw(sampler, 0, 1)[0]));
  }
  double chi_squared = 0;
  for (const int times : seen) chi_squared += (times - 100.0) * (times - 100.0) / 100;
  EXPECT_LT(chi_squared, 27.9) << "9 degrees of freedom, 99.9 %";
}

TEST(LatinHypercube, NeedsACountAndHasNoSampleBeyondIt) {
  EXPECT_THROW(Sampler(spec_of(SampleMethod::latin_hypercube, 0), uniform_variables(1), nullptr), SamplerError);
  const Sampler sampler(spec_of(SampleMethod::latin_hypercube, 0, 5), uniform_variables(1), nullptr);
  EXPECT_THROW(draw(sampler, 5, 1), SamplerError);
}

TEST(GridSampler, GoesThroughAllCellsAndDrawsTheRest) {
  SampleSpec spec = spec_of(SampleMethod::grid, 4);
  spec.vary.resize(2);
  spec.vary[0].variable = 2, spec.vary[0].values = {1, 2, 3};
  spec.vary[1].variable = 0, spec.vary[1].values = {10, 20};
  const Sampler sampler(spec, uniform_variables(3), nullptr);
  const Sampler random(spec_of(SampleMethod::random, 4), uniform_variables(3), nullptr);
  for (std::int64_t i = 0; i < 18; ++i) {
    const std::vector<double> values = draw(sampler, i, 3);
    EXPECT_EQ(values[0], i % 2 == 0 ? 10 : 20) << i;
    EXPECT_EQ(values[1], draw(random, i, 3)[1]) << i;
    EXPECT_EQ(values[2], static_cast<double>(i / 2 % 3 + 1)) << i;
  }
}

TEST(Sampler, DrawsNothingForNoVariables) {
  for (const SampleMethod method : {SampleMethod::sobol, SampleMethod::random}) {
    EXPECT_NO_THROW(draw(Sampler(spec_of(method, 0), {}, nullptr), 5, 0));
  }
}

}  // namespace
}  // namespace jostle
