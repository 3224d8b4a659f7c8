#include "drivers/program/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/batch/batch.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/errors.hpp"
#include "drivers/memory.hpp"
#include "drivers/reports/samples.hpp"
#include "drivers/statistics/run_statistics.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

constexpr std::size_t drawn_samples = 3;
constexpr double csv_bytes_per_number = 18;  // length of most doubles as text
constexpr double measured_seconds = 0.5;
constexpr double program_bytes = 40e6;  // with its libraries, before the first sample

/// Whether only the results tell how many samples are recorded.
bool has_unknown_records(const RecordSettings& record) {
  return record.which == RecordSettings::Which::failures ||
         (record.which == RecordSettings::Which::where && record.first_where == 0);
}

std::int64_t recorded_samples(const DatasetDescription& description, const std::vector<ShardRange>& ranges) {
  std::int64_t recorded = 0;
  for (const ShardRange& range : ranges) {
    if (has_unknown_records(description.record)) continue;
    recorded += description.record.most_of(range.first, range.count);
  }
  return recorded;
}

/// Bytes of a line in summary.csv.
double line_bytes(const DatasetDescription& description) {
  std::size_t columns = 1;  // `sample`
  const ShardData none = make_shard(description, 0, 0);
  for_each_column(description, none, [&](const SummaryColumn&, const auto&) { ++columns; });
  return csv_bytes_per_number * static_cast<double>(columns);
}

/// Simulates samples, or the first steps of a few, for half a second; fewer if the sweep is smaller. If these were not
/// whole, the first three are simulated to their end.
class Trial {
 public:
  Trial(const Ensemble& ensemble, SweepPlan& plan) : ensemble_(ensemble), plan_(plan) {}

  void run(const Backend& backend, const std::atomic<bool>* stop) {
    for (std::int64_t part = 4; plan_.tried < plan_.needs.samples && seconds() < measured_seconds; part *= 2) {
      const auto count = static_cast<int>(std::min(part, plan_.needs.samples - plan_.tried));
      if (!take(count, backend, stop)) return;
    }
    plan_.seconds =
        seconds() / steps_done_ * static_cast<double>(plan_.steps) * static_cast<double>(plan_.needs.samples);
    if (fewest_steps_ < plan_.steps) plan_.seconds *= cost_of_the_rest(stop);
  }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  /// False if stopped.
  bool take(int count, const Backend& backend, const std::atomic<bool>* stop) {
    Batch batch(ensemble_.model(), count);
    for (int i = 0; i < count; ++i) ensemble_.load(plan_.first_sample + plan_.tried + i, batch, i);
    std::int64_t step = 0;
    while (step < plan_.steps && (step == 0 || seconds() < measured_seconds)) {
      step = std::min(plan_.steps, step + 400);
      if (!backend.run(batch, static_cast<int>(step), stop)) return false;
    }
    for (int i = 0; i < count; ++i) {
      plan_.invalid += batch.status(i) != Status::ok;
      if (plan_.masses.empty() && batch.status(i) != Status::bad_parameters) {
        const ModelView view = ensemble_.model().view(0);
        plan_.masses = masses_of(ensemble_, batch.parameters(i));
        plan_.mechanism = mechanism_of(ensemble_, batch.system(view, i));
      }
      if (plan_.draws.size() < drawn_samples) keep(batch, i);
    }
    plan_.tried += count;
    steps_done_ += static_cast<double>(step) * count;
    fewest_steps_ = std::min(fewest_steps_, step);
    return true;
  }

