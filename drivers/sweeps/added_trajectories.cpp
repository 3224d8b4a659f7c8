#include "drivers/sweeps/added_trajectories.hpp"

#include <algorithm>
#include <iterator>

#include "drivers/datasets/dataset_layout.hpp"
#include "drivers/datasets/run_record.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/virtual_view.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/folder_lock.hpp"
#include "drivers/files/hdf5_atomic_file.hpp"
#include "drivers/parallel.hpp"
#include "drivers/sweeps/dataset_folder.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace fs = std::filesystem;
namespace {

constexpr double largest_file = 8e9;  // bytes; it is written as a whole

/// Those in the file; none if there is no file.
Trajectories read_added(const fs::path& folder, const DatasetDescription& description) {
  const fs::path path = folder / added_trajectories_name;
  if (!fs::exists(path)) return {};
  try {
    const hdf5::Handle file = hdf5::open_for_reading(path.string());
    if (has_identity(file, description)) return read_trajectories(file, path, description);
  } catch (const hdf5::Error& error) {
    throw FileError(path, std::string("is damaged: ") + error.what());
  }
  throw UsageError(path.string() + ": belongs to another dataset; move it away");
}

void write_added(const fs::path& folder, const DatasetDescription& description, const Trajectories& data) {
  hdf5::write_atomically(folder / added_trajectories_name, "trajectories", [&](hid_t root) {
    write_root_attributes(root, description);
    write_trajectories(root, description, data, static_cast<std::int64_t>(data.sample.size()), make_with_data);
  });
}

/// The numbers of all samples whose trajectories a view of the shards has, ascending.
std::vector<std::int64_t> recorded_in_shards(const fs::path& folder, const DatasetDescription& description,
                                             std::span<const ShardRange> ranges) {
  std::vector<std::int64_t> all;
  for (const ShardRange& range : ranges) {
    const std::vector<std::int64_t> own = ShardReader(folder, range).recorded_samples();
    all.insert(all.end(), own.begin(), own.begin() + rows_below(description, own, range, std::ssize(all)));
  }
  return all;
}

/// Both together, each sample once, in the order of their numbers.
Trajectories merged(const Trajectories& first, const Trajectories& second, const DatasetDescription& description) {
  const std::size_t entries = description.record.time.size() * description.bodies.size();
  Trajectories both(description.record.single);
  const auto append = [&](const Trajectories& from, std::size_t k) {
    both.sample.push_back(from.sample[k]);
    both.valid_steps.push_back(from.valid_steps[k]);
    both.q.append(from.q, 7 * entries * k, 7 * entries);
    both.v.append(from.v, 6 * entries * k, 6 * entries);
  };
  for (std::size_t i = 0, k = 0; i < first.sample.size() || k < second.sample.size();) {
    const bool takes_first =
        k == second.sample.size() || (i < first.sample.size() && first.sample[i] <= second.sample[k]);
    if (takes_first && k < second.sample.size() && first.sample[i] == second.sample[k]) ++k;
    takes_first ? append(first, i++) : append(second, k++);
  }
  return both;
}

/// While samples were simulated, another dataset may have taken the name of the folder.
void refuse_replaced(const fs::path& folder, const DatasetDescription& description) {
  const std::optional<RunRecord> record = read_run_record(folder);
  if (!record || !identity_difference(*record, make_run_record(description, record->n)).empty())
    throw FileError(folder, "does not hold the dataset any more whose samples were simulated; nothing was written");
}

/// In memory, of one sample. Times that the description leaves out are counted without making them.
double bytes_of_sample(const DatasetDescription& description, const Scenario& scenario) {
  if (!description.record.time.empty()) return static_cast<double>(trajectory_bytes(description));
  DatasetDescription at_start = description;
  at_start.record.time = {0};
  const auto times = static_cast<double>(scenario.world.steps / scenario.record.stride + 1);
  return times * static_cast<double>(trajectory_bytes(at_start));
}

void check(const DatasetDescription& description, const Scenario& scenario, std::span<const ShardRange> ranges,
           std::span<const std::int64_t> samples) {
  if (description.results_version != results_version)
    throw UsageError("its samples have results version " + std::to_string(description.results_version) +
                     ", this is version " + std::to_string(results_version) + ": the bits may differ");
  for (const std::int64_t sample : samples) {
    const bool is_there = std::any_of(ranges.begin(), ranges.end(), [&](const ShardRange& range) {
      return range.first <= sample && sample < range.first + range.count;
    });
    if (!is_there) throw UsageError("sample " + with_commas(sample) + " is not in the folder");
  }
  const double bytes = static_cast<double>(samples.size()) * bytes_of_sample(description, scenario);
  if (bytes > largest_file)
    throw UsageError(counted(static_cast<std::int64_t>(samples.size()), "sample") + " would take " + size_text(bytes) +
                     ", more than 8 GB; ask for fewer");
}

}  // namespace

