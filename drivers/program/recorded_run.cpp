#include "drivers/program/recorded_run.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>

#include "drivers/datasets/run_record.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/sha256.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/text.hpp"
#include "drivers/views/motion.hpp"
#include "scenarios/format/canonical.hpp"
#include "scenarios/sampling/table.hpp"

namespace jostle {
namespace fs = std::filesystem;
namespace {

RunRecord record_in(const fs::path& folder) {
  if (auto record = read_run_record(folder)) return *std::move(record);
  throw UsageError(folder.string() + ":1:1: is a directory, neither a scenario file nor the folder of a sweep");
}

bool sets_the_table(const std::vector<std::string>& set) {
  return std::any_of(set.begin(), set.end(), [](const std::string& option) {
    const std::string key = option.substr(0, option.find('='));
    return key == "sample" || key == "sample.table" || key == "sample.method";
  });
}

/// The canonical text of a scenario with this many samples.
std::string canonical_text(Scenario scenario, std::int64_t n) {
  scenario.sample.count = n;
  return canonical_yaml(scenario, false);
}

/// The samples that the folder is for: those of its record, or more if a job extends it.
std::int64_t samples_wanted(const RunRecord& record, const std::vector<Job>& jobs) {
  std::int64_t n = record.n;
  for (const Job& job : jobs)
    if (job.identity == identity_of(record)) n = std::max(n, job.samples);
  return n;
}

Scenario recorded_scenario(const fs::path& folder, const RunRecord& record, ReadOptions options) {
  if (!options.seed) options.seed = record.seed;
  Scenario scenario = read_scenario((folder / "scenario.yaml").string(), options);
  if (options.set.empty() && canonical_text(scenario, record.n) != record.scenario)
    throw UsageError((folder / "scenario.yaml").string() + ":1:1: is not the scenario that run.json recorded");
  // The path of the table in the scenario is relative to a file in another folder.
  if (!record.table_path.empty() && !sets_the_table(options.set)) scenario.sample.table_place = record.table_path;
  return scenario;
}

/// Warns on stderr if the folder does not hold this sample: then no row of its summary shows this run.
void warn_of_differences(const fs::path& folder, const RunRecord& record, const Ensemble& ensemble,
                         std::int64_t sample) {
  if (record.results_version != results_version)
    spdlog::warn("{}: written with results version {}, this is version {}: the bits may differ", folder.string(),
                 record.results_version, results_version);
  const Scenario& scenario = ensemble.scenario();
  if (canonical_text(scenario, record.n) != record.scenario)
    spdlog::warn("{}: with --set this is not a sample of the folder", folder.string());
  else if (canonical_yaml(scenario, false) != record.scenario)  // the count is part of a Latin hypercube's identity
    spdlog::warn("{}: is a Latin hypercube of {}; one of {} has other samples", folder.string(),
                 counted(record.n, "sample"), with_commas(scenario.sample.count));
  if (sample >= ensemble.count()) return;
  const auto draws_the_same = [&] {
    Scenario with_its_seed = scenario;
    with_its_seed.sample.seed = record.seed;
    return Ensemble(std::move(with_its_seed)).draw(sample) == ensemble.draw(sample);
  };
  if (scenario.sample.seed != record.seed && !draws_the_same())
    spdlog::warn("{}: its seed is {}, so with --seed {} this is no longer its sample", folder.string(), record.seed,
                 scenario.sample.seed);
  if (sample >= record.n)
    spdlog::warn("{}: has {} (numbered from 0); sample {} is not one of them", folder.string(),
                 counted(record.n, "sample"), with_commas(sample));
}

/// The points of meshes are in the record, so that nothing else depends on their files.
void warn_of_meshes(const fs::path& folder, const RunRecord& record) {
  for (const MeshFile& mesh : record.meshes) {
    std::error_code none;
    if (!fs::is_regular_file(mesh.path, none) || sha256_hex(read_text_file(mesh.path)) == mesh.sha256) continue;
    spdlog::warn("{}: {} has changed since the sweep, whose points are used", folder.string(), mesh.path);
  }
}

}  // namespace

Ensemble open_ensemble(const fs::path& path, ReadOptions options, std::int64_t sample, Ensemble::Start start) {
  if (!fs::is_directory(path)) return Ensemble(read_scenario(path.string(), options), start);
  const RunRecord record = record_in(path);
  const bool own_table = sets_the_table(options.set);
  Ensemble ensemble(recorded_scenario(path, record, std::move(options)));
  if (!own_table && ensemble.table() && sha256_hex(ensemble.table()->bytes()) != record.table_sha256)
    throw UsageError(record.table_path + ":1:1: the table has changed since " + path.string() + " was written");
  warn_of_meshes(path, record);
  warn_of_differences(path, record, ensemble, sample);
  return ensemble;
}

std::string end_of(const Ensemble& ensemble) {
  if (ensemble.table()) return "the table has " + counted(ensemble.count(), "row");
  if (ensemble.count() == std::numeric_limits<std::int64_t>::max()) return "the largest is one less";
  return "the Latin hypercube has " + counted(ensemble.count(), "sample");
}

void check_that_it_has(std::int64_t sample, const Ensemble& ensemble) {
  if (sample >= ensemble.count())
    throw UsageError("--sample: there is no sample " + std::to_string(sample) + ", " + end_of(ensemble));
}

Picture picture_of(const fs::path& folder) {
  return [folder](std::int64_t sample) -> nlohmann::ordered_json {
    try {
      return start_picture(Ensemble(recorded_scenario(folder, record_in(folder), {})), sample);
    } catch (const ScenarioError&) {
      return {};  // the table of its sampler need not be there any more
    }
  };
}

std::string reason_in(const fs::path& folder, std::int64_t sample, Status status) {
  if (status != Status::bad_parameters && status != Status::overlap) return {};
  try {
    const RunRecord record = record_in(folder);
    const Ensemble ensemble(recorded_scenario(folder, record, {}));
    if (ensemble.table() && sha256_hex(ensemble.table()->bytes()) != record.table_sha256) return {};
    return ensemble.reason(ensemble.draw(sample), status);
  } catch (const ScenarioError&) {
    return {};  // the table of its sampler need not be there any more
  }
}

RecordedDataset describe_dataset(const fs::path& folder, const std::vector<Job>& jobs) {
  if (!fs::is_directory(folder)) throw UsageError(folder.string() + ":1:1: is not the folder of a sweep");
  const RunRecord record = record_in(folder);
  if (record.format != dataset_format)
    throw UsageError(folder.string() + ":1:1: its data have format " + std::to_string(record.format) +
                     ", this program reads format " + std::to_string(dataset_format) +
                     "; repeat the sweep into another folder, its scenario.yaml and seed are there");
  Scenario scenario = recorded_scenario(folder, record, {});
  const std::int64_t n = samples_wanted(record, jobs);
  if (n > record.n) {
    scenario.sample.count = n;
    scenario.canonical = canonical_yaml(scenario);
  }
  RecordedDataset dataset{describe(scenario), {}, n, {}};
  for (const VariedSpec& varied : scenario.sample.vary) dataset.varied.push_back(varied.name);
  dataset.description.table_sha256 = record.table_sha256;
  dataset.description.table_path = record.table_path;
  dataset.description.meshes = record.meshes;
  dataset.description.results_version = record.results_version;
  return dataset;
}

RecordedDataset open_dataset(const fs::path& folder) {
  RecordedDataset dataset = describe_dataset(folder, {});
  for (const ShardRange& range : shard_ranges(dataset.description, dataset.n)) {
    const fs::path path = folder / shard_name(range.index);
    const FoundShard shard = find_shard(path, dataset.description, range);
    if (shard.state == FoundShard::State::broken)
      throw FileError(path, shard.reason + "; a sweep makes this shard again");
    if (shard.state != FoundShard::State::missing)
      dataset.ranges.push_back({range.index, range.first, std::min(shard.count, range.count)});
  }
  if (dataset.ranges.empty()) throw UsageError(folder.string() + ":1:1: has no samples yet");
  return dataset;
}

}  // namespace jostle
