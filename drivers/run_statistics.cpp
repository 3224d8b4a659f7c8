#include "drivers/run_statistics.hpp"

#include <numeric>

#include "core/status.hpp"
#include "drivers/shard_reader.hpp"
#include "drivers/shard_writer.hpp"

namespace jostle {
namespace {

/// Counts statuses and steps; returns the column of statuses.
std::vector<std::uint8_t> count_statuses(const std::filesystem::path& folder, std::span<const ShardRange> ranges,
                                         RunStatistics& statistics) {
  std::vector<std::uint8_t> all;
  for (const ShardRange& range : ranges) {
    const ShardReader shard(folder / shard_name(range.index));
    const std::vector<std::uint8_t> status = shard.status();
    const std::vector<std::int32_t> steps = shard.steps();
    for (std::int64_t i = 0; i < range.count; ++i) {
      StatusCount& count = statistics.status[status[i]];
      if (count.samples++ == 0) count.first_sample = range.first + i;
    }
    statistics.steps += std::accumulate(steps.begin(), steps.begin() + range.count, std::int64_t{0});
    all.insert(all.end(), status.begin(), status.begin() + range.count);
  }
  return all;
}

std::vector<double> read_column(const std::filesystem::path& folder, std::span<const ShardRange> ranges,
                                const std::string& name, std::size_t samples) {
  std::vector<double> all;
  all.reserve(samples);
  for (const ShardRange& range : ranges) {
    const std::vector<double> values = ShardReader(folder / shard_name(range.index)).numbers(name);
    all.insert(all.end(), values.begin(), values.begin() + range.count);
  }
  return all;
}

Worst worst_of(const std::filesystem::path& folder, std::span<const ShardRange> ranges, const std::string& name) {
  Worst worst;
  for (const ShardRange& range : ranges) {
    const std::vector<double> values = ShardReader(folder / shard_name(range.index)).numbers(name);
    for (std::int64_t i = 0; i < range.count; ++i)
      if (values[i] > worst.value) worst = {values[i], range.first + i};
  }
  return worst;
}

}  // namespace

RunStatistics read_statistics(const std::filesystem::path& folder, const DatasetDescription& description,
                              std::span<const ShardRange> ranges) {
  RunStatistics statistics;
  const std::vector<std::uint8_t> status = count_statuses(folder, ranges, statistics);
  statistics.samples = static_cast<std::int64_t>(status.size());
  statistics.invalid = statistics.samples - statistics.status[static_cast<std::uint8_t>(Status::ok)].samples;
  statistics.residual = worst_of(folder, ranges, "residual_max");
  statistics.penetration = worst_of(folder, ranges, "penetration_max");
  statistics.energy_gain = worst_of(folder, ranges, "energy_drift");
  for (const OutcomeInfo& outcome : description.outcomes)
    statistics.outcomes.push_back(
        outcome_statistics(outcome, read_column(folder, ranges, outcome.name, status.size()), status));
  return statistics;
}

}  // namespace jostle
