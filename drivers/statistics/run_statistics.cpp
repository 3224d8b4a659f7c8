#include "drivers/statistics/run_statistics.hpp"

#include <algorithm>
#include <numeric>

#include "core/status.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/parallel.hpp"

namespace jostle {
namespace {

constexpr std::int64_t number_bytes = sizeof(double);

/// Outcomes with numbers that are read together.
std::int64_t read_at_once(std::int64_t samples, std::int64_t room) {
  return std::max<std::int64_t>(2, room / number_bytes / std::max<std::int64_t>(1, samples));
}

/// Adds the columns of a shard that are not outcomes.
void count_samples(const ShardReader& shard, const ShardRange& range, std::span<const std::uint8_t> status,
                   RunStatistics& statistics) {
  for (std::int64_t i = 0; i < range.count; ++i) {
    StatusCount& count = statistics.status[status[i]];
    if (count.samples++ == 0) count.first_sample = range.first + i;
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
    if (held[i] > statistics.held.value) statistics.held = {static_cast<double>(held[i]), range.first + i};
  }
  const auto find_worst = [&](const std::string& column, Worst& worst) {
    const std::vector<double> values = shard.numbers(column);
    for (std::int64_t i = 0; i < range.count; ++i)
      if (values[i] > worst.value) worst = {values[i], range.first + i};
  };
  find_worst("residual_max", statistics.residual);
  find_worst("penetration_max", statistics.penetration);
  find_worst("energy_gained", statistics.energy_gained);
  find_worst("energy_gain_max", statistics.energy_gain);
}

/// Tallies of the next outcomes, as many as there is room for.
std::vector<OutcomeTally> next_tallies(std::span<const OutcomeInfo> outcomes, std::int64_t samples, std::int64_t room) {
  std::vector<OutcomeTally> tallies;
  std::int64_t left = read_at_once(samples, room);
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
                              std::span<const ShardRange> ranges, std::int64_t room) {
  RunStatistics statistics;
  std::span<const OutcomeInfo> outcomes = description.outcomes;
  const std::int64_t samples = samples_of(ranges);
  do {
    std::vector<OutcomeTally> tallies = next_tallies(outcomes, samples, room);
    for (const ShardRange& range : ranges) {
      const ShardReader shard(folder / shard_name(range.index));
      const std::vector<std::uint8_t> status = shard.status();
      if (statistics.samples < samples) count_samples(shard, range, status, statistics);
      for (std::size_t i = 0; i < tallies.size(); ++i) {
        const std::vector<double> values = shard.numbers(outcomes[i].name);
        tallies[i].add(std::span(values).first(static_cast<std::size_t>(range.count)), status);
      }
    }
    const std::size_t done = statistics.outcomes.size();
    statistics.outcomes.resize(done + tallies.size());
    parallel_for(static_cast<int>(tallies.size()), [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      statistics.outcomes[done + at] = tallies[at].finish();
    });
    outcomes = outcomes.subspan(tallies.size());
  } while (!outcomes.empty());
  statistics.invalid = statistics.samples - statistics.status[static_cast<std::uint8_t>(Status::ok)].samples;
  return statistics;
}

}  // namespace jostle