  /// What a step of three whole samples costs, on one thread, over what one of their first steps does: impacts and
  /// contacts come later. Of a sample that takes longer than a few seconds, as much as these allow.
  double cost_of_the_rest(const std::atomic<bool>* stop) const {
    constexpr double longest = 3;  // s, of a sample
    double of_all = 0, of_first = 0;
    const auto samples = static_cast<int>(std::min<std::int64_t>(drawn_samples, plan_.needs.samples));
    for (int i = 0; i < samples; ++i) {
      Batch batch(ensemble_.model(), 1);
      ensemble_.load(plan_.first_sample + i, batch, 0);
      WorkspaceMemory memory(ensemble_.model(), 0);
      const Clock::time_point begin = Clock::now();
      const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
      run_system(batch, 0, static_cast<int>(fewest_steps_), memory);
      of_first += spent() / static_cast<double>(fewest_steps_);
      std::int64_t step = fewest_steps_;
      for (; step < plan_.steps && spent() < longest && !(stop && *stop); step = std::min(plan_.steps, step + 400))
        run_system(batch, 0, static_cast<int>(std::min(plan_.steps, step + 400)), memory);
      of_all += spent() / static_cast<double>(step);
    }
    return of_first > 0 ? of_all / of_first : 1;
  }

  void keep(Batch& batch, int i) {
    TriedSample sample{ensemble_.draw(plan_.first_sample + plan_.tried + i), batch.status(i), {}};
    if (const auto fault = ensemble_.fault(sample.variables, sample.status))
      sample.reason = error_at(ensemble_.scenario(), fault->where, fault->message).what();
    plan_.draws.push_back(std::move(sample));
  }

  const Ensemble& ensemble_;
  SweepPlan& plan_;
  const Clock::time_point begin_ = Clock::now();
  double steps_done_ = 0;
  std::int64_t fewest_steps_ = std::numeric_limits<std::int64_t>::max();  ///< of a sample
};

/// Bytes of the files below a folder; 0 if it does not exist.
double bytes_below(const std::filesystem::path& folder) {
  double bytes = 0;
  std::error_code ignored;
  constexpr auto skip = std::filesystem::directory_options::skip_permission_denied;
  std::filesystem::recursive_directory_iterator entry(folder, skip, ignored);
  for (; entry != std::filesystem::recursive_directory_iterator(); entry.increment(ignored))
    if (entry->is_regular_file(ignored)) bytes += static_cast<double>(entry->file_size(ignored));
  return bytes;
}

/// Free bytes of the disk of a folder, which may not exist yet.
double free_bytes(std::filesystem::path folder) {
  std::error_code error;
  folder = std::filesystem::absolute(folder);
  while (!std::filesystem::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  return error ? std::numeric_limits<double>::infinity() : static_cast<double>(space.available);
}

constexpr const char* what_needs_less = "try fewer samples, fewer trajectories or a larger record.stride";

}  // namespace

SweepNeeds needs_of(const DatasetDescription& description, const SweepOptions& options, int largest_batch) {
  const std::vector<ShardRange> ranges = own_ranges(description, options);
  SweepNeeds needs;
  needs.shards = static_cast<std::int64_t>(ranges.size());
  std::int64_t largest_shard = 0, waiting = 0;
  for (const ShardRange& range : ranges) {
    needs.samples += range.count;
    const std::int64_t recorded = recorded_samples(description, {range});
    largest_shard = std::max(largest_shard, shard_bytes(description, range.count, recorded));
    waiting = std::max(waiting, std::min<std::int64_t>(recorded, largest_batch) * waiting_states_bytes(description));
  }
  if (ranges.empty()) return needs;
  const auto samples = static_cast<double>(needs.samples);
  needs.shard_bytes =
      static_cast<double>(shard_bytes(description, needs.samples, recorded_samples(description, ranges)));
  needs.disk_bytes = needs.shard_bytes + samples * line_bytes(description);
  // The process that finds the last shard computes the statistics of all samples.
  needs.memory_bytes =
      program_bytes + static_cast<double>(largest_shard + waiting + statistics_bytes(description, options.n));
  return needs;
}

void check_room(const SweepOptions& options, const SweepNeeds& needs) {
  const double disk = free_bytes(options.folder), memory = memory_of_machine();
  // summary.csv is an estimate: if it may fit, the sweep starts.
  if (needs.shard_bytes > disk && needs.shard_bytes > disk + bytes_below(options.folder))
    throw FileError(options.folder, fmt::format("the sweep needs about {}, but only {} are free; {}",
                                                size_text(needs.disk_bytes), size_text(disk), what_needs_less));
  if (needs.memory_bytes > memory)
    throw FileError(options.folder, fmt::format("the sweep needs about {} of memory, but there are only {}; {}",
                                                size_text(needs.memory_bytes), size_text(memory), what_needs_less));
}

