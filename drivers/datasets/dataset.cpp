#include "drivers/datasets/dataset.hpp"

#include <algorithm>
#include <numeric>

#include "core/status.hpp"
#include "drivers/datasets/summary_columns.hpp"

namespace jostle {

const char* name_of(OutcomeInfo::Kind kind) {
  switch (kind) {
    case OutcomeInfo::Kind::truth: return "truth";
    case OutcomeInfo::Kind::number: return "number";
    case OutcomeInfo::Kind::first_time: return "first_time";
  }
  return "";
}

namespace {

/// Empty records in the precision of their files.
void make_records(const DatasetDescription& description, ShardData& shard) {
  const RecordSettings& record = description.record;
  const RealArray none(record.single);
  const auto empty = [&](const RecordColumn&, auto& values) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(values)>, RealArray>) values = none;
  };
  shard.trajectories = Trajectories(record.single);
  shard.step_records.quantities.resize(record.quantities.size());
  for_each_step_column(record.quantities, 0, shard.step_records, empty);
  for_each_contact_column(shard.contacts, empty);
  for_each_lcp_column(shard.lcps, empty);
  shard.lcps.matrix = none;
  shard.parameters.assign(record.parameters.size(), none);
}

}  // namespace

int first_truth(const DatasetDescription& description) {
  const auto found = std::ranges::find(description.outcomes, OutcomeInfo::Kind::truth, &OutcomeInfo::kind);
  return found == description.outcomes.end() ? -1 : static_cast<int>(found - description.outcomes.begin());
}

ShardData make_shard(const DatasetDescription& description, std::int64_t first, std::int64_t count) {
  ShardData shard;
  shard.first = first;
  shard.count = count;
  shard.variables.resize(description.variables.size());
  shard.outcomes.resize(description.outcomes.size());
  make_records(description, shard);
  for_each_column(description, shard, [&](const SummaryColumn&, auto& values) { values.resize(count); });
  std::fill(shard.status.begin(), shard.status.end(), static_cast<std::uint8_t>(Status::not_run));
  return shard;
}

namespace {

/// Bytes of a usual LCP.
std::size_t lcp_bytes(const RecordSettings& record) {
  const auto n = static_cast<std::size_t>(record.usual_lcp);
  std::size_t bytes = n * n * sizeof(double);
  for_each_lcp_column(LcpRecords{}, [&](const RecordColumn& column, const auto& values) {
    bytes += n * sizeof(values[0]) * static_cast<std::size_t>(column.extent);
  });
  return bytes;
}

/// Bytes of steps and contacts in an entry.
std::size_t entry_bytes(const DatasetDescription& description) {
  const RecordSettings& record = description.record;
  std::size_t bytes = 0;
  const auto add = [&](std::size_t times) {
    return [&bytes, times](const RecordColumn& column, const auto& values) {
      bytes += times * sizeof(values[0]) * static_cast<std::size_t>(column.extent);
    };
  };
  StepRecords steps;
  steps.quantities.resize(record.quantities.size());
  if (record.steps) for_each_step_column(record.quantities, static_cast<int>(description.bodies.size()), steps, add(1));
  if (record.contacts) for_each_contact_column(ContactRecords{}, add(static_cast<std::size_t>(record.usual_rows)));
  return bytes;
}

}  // namespace

std::vector<std::string> RecordSettings::groups() const {
  std::vector<std::string> groups = {"summary"};
  if (which == Which::none) return groups;
  groups.emplace_back("trajectory");
  if (steps) groups.emplace_back("step");
  if (contacts) groups.insert(groups.end(), {"contact", "param"});
  if (has_lcps()) groups.emplace_back("lcp");
  return groups;
}

std::int64_t RecordSettings::most_of(std::int64_t first, std::int64_t count) const {
  switch (which) {
    case Which::none: return 0;
    case Which::first: return std::clamp<std::int64_t>(trajectories - first, 0, count);
    case Which::listed:
      return std::lower_bound(list.begin(), list.end(), first + count) -
             std::lower_bound(list.begin(), list.end(), first);
    case Which::where: return first_where > 0 ? std::min(first_where, count) : count;
    case Which::all:
    case Which::failures: return count;
  }
  return count;
}

std::int64_t trajectory_bytes(const DatasetDescription& description) {
  const std::size_t states = description.bodies.size() * (7 + 6) * sizeof(double);
  const RecordSettings& record = description.record;
  return static_cast<std::int64_t>(record.time.size() * (states + entry_bytes(description)) +
                                   record.lcp_time.size() * lcp_bytes(record));
}

std::int64_t waiting_states_bytes(const DatasetDescription& description) {
  const RecordSettings& record = description.record;
  const auto recorded = static_cast<std::int64_t>(record.bodies.size());
  if (!record.single && record.simulated_bodies == recorded) return 0;
  const auto each = static_cast<std::int64_t>((7 + 6) * sizeof(double));
  return static_cast<std::int64_t>(record.time.size()) * record.simulated_bodies * each;
}

std::int64_t shard_bytes(const DatasetDescription& description, std::int64_t samples, std::int64_t recorded) {
  std::int64_t row = 0;
  const ShardData none = make_shard(description, 0, 0);
  for_each_column(description, none, [&](const SummaryColumn&, const auto& values) { row += sizeof(values[0]); });
  return samples * row + recorded * trajectory_bytes(description);
}

std::int64_t samples_per_shard(const DatasetDescription& description) {
  constexpr std::int64_t largest_shard = 16384, largest_records = std::int64_t{1} << 30;
  const RecordSettings& record = description.record;
  if (record.which == RecordSettings::Which::none) return largest_shard;
  const bool is_listed = record.which == RecordSettings::Which::listed;
  const std::int64_t most_recorded =
      is_listed ? static_cast<std::int64_t>(record.list.size()) : record.most_of(0, largest_shard);
  std::int64_t samples = largest_shard;
  while (samples > 1 && std::min(samples, most_recorded) * trajectory_bytes(description) >= largest_records)
    samples /= 2;
  return samples;
}

std::vector<ShardRange> shard_ranges(const DatasetDescription& description, std::int64_t n) {
  const std::int64_t size = samples_per_shard(description);
  std::vector<ShardRange> ranges;
  for (std::int64_t first = 0; first < n; first += size)
    ranges.push_back({first / size, first, std::min(size, n - first)});
  return ranges;
}

std::int64_t samples_of(std::span<const ShardRange> ranges) {
  return std::accumulate(ranges.begin(), ranges.end(), std::int64_t{0},
                         [](std::int64_t sum, const ShardRange& range) { return sum + range.count; });
}

}  // namespace jostle
