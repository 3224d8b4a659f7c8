// What ranks tell each other: statistics of all samples wherever they are, and errors once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <random>
#include <span>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/program/program_ranks.hpp"
#include "drivers/ranks/together.hpp"
#include "drivers/statistics/exact_sum.hpp"
#include "drivers/statistics/tally.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/outcome_statistics.hpp"
#include "tests/support/thread_ranks.hpp"

namespace jostle {
namespace {

using test::on_ranks;

/// Numbers of very different sizes and both signs, in no order.
std::vector<double> wild_numbers(std::size_t count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-200, 200), mantissa(-1, 1);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i)
    numbers.push_back(std::ldexp(mantissa(random), static_cast<int>(exponent(random))));
  return numbers;
}

TEST(ExactSum, RoundsOnce) {
  ExactSum sum;
  for (const double term : {1e300, 1.0, 0x1p-60, -1e300, 0x1p-1074, -0x1p-1074}) sum.add(term);
  EXPECT_EQ(sum.value(), 1 + 0x1p-60) << "which is 1";
  sum.add(-1);
  EXPECT_EQ(sum.value(), 0x1p-60);
  ExactSum tenths;
  for (int i = 0; i < 10; ++i) tenths.add(0.1);
  EXPECT_EQ(tenths.value(), 1) << "ten times 0.1 is 1 + 5.6e-17, half as far from 1 as the next number";
  ExactSum halfway;
  for (const double term : {1.0, 0x1p-53}) halfway.add(term);
  EXPECT_EQ(halfway.value(), 1) << "to even";
  halfway.add(0x1p-1074);
  EXPECT_EQ(halfway.value(), 1 + 0x1p-52);
}

TEST(ExactSum, KnowsTheEndsOfTheNumbers) {
  ExactSum sum;
  EXPECT_EQ(sum.value(), 0);
  for (int i = 0; i < 3; ++i) sum.add(0x1p-1074);
  EXPECT_EQ(sum.value(), 3 * 0x1p-1074);
  ExactSum large;
  for (int i = 0; i < 4; ++i) large.add(std::numeric_limits<double>::max());
  for (int i = 0; i < 3; ++i) large.add(-std::numeric_limits<double>::max());
  EXPECT_EQ(large.value(), std::numeric_limits<double>::max());
  large.add(std::numeric_limits<double>::max());
  EXPECT_TRUE(std::isinf(large.value()));
}

TEST(ExactSum, DoesNotDependOnTheOrder) {
  std::vector<double> numbers = wild_numbers(5000);
  ExactSum forward, backward, negative;
  for (const double number : numbers) forward.add(number), negative.add(-number);
  std::ranges::reverse(numbers);
  for (const double number : numbers) backward.add(number);
  EXPECT_EQ(forward.value(), backward.value());
  EXPECT_EQ(forward.value(), -negative.value());
}

void expect_equal(const OutcomeStatistics& a, const OutcomeStatistics& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.invalid, b.invalid);
  EXPECT_EQ(a.hits, b.hits);
  EXPECT_EQ(a.estimate, b.estimate);
  EXPECT_EQ(a.interval.has_value(), b.interval.has_value());
  if (a.interval && b.interval) {
    EXPECT_EQ(a.interval->lower, b.interval->lower);
    EXPECT_EQ(a.interval->upper, b.interval->upper);
  }
  EXPECT_EQ(a.minimum, b.minimum);
  EXPECT_EQ(a.maximum, b.maximum);
  EXPECT_EQ(a.quantiles, b.quantiles);
  EXPECT_EQ(a.histogram.counts, b.histogram.counts);
}

