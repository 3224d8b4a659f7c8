#include "drivers/program/prepared_sweep.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "drivers/errors.hpp"
#include "drivers/program/launcher_share.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/simulation.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/sweeps/training_meta.hpp"
#include "drivers/text.hpp"
#include "drivers/views/motion.hpp"

namespace jostle {
namespace {

std::int64_t sample_count(const SweepCommand& command, const Ensemble& ensemble) {
  const Scenario& scenario = ensemble.scenario();
  const std::optional<std::int64_t> own = own_sample_count(ensemble);
  if (!own) throw error_at(scenario, {}, "how many samples? Give -n, or sample.count in the scenario");
  const std::int64_t n = *own;
  if (n > most_samples) throw error_at(scenario, {}, "at most " + with_commas(most_samples) + " samples");
  if (n <= ensemble.count()) return n;
  const std::string too_many = counted(n, "sample") + " asked for, but " + end_of(ensemble);
  if (!command.count.empty()) throw UsageError("-n " + command.count + ": " + too_many);
  throw error_at(scenario, {}, too_many);
}

/// --shard and --shards.
void choose_shards(const SweepCommand& command, const Ranks& ranks, SweepOptions& options) {
  const bool is_automatic = command.shard == "auto";
  if (!command.shards.empty() && !is_automatic) throw UsageError("--shards N belongs to --shard auto");
  if (!command.shard.empty() && !is_automatic) parse_shard_part(command.shard, options);
  if (!is_automatic) return;
  const std::int64_t parts = command.shards.empty() ? 0 : whole_number("--shards", command.shards, 1, most_samples);
  const LauncherShare share = share_of_launcher(own_environment(), parts, ranks.size() > 1);
  options.shard_part = share.part;
  options.shard_parts = share.parts;
  if (ranks.rank() == 0) std::cerr << fmt::format("--shard {}/{}, from {}\n", share.part, share.parts, share.source);
}

void check_scratch(const std::filesystem::path& scratch) {
  if (!scratch.empty() && !std::filesystem::is_directory(scratch))
    throw FileError(scratch, "is no folder; --scratch names one on a disk of this machine");
}

SweepOptions sweep_options(const SweepCommand& command, const Ensemble& ensemble, Ranks& ranks) {
  SweepOptions options;
  options.n = sample_count(command, ensemble);
  options.ranks = &ranks;
  options.scratch = command.scratch;
  options.has_meta = command.generates;
  options.picture = [&ensemble](std::int64_t sample) { return start_picture(ensemble, sample); };
  check_scratch(options.scratch);
  choose_shards(command, ranks, options);
  const std::filesystem::path file = command.scenario.file;
  options.folder = !command.folder.empty()               ? std::filesystem::path(command.folder)
                   : std::filesystem::is_directory(file) ? file
                                                         : file.filename().replace_extension(".out");
  return options;
}

Ensemble read_ensemble(const SweepCommand& command) {
  ReadOptions read = read_options(command.scenario);
  if (!command.count.empty()) read.count = whole_number("-n", command.count, 1, most_samples);
  const std::string& file = command.scenario.file;
  if (command.generates && std::filesystem::is_directory(file)) {  // one that records its samples goes on as it is
    Ensemble recorded = open_ensemble(file, read, 0);
    if (recorded.scenario().record.trajectories.which != RecordedSamples::Which::none) return recorded;
  }
  if (command.generates) read.set.insert(read.set.begin(), training_records().begin(), training_records().end());
  return open_ensemble(file, read, 0);
}

}  // namespace

PreparedSweep::PreparedSweep(const SweepCommand& command, Ranks& ranks, int threads)
    : machine(prepare(command.scenario, AutoDevice::cpu, ranks.local_rank(), threads)),
      gates{parse_max_invalid(command.max_invalid), {}},
      ensemble(read_ensemble(command)),
      description(describe(ensemble)),
      options(sweep_options(command, ensemble, ranks)) {
  if (!command.fail_if.empty()) gates.fail_if.emplace(command.fail_if, description.outcomes);
}

}  // namespace jostle
