#include "drivers/commands/sweep_plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/batch/batch.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

constexpr std::int64_t drawn_samples = 3;
constexpr int fixed_columns = 8;              // sample, status, steps, end_time, pivots_max, ...
constexpr double csv_bytes_per_number = 18;   // as most doubles are written
constexpr double statistics_per_sample = 17;  // bytes, while the end report is made
constexpr double measured_seconds = 0.5;
constexpr double program_bytes = 40e6;  // with its libraries, before the first sample

double recorded_samples(const DatasetDescription& description, const std::vector<ShardRange>& ranges) {
  double recorded = 0;
  for (const ShardRange& range : ranges) {
    if (description.record.which == RecordSettings::Which::all) recorded += static_cast<double>(range.count);
    if (description.record.which != RecordSettings::Which::first) continue;
    recorded +=
        static_cast<double>(std::clamp<std::int64_t>(description.record.trajectories - range.first, 0, range.count));
  }
  return recorded;
}

/// Bytes of samples in a shard, trajectories left out.
double row_bytes(const DatasetDescription& description) {
  return 8.0 * static_cast<double>(description.variables.size() + description.outcomes.size() + fixed_columns);
}

/// s per sample, from as many samples as take half a second, or from the first steps of a few; less than that if the
/// sweep is smaller. 0 if stopped.
double measure(const Ensemble& ensemble, std::int64_t samples, const Backend& backend, const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  const std::int64_t steps = ensemble.model().total_steps;
  const auto begin = Clock::now();
  double seconds = 0, steps_done = 0;
  std::int64_t done = 0;
  for (int part = 4; done < samples && seconds < measured_seconds; part *= 2) {
    const int count = static_cast<int>(std::min<std::int64_t>(part, samples - done));
    Batch batch(ensemble.model(), count);
    for (int i = 0; i < count; ++i) ensemble.load(done + i, batch, i);
    std::int64_t step = 0;
    while (step < steps && seconds < measured_seconds) {
      step = std::min(steps, step + 400);
      if (!backend.run(batch, static_cast<int>(step), &stop)) return 0;
      seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    done += count;
    steps_done += static_cast<double>(step) * count;
  }
  return seconds / steps_done * static_cast<double>(steps);
}

}  // namespace

SweepPlan plan_sweep(const Ensemble& ensemble, const DatasetDescription& description,
                     const std::vector<ShardRange>& ranges, const Backend& backend, const std::atomic<bool>& stop) {
  SweepPlan plan;
  plan.steps = ensemble.model().total_steps;
  plan.shards = static_cast<std::int64_t>(ranges.size());
  double largest_shard = 0;
  for (const ShardRange& range : ranges) {
    plan.samples += range.count;
    const double trajectories =
        recorded_samples(description, {range}) * static_cast<double>(trajectory_bytes(description));
    largest_shard = std::max(largest_shard, static_cast<double>(range.count) * row_bytes(description) + trajectories);
  }
  if (ranges.empty()) return plan;
  const auto samples = static_cast<double>(plan.samples);
  plan.first_sample = ranges[0].first;
  for (std::int64_t i = plan.first_sample; i < plan.first_sample + std::min(drawn_samples, ranges[0].count); ++i)
    plan.draws.push_back(ensemble.draw(i));
  plan.disk_bytes = samples * row_bytes(description) * (1 + csv_bytes_per_number / 8) +
                    recorded_samples(description, ranges) * static_cast<double>(trajectory_bytes(description));
  // A shard lies in memory twice when it is written: as columns and as the image of its file.
  plan.memory_bytes = program_bytes + 2 * largest_shard + samples * statistics_per_sample;
  plan.seconds = samples * measure(ensemble, plan.samples, backend, stop);
  return plan;
}

std::string plan_text(const SweepPlan& plan, const DatasetDescription& description) {
  std::string text = fmt::format("{} of {} in {}\n", counted(plan.samples, "sample"), counted(plan.steps, "step"),
                                 counted(plan.shards, "shard"));
  for (std::size_t sample = 0; sample < plan.draws.size(); ++sample) {
    text += fmt::format("sample {}:", plan.first_sample + static_cast<std::int64_t>(sample));
    for (std::size_t i = 0; i < description.variables.size(); ++i)
      text += fmt::format("{} {} = {:.6g}", i > 0 ? "," : "", description.variables[i], plan.draws[sample][i]);
    text += description.variables.empty() ? " no variables\n" : "\n";
  }
  const char* failures = description.record.which == RecordSettings::Which::failures ? " and the failures" : "";
  text += fmt::format("time: about {}\nmemory: about {}\n", duration_text(plan.seconds), size_text(plan.memory_bytes));
  if (plan.device_bytes_per_system > 0)
    text += fmt::format("memory of the GPU: {} a system{}\n", size_text(plan.device_bytes_per_system),
                        plan.device_bytes_per_record > 0
                            ? fmt::format(", and {} where it is recorded", size_text(plan.device_bytes_per_record))
                            : "");
  return text + fmt::format("disk: about {}{}\nnothing was written\n", size_text(plan.disk_bytes), failures);
}

std::string plan_json(const SweepPlan& plan, const DatasetDescription& description) {
  nlohmann::ordered_json json{{"samples", plan.samples}, {"steps", plan.steps}, {"shards", plan.shards}};
  json["draws"] = nlohmann::ordered_json::array();
  for (const std::vector<double>& draw : plan.draws) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < draw.size(); ++i) values[description.variables[i]] = draw[i];
    json["draws"].push_back(values);
  }
  json["seconds"] = plan.seconds;
  json["memory_bytes"] = plan.memory_bytes;
  if (plan.device_bytes_per_system > 0) json["device_bytes_per_system"] = plan.device_bytes_per_system;
  if (plan.device_bytes_per_record > 0) json["device_bytes_per_record"] = plan.device_bytes_per_record;
  json["disk_bytes"] = plan.disk_bytes;
  return json.dump(2) + '\n';
}

}  // namespace jostle
