#include "drivers/statistics/run_statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <vector>

#include "core/status.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/ranks/together.hpp"
#include "drivers/statistics/tally.hpp"

namespace jostle {
namespace {

constexpr std::int64_t number_bytes = sizeof(double);

/// Outcomes with numbers that are read together.
std::int64_t read_at_once(std::int64_t samples, std::int64_t room) {
  return std::max<std::int64_t>(2, room / number_bytes / std::max<std::int64_t>(1, samples));
}

/// Keeps the larger number, and of equal ones the lower sample.
void keep_worse(Worst& worst, double value, std::int64_t sample) {
  if (value > worst.value || (value == worst.value && value > 0 && sample < worst.sample)) worst = {value, sample};
}

/// Adds the columns of a shard that are not outcomes.
void count_samples(const ShardReader& shard, const ShardRange& range, std::span<const std::uint8_t> status,
                   RunStatistics& statistics) {
  for (std::int64_t i = 0; i < range.count; ++i) {
    StatusCount& count = statistics.status[status[i]];
    if (count.samples++ == 0 || range.first + i < count.first_sample) count.first_sample = range.first + i;
  }
  statistics.samples += range.count;
  const std::vector<std::int32_t> steps = shard.steps();
  statistics.steps += std::accumulate(steps.begin(), steps.begin() + range.count, std::int64_t{0});
  const auto sum = [&](const char* column) {
    const std::vector<std::int32_t> counts = shard.counts(column);
    return std::accumulate(counts.begin(), counts.begin() + range.count, std::int64_t{0});
  };
  statistics.rest += sum("rest");
  statistics.guessed += sum("guessed");
  statistics.corrected += sum("corrected");
  statistics.pivoted += sum("pivoted");
  statistics.vertex += sum("vertex");
  const std::vector<std::int32_t> held = shard.counts("held");
  for (std::int64_t i = 0; i < range.count; ++i) {
    statistics.held_samples += held[i] > 0;
    statistics.held_steps += held[i];
    keep_worse(statistics.held, held[i], range.first + i);
  }
  const auto find_worst = [&](const std::string& column, Worst& worst) {
    const std::vector<double> values = shard.numbers(column);
    for (std::int64_t i = 0; i < range.count; ++i) keep_worse(worst, values[i], range.first + i);
  };
  find_worst("residual_max", statistics.residual);
  find_worst("penetration_max", statistics.penetration);
  find_worst("energy_gained", statistics.energy_gained);
  find_worst("energy_gain_max", statistics.energy_gain);
}

/// Adds the samples of a shard that have no outcome, or several, of a category.
void count_categories(const ShardReader& shard, const ShardRange& range, std::span<const OutcomeInfo> outcomes,
                      std::span<const std::uint8_t> status, std::vector<CategoryCount>& categories) {
  for (CategoryCount& category : categories) {
    std::vector<double> hits(static_cast<std::size_t>(range.count));
    for (const OutcomeInfo& outcome : outcomes) {
      if (outcome.category != category.name) continue;
      const std::vector<double> values = shard.numbers(outcome.name);  // 1, 0, or NaN where it is undefined
      for (std::size_t i = 0; i < hits.size(); ++i) hits[i] += values[i];
    }
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (status[i] != static_cast<std::uint8_t>(Status::ok)) continue;
      category.none += hits[i] == 0, category.several += hits[i] > 1;
    }
  }
}

std::vector<CategoryCount> no_counts(std::span<const OutcomeInfo> outcomes) {
  std::vector<CategoryCount> categories;
  for (const OutcomeInfo& outcome : outcomes)
    if (!outcome.category.empty() && (categories.empty() || categories.back().name != outcome.category))
      categories.push_back({outcome.category});
  return categories;
}

/// Replaces a rank's numbers by those of all.
void share(RunStatistics& statistics, Ranks& ranks) {
  std::vector<std::int64_t*> sums = {&statistics.samples, &statistics.steps,        &statistics.rest,
                                     &statistics.guessed, &statistics.corrected,    &statistics.pivoted,
                                     &statistics.vertex,  &statistics.held_samples, &statistics.held_steps};
  for (StatusCount& count : statistics.status) sums.push_back(&count.samples);
  for (CategoryCount& category : statistics.categories) sums.insert(sums.end(), {&category.none, &category.several});
  std::vector<std::int64_t> numbers;
  numbers.reserve(sums.size());
  for (const std::int64_t* sum : sums) numbers.push_back(*sum);
  ranks.sum(numbers);
  for (std::size_t i = 0; i < sums.size(); ++i) *sums[i] = numbers[i];
}

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

/// The same of the first sample of each status.
void share_first_samples(RunStatistics& statistics, Ranks& ranks) {
  std::vector<std::int64_t> first;
  for (const StatusCount& count : statistics.status)
    first.push_back(count.first_sample < 0 ? none : -count.first_sample);
  ranks.largest(first);
  for (std::size_t i = 0; i < first.size(); ++i) statistics.status[i].first_sample = first[i] == none ? -1 : -first[i];
}

/// The same of the worst values. Bits of numbers from 0 on are in the order of the numbers.
void share_worst(RunStatistics& statistics, Ranks& ranks) {
  const std::array<Worst*, 5> worst = {&statistics.residual, &statistics.penetration, &statistics.held,
                                       &statistics.energy_gained, &statistics.energy_gain};
  std::array<std::int64_t, worst.size()> values{}, samples{};
  for (std::size_t i = 0; i < worst.size(); ++i) values[i] = std::bit_cast<std::int64_t>(worst[i]->value);
  ranks.largest(values);
  for (std::size_t i = 0; i < worst.size(); ++i) {
    const double value = std::bit_cast<double>(values[i]);
    samples[i] = worst[i]->sample >= 0 && worst[i]->value == value ? -worst[i]->sample : none;
    worst[i]->value = value;
  }
  ranks.largest(samples);
  for (std::size_t i = 0; i < worst.size(); ++i) worst[i]->sample = samples[i] == none ? -1 : -samples[i];
}

/// Tallies of the next outcomes, with `left` of those that keep numbers.
std::vector<OutcomeTally> next_tallies(std::span<const OutcomeInfo> outcomes, std::int64_t samples, std::int64_t left) {
  std::vector<OutcomeTally> tallies;
  for (const OutcomeInfo& outcome : outcomes) {
    if (has_numbers(outcome) && left-- == 0) break;
    tallies.emplace_back(outcome, static_cast<std::size_t>(samples));
  }
  return tallies;
}

}  // namespace

