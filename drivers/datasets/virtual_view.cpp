#include "drivers/datasets/virtual_view.hpp"

#include <algorithm>

#include "drivers/datasets/dataset_layout.hpp"
#include "drivers/datasets/hdf5_atomic_file.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"

namespace jostle {
namespace {

/// The rows of a shard's trajectories that belong to a view of n samples with `before` trajectories of other shards.
/// Samples are recorded in the order of their numbers, so those below n come first.
std::int64_t rows_below(const DatasetDescription& description, const std::vector<std::int64_t>& recorded,
                        std::int64_t n, std::int64_t before) {
  const auto below = std::lower_bound(recorded.begin(), recorded.end(), n) - recorded.begin();
  const RecordSettings& record = description.record;
  const bool is_bounded = record.which == RecordSettings::Which::where && record.first_where > 0;
  return is_bounded ? std::min<std::int64_t>(below, record.first_where - before) : below;
}

/// The part of each shard that belongs to the view.
struct Sources {
  std::vector<hdf5::Source> samples;       ///< rows of /summary
  std::vector<hdf5::Source> trajectories;  ///< rows of /trajectory
  std::int64_t recorded = 0;               ///< rows of all trajectories
};

Sources find_sources(const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n) {
  Sources sources;
  for (const ShardRange& range : shard_ranges(description, n)) {
    const std::string name = shard_name(range.index);
    const ShardReader shard(folder / name);
    sources.samples.push_back({name, static_cast<hsize_t>(range.count), static_cast<hsize_t>(shard.count())});
    const std::vector<std::int64_t> recorded = shard.recorded_samples();
    const std::int64_t below = rows_below(description, recorded, n, sources.recorded);
    sources.trajectories.push_back({name, static_cast<hsize_t>(below), recorded.size()});
    sources.recorded += below;
  }
  return sources;
}

void write_links(hid_t file, const DatasetDescription& description, std::int64_t n, const Sources& sources) {
  const auto make = [&](hid_t group, const char* name, const std::string& path, hid_t type,
                        const hdf5::Extents& extents, const void*) {
    const auto& rows = path.starts_with("/summary/") ? sources.samples : sources.trajectories;
    return hdf5::write_virtual(group, name, path, type, extents, rows);
  };
  write_groups(file, description, make_shard(description, 0, 0), n, sources.recorded, make);
}

void copy_shard(hid_t file, const DatasetDescription& description, std::int64_t n, const ShardReader& reader) {
  const ShardData shard = reader.read(description);
  const std::int64_t below = rows_below(description, shard.trajectories.sample, n, 0);
  const auto make = [](hid_t group, const char* name, const std::string&, hid_t type, const hdf5::Extents& extents,
                       const void* data) { return hdf5::write_dataset(group, name, type, extents, data); };
  write_groups(file, description, shard, n, below, make);
}

void fill(hid_t file, const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n) {
  write_root_attributes(file, description);
  hdf5::set_attribute(file, "first_sample", std::int64_t{0});
  hdf5::set_attribute(file, "count", n);
  if (shard_ranges(description, n).size() == 1)
    copy_shard(file, description, n, ShardReader(folder / shard_name(0)));
  else
    write_links(file, description, n, find_sources(folder, description, n));
}

}  // namespace

void write_virtual_view(const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n) {
  hdf5::write_atomically(folder / "run.h5", "view", [&](hid_t file) { fill(file, folder, description, n); });
}

}  // namespace jostle
