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
  std::vector<hdf5::Source> trajectories;  ///< rows of /trajectory, /step and /param
  std::vector<hdf5::Source> contacts;      ///< rows of /contact
  RecordExtents recorded;                  ///< rows of all
  std::vector<std::int64_t> splits;        ///< of all contacts
};

/// The rows of contacts of the first `below` recorded samples of a shard.
void add_contacts(const std::vector<std::int64_t>& splits, std::int64_t below, const std::string& name,
                  const DatasetDescription& description, Sources& sources) {
  const std::size_t used = static_cast<std::size_t>(below) * (description.record.time.size() + 1);
  const std::int64_t rows = used == 0 ? 0 : splits[used - 1], all = splits.empty() ? 0 : splits.back();
  for (std::size_t i = 0; i < used; ++i) sources.splits.push_back(sources.recorded.rows + splits[i]);
  sources.contacts.push_back({name, static_cast<hsize_t>(rows), static_cast<hsize_t>(all)});
  sources.recorded.rows += rows;
}

Sources find_sources(const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n) {
  Sources sources;
  for (const ShardRange& range : shard_ranges(description, n)) {
    const std::string name = shard_name(range.index);
    const ShardReader shard(folder / name);
    sources.samples.push_back({name, static_cast<hsize_t>(range.count), static_cast<hsize_t>(shard.count())});
    const std::vector<std::int64_t> recorded = shard.recorded_samples();
    const std::int64_t below = rows_below(description, recorded, n, sources.recorded.samples);
    sources.trajectories.push_back({name, static_cast<hsize_t>(below), recorded.size()});
    sources.recorded.samples += below;
    if (description.record.contacts) add_contacts(shard.contact_splits(description), below, name, description, sources);
  }
  return sources;
}

void write_links(hid_t file, const DatasetDescription& description, std::int64_t n, const Sources& sources) {
  const auto make = [&](hid_t group, const char* name, const std::string& path, hid_t type,
                        const hdf5::Extents& extents, const void*) {
    const bool is_of_contacts = path.starts_with("/contact/") && path != "/contact/sample";
    const auto& rows = path.starts_with("/summary/") ? sources.samples
                       : is_of_contacts              ? sources.contacts
                                                     : sources.trajectories;
    return hdf5::write_virtual(group, name, path, type, extents, rows);
  };
  ShardData own = make_shard(description, 0, 0);
  own.contacts.splits = sources.splits;  // not those of the shards, which begin at 0
  write_groups(file, description, own, n, sources.recorded, make);
}

void copy_shard(hid_t file, const DatasetDescription& description, std::int64_t n, const ShardReader& reader) {
  const ShardData shard = reader.read(description);
  const std::int64_t below = rows_below(description, shard.trajectories.sample, n, 0);
  const auto make = [](hid_t group, const char* name, const std::string&, hid_t type, const hdf5::Extents& extents,
                       const void* data) { return hdf5::write_dataset(group, name, type, extents, data); };
  const std::size_t used = static_cast<std::size_t>(below) * (description.record.time.size() + 1);
  const std::int64_t rows = description.record.contacts && used > 0 ? shard.contacts.splits[used - 1] : 0;
  write_groups(file, description, shard, n, {below, rows}, make);
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