std::int64_t statistics_bytes(const DatasetDescription& description, std::int64_t samples) {
  const auto kept = std::count_if(description.outcomes.begin(), description.outcomes.end(), has_numbers);
  return std::min<std::int64_t>(kept, read_at_once(samples, statistics_room)) * samples * number_bytes;
}

RunStatistics read_statistics(const std::filesystem::path& folder, const DatasetDescription& description,
                              std::span<const ShardRange> ranges, Ranks& ranks, std::int64_t room) {
  RunStatistics statistics;
  std::span<const OutcomeInfo> outcomes = description.outcomes;
  statistics.categories = no_counts(outcomes);
  const std::int64_t samples = samples_of(ranges);
  std::int64_t most = samples;  // of a rank: all take as many outcomes at once
  ranks.largest(std::span(&most, 1));
  bool counts = true;
  do {
    std::vector<OutcomeTally> tallies = next_tallies(outcomes, samples, read_at_once(most, room));
    together(ranks, [&] {
      for (const ShardRange& range : ranges) {
        const ShardReader shard(folder, range);
        const std::vector<std::uint8_t> status = shard.status();
        if (counts) {
          count_samples(shard, range, status, statistics);
          count_categories(shard, range, description.outcomes, status, statistics.categories);
        }
        for (std::size_t i = 0; i < tallies.size(); ++i) {
          const std::vector<double> values = shard.numbers(outcomes[i].name);
          tallies[i].add(std::span(values).first(static_cast<std::size_t>(range.count)), status);
        }
      }
    });
    counts = false;
    for (OutcomeStatistics& outcome : finish(tallies, ranks)) statistics.outcomes.push_back(std::move(outcome));
    outcomes = outcomes.subspan(tallies.size());
  } while (!outcomes.empty());
  share(statistics, ranks);
  share_first_samples(statistics, ranks);
  share_worst(statistics, ranks);
  statistics.invalid = statistics.samples - statistics.status[static_cast<std::uint8_t>(Status::ok)].samples;
  return statistics;
}

RunStatistics read_statistics(const std::filesystem::path& folder, const DatasetDescription& description,
                              std::span<const ShardRange> ranges, std::int64_t room) {
  OneRank alone;
  return read_statistics(folder, description, ranges, alone, room);
}

void explain(RunStatistics& statistics, const std::function<std::string(std::int64_t, Status)>& reason) {
  for (const Status status : {Status::overlap, Status::bad_parameters}) {
    StatusCount& count = statistics.status[static_cast<std::uint8_t>(status)];
    if (count.samples > 0) count.reason = reason(count.first_sample, status);
  }
}

}  // namespace jostle