TEST(StatisticsOfRanks, AreTheBitsOfOneProcess) {
  const std::vector<double> values = wild_numbers(1000);
  std::vector<std::uint8_t> status(values.size());
  for (std::size_t i = 0; i < status.size(); i += 17) status[i] = 1;
  using Kind = OutcomeInfo::Kind;
  for (const Kind kind : {Kind::number, Kind::truth, Kind::first_time}) {
    const OutcomeInfo info = {"x", kind, "", "", ""};
    const OutcomeStatistics one = test::outcome_statistics(info, values, status);
    for (const int size : {2, 3, 5})
      on_ranks(size, [&](Ranks& ranks) {
        OutcomeTally tally(info, values.size());
        // Rank 0 has none, the others pieces of 10 in turn.
        for (std::size_t at = 0, piece = 0; at < values.size(); at += 10, ++piece)
          if (piece % static_cast<std::size_t>(size - 1) + 1 == static_cast<std::size_t>(ranks.rank()))
            tally.add(std::span(values).subspan(at, 10), std::span(status).subspan(at, 10));
        expect_equal(finish(std::span(&tally, 1), ranks).front(), one);
      });
  }
}

TEST(Together, ThrowsOnAllRanksAndTellsOnce) {
  std::mutex mutex;
  std::vector<std::string> told;
  std::vector<ExitStatus> others;
  on_ranks(4, [&](Ranks& ranks) {
    together(ranks, [] {});
    EXPECT_FALSE(ranks.all_have_failed);
    try {
      together(ranks, [&] {
        if (ranks.rank() == 1) throw UsageError("rank 1");
        if (ranks.rank() >= 2) throw FileError("rank", std::to_string(ranks.rank()));
      });
      ADD_FAILURE() << "rank " << ranks.rank() << " goes on";
    } catch (const OtherRankFailed& error) {
      const std::lock_guard lock(mutex);
      others.push_back(error.status());
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex);
      told.emplace_back(error.what());
    }
    EXPECT_TRUE(ranks.all_have_failed);
  });
  EXPECT_THAT(told, testing::ElementsAre("rank: 2")) << "the worst, and of those the lowest";
  EXPECT_THAT(others, testing::ElementsAre(ExitStatus::file, ExitStatus::file, ExitStatus::file));
}

/// What three ranks say if the last one has something else than the others.
std::vector<std::string> told_of_a_rank_with(const std::function<void(DatasetDescription&, std::int64_t&)>& other) {
  std::mutex mutex;
  std::vector<std::string> told;
  on_ranks(3, [&](Ranks& ranks) {
    DatasetDescription description = test::fake_description();
    std::int64_t samples = 60000;
    if (ranks.rank() == 2) other(description, samples);
    try {
      agree_on(description, samples, ranks);
    } catch (const OtherRankFailed&) {
    } catch (const UsageError& error) {
      const std::lock_guard lock(mutex);
      told.emplace_back(error.what());
    }
  });
  return told;
}

TEST(AgreeOn, RefusesAnotherBuildScenarioSeedOrNumberOfSamples) {
  using testing::ElementsAre;
  using testing::HasSubstr;
  EXPECT_THAT(told_of_a_rank_with([](DatasetDescription&, std::int64_t&) {}), testing::IsEmpty());
  const std::string version = "results_version: " + std::to_string(results_version);
  EXPECT_THAT(
      told_of_a_rank_with([](DatasetDescription& description, std::int64_t&) { description.results_version += 1; }),
      ElementsAre(HasSubstr(version + " in the folder")));
  EXPECT_THAT(told_of_a_rank_with([](DatasetDescription& description, std::int64_t&) { description.seed += 1; }),
              ElementsAre(HasSubstr("seed: ")));
  EXPECT_THAT(
      told_of_a_rank_with([](DatasetDescription& description, std::int64_t&) { description.scenario += "more: 1\n"; }),
      ElementsAre(HasSubstr("more: 1")));
  EXPECT_THAT(told_of_a_rank_with([](DatasetDescription&, std::int64_t& samples) { samples += 1; }),
              ElementsAre(HasSubstr("samples: 60000 in the folder, 60001 now")));
}

}  // namespace
}  // namespace jostle