std::vector<std::int64_t> find_samples(const fs::path& folder, const DatasetDescription& description,
                                       std::span<const ShardRange> ranges, const SampleCondition& condition,
                                       std::int64_t most) {
  std::vector<std::int64_t> found;
  for (const ShardRange& range : ranges) {
    const auto left = most - static_cast<std::int64_t>(found.size());
    if (left <= 0) break;
    const ShardData shard = ShardReader(folder, range).read_summary(description);
    const std::vector<std::int64_t> here = condition.find(shard, 0, range.count, left);
    found.insert(found.end(), here.begin(), here.end());
  }
  return found;
}

NewTrajectories simulate_trajectories(const fs::path& folder, const Ensemble& ensemble,
                                      const DatasetDescription& description, std::span<const ShardRange> ranges,
                                      const Machine& machine, std::span<const std::int64_t> samples,
                                      const std::atomic<bool>& stop) {
  check(description, ensemble.scenario(), ranges, samples);
  NewTrajectories made;
  made.description = description;
  if (description.record.time.empty()) made.description.record.time = recorded_times(ensemble.scenario());
  const Trajectories before = read_added(folder, made.description);
  std::vector<std::int64_t> known = recorded_in_shards(folder, description, ranges), missing;
  known.insert(known.end(), before.sample.begin(), before.sample.end());
  std::sort(known.begin(), known.end());
  std::set_difference(samples.begin(), samples.end(), known.begin(), known.end(), std::back_inserter(missing));
  if (!missing.empty()) static_cast<void>(FolderLock(folder));  // what it refuses, it refuses before the work

  made.there = static_cast<std::int64_t>(samples.size() - missing.size());
  made.in_file = static_cast<std::int64_t>(before.sample.size());
  ShardData repeated = make_shard(made.description, 0, 0);
  const ThreadCount threads(machine.threads());
  const SimulationProducer producer(ensemble, made.description, machine.backend(ensemble.model()));
  made.is_complete = producer.repeat(missing, repeated, stop);
  made.data = std::move(repeated.trajectories);
  return made;
}

AddedTrajectories write_new_trajectories(const fs::path& folder, const NewTrajectories& made) {
  AddedTrajectories report{static_cast<std::int64_t>(made.data.sample.size()), made.there, made.in_file,
                           made.is_complete};
  if (report.added == 0) return report;
  const FolderLock lock(folder);
  const auto held = lock.folder();
  refuse_replaced(folder, made.description);
  remove_stale_files(folder, lock);
  // Another call may have added others meanwhile.
  const Trajectories all = merged(read_added(folder, made.description), made.data, made.description);
  write_added(folder, made.description, all);
  report.in_file = static_cast<std::int64_t>(all.sample.size());
  return report;
}

AddedTrajectories add_trajectories(const fs::path& folder, const Ensemble& ensemble,
                                   const DatasetDescription& description, std::span<const ShardRange> ranges,
                                   const Machine& machine, std::span<const std::int64_t> samples,
                                   const std::atomic<bool>& stop) {
  return write_new_trajectories(folder,
                                simulate_trajectories(folder, ensemble, description, ranges, machine, samples, stop));
}

}  // namespace jostle