SweepPlan plan_sweep(const Ensemble& ensemble, const DatasetDescription& description, const SweepOptions& options,
                     const Backend& backend, int largest_batch) {
  SweepPlan plan;
  plan.needs = needs_of(description, options, largest_batch);
  plan.steps = ensemble.model().total_steps;
  const std::vector<ShardRange> ranges = own_ranges(description, options);
  if (ranges.empty()) return plan;
  plan.first_sample = ranges[0].first;
  Trial(ensemble, plan).run(backend, options.stop);
  return plan;
}

std::string plan_text(const SweepPlan& plan, const DatasetDescription& description) {
  std::string text = fmt::format("{} of {} in {}\n", counted(plan.needs.samples, "sample"), counted(plan.steps, "step"),
                                 counted(plan.needs.shards, "shard"));
  std::int64_t number = plan.first_sample;
  for (const TriedSample& sample : plan.draws) {
    text += fmt::format("sample {}:", number++);
    const char* before = " ";
    for (const auto& [name, value] : shown_variables(description.variables, sample.variables)) {
      text += fmt::format("{}{} = {:.6g}", before, name, value);
      before = ", ";
    }
    if (description.variables.empty()) text += " no variables";
    if (sample.status != Status::ok) text += fmt::format("; {}", name_of(sample.status));
    if (!sample.reason.empty()) text += fmt::format(": {}", sample.reason);
    text += '\n';
  }
  if (!plan.masses.empty()) text += "bodies of the first sample:\n" + text_of(plan.masses);
  text += text_of(plan.mechanism);
  if (plan.invalid > 0)
    text += fmt::format("invalid: {} of the first {}\n", plan.invalid, counted(plan.tried, "sample"));
  const char* unknown = !has_unknown_records(description.record)                      ? ""
                        : description.record.which == RecordSettings::Which::failures ? " and the failures"
                                                                                      : " and the trajectories";
  text += fmt::format("time: about {}\nmemory: about {}\n", duration_text(plan.seconds),
                      size_text(plan.needs.memory_bytes));
  if (plan.device_bytes_per_system > 0)
    text += fmt::format("memory of the GPU: {} a system{}\n", size_text(plan.device_bytes_per_system),
                        plan.device_bytes_per_record > 0
                            ? fmt::format(", and {} where it is recorded", size_text(plan.device_bytes_per_record))
                            : "");
  return text + fmt::format("disk: about {}{}\nnothing was written\n", size_text(plan.needs.disk_bytes), unknown);
}

std::string plan_json(const SweepPlan& plan, const DatasetDescription& description) {
  nlohmann::ordered_json json{{"samples", plan.needs.samples}, {"steps", plan.steps}, {"shards", plan.needs.shards}};
  json["draws"] = nlohmann::ordered_json::array();
  json["draw_statuses"] = nlohmann::ordered_json::array();
  for (const TriedSample& sample : plan.draws) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < sample.variables.size(); ++i) values[description.variables[i]] = sample.variables[i];
    json["draws"].push_back(values);
    json["draw_statuses"].push_back(name_of(sample.status));
  }
  json["bodies"] = nlohmann::ordered_json::parse(json_text_of(plan.masses));
  if (plan.mechanism.has_joints()) json["joints"] = nlohmann::ordered_json::parse(json_text_of(plan.mechanism));
  json["tried"] = plan.tried;
  json["invalid"] = plan.invalid;
  json["seconds"] = plan.seconds;
  json["memory_bytes"] = plan.needs.memory_bytes;
  if (plan.device_bytes_per_system > 0) json["device_bytes_per_system"] = plan.device_bytes_per_system;
  if (plan.device_bytes_per_record > 0) json["device_bytes_per_record"] = plan.device_bytes_per_record;
  json["disk_bytes"] = plan.needs.disk_bytes;
  return json.dump(2) + '\n';
}

}  // namespace jostle
