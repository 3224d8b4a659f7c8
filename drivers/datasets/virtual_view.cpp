#include "drivers/datasets/virtual_view.hpp"

#include <algorithm>

#include "drivers/datasets/dataset_layout.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/hdf5_atomic_file.hpp"

namespace jostle {
namespace {

/// Rows that splits divide, of all shards.
struct RaggedSource {
  std::vector<hdf5::Source> rows;
  std::vector<std::int64_t> splits;
  std::int64_t count = 0;

  /// Those of the first `below` recorded samples of a shard, which has `times` entries of each sample.
  void add(const std::string& name, const std::vector<std::int64_t>& own, std::int64_t below, std::size_t times) {
    const std::size_t used = static_cast<std::size_t>(below) * (times + 1);
    const std::int64_t taken = used == 0 ? 0 : own[used - 1], all = own.empty() ? 0 : own.back();
    for (std::size_t i = 0; i < used; ++i) splits.push_back(count + own[i]);
    rows.push_back({name, static_cast<hsize_t>(taken), static_cast<hsize_t>(all)});
    count += taken;
  }
};

/// The part of each shard that belongs to the view.
struct Sources {
  std::vector<hdf5::Source> samples;       ///< rows of /summary
  std::vector<hdf5::Source> trajectories;  ///< rows of /trajectory, /step and /param
  std::int64_t recorded = 0;               ///< of all
  RaggedSource contacts, lcps, matrices;   ///< rows of /contact and /lcp, numbers of /lcp/M

  const std::vector<hdf5::Source>& of(const std::string& path) const {
    if (path.starts_with("/summary/")) return samples;
    if (path.ends_with("/sample")) return trajectories;
    if (path.starts_with("/contact/")) return contacts.rows;
    if (path == "/lcp/" + lcp_matrix_column().name) return matrices.rows;
    return path.starts_with("/lcp/") ? lcps.rows : trajectories;
  }
  RecordExtents extents() const { return {recorded, contacts.count, lcps.count, matrices.count}; }
};

Sources find_sources(const std::filesystem::path& folder, const DatasetDescription& description,
                     std::span<const ShardRange> ranges) {
  Sources sources;
  for (const ShardRange& range : ranges) {
    const std::string name = shard_name(range.index);
    const ShardReader shard(folder, range);
    sources.samples.push_back({name, static_cast<hsize_t>(range.count), static_cast<hsize_t>(shard.count())});
    const std::vector<std::int64_t> recorded = shard.recorded_samples();
    const std::int64_t below = rows_below(description, recorded, range, sources.recorded);
    sources.trajectories.push_back({name, static_cast<hsize_t>(below), recorded.size()});
    sources.recorded += below;
    const RecordSettings& record = description.record;
    if (record.contacts) sources.contacts.add(name, shard.contact_splits(description), below, record.time.size());
    if (!record.has_lcps()) continue;
    sources.lcps.add(name, shard.lcp_splits(description), below, record.lcp_time.size());
    sources.matrices.add(name, shard.matrix_splits(description), below, record.lcp_time.size());
  }
  return sources;
}

void write_links(hid_t file, const DatasetDescription& description, std::int64_t samples, const Sources& sources) {
  const auto make = [&](hid_t group, const char* name, const std::string& path, hid_t type,
                        const hdf5::Extents& extents, const void*) {
    return hdf5::write_virtual(group, name, path, type, extents, sources.of(path));
  };
  ShardData own = make_shard(description, 0, 0);
  own.contacts.splits = sources.contacts.splits;  // not those of the shards, which begin at 0
  own.lcps.splits = sources.lcps.splits, own.lcps.matrix_splits = sources.matrices.splits;
  write_groups(file, description, own, samples, sources.extents(), make);
}

void copy_part_of_shard(hid_t file, const DatasetDescription& description, const ShardRange& range,
                        const ShardReader& reader) {
  const ShardData shard = reader.read(description);
  const std::int64_t below = rows_below(description, shard.trajectories.sample, range, 0);
  const auto rows_of = [&](const std::vector<std::int64_t>& splits, std::size_t times) {
    const std::size_t used = static_cast<std::size_t>(below) * (times + 1);
    return splits.empty() || used == 0 ? 0 : splits[used - 1];
  };
  const std::size_t times = description.record.time.size(), lcp_times = description.record.lcp_time.size();
  const RecordExtents extents{below, rows_of(shard.contacts.splits, times), rows_of(shard.lcps.splits, lcp_times),
                              rows_of(shard.lcps.matrix_splits, lcp_times)};
  write_groups(file, description, shard, range.count, extents, make_with_data);
}

void fill(hid_t file, const std::filesystem::path& folder, const DatasetDescription& description,
          std::span<const ShardRange> ranges) {
  const std::int64_t samples = samples_of(ranges);
  write_root_attributes(file, description);
  hdf5::set_attribute(file, "first_sample", ranges[0].first);
  hdf5::set_attribute(file, "count", samples);
  if (ranges.size() > 1)
    write_links(file, description, samples, find_sources(folder, description, ranges));
  else
    copy_part_of_shard(file, description, ranges[0], ShardReader(folder, ranges[0]));
}

}  // namespace

// Samples are recorded in the order of their numbers, so those of the range come first.
std::int64_t rows_below(const DatasetDescription& description, std::span<const std::int64_t> recorded,
                        const ShardRange& range, std::int64_t before) {
  const auto below = std::lower_bound(recorded.begin(), recorded.end(), range.first + range.count) - recorded.begin();
  const RecordSettings& record = description.record;
  const bool is_bounded = record.which == RecordSettings::Which::where && record.first_where > 0;
  return is_bounded ? std::min<std::int64_t>(below, record.first_where - before) : below;
}

void write_virtual_view(const std::filesystem::path& folder, const DatasetDescription& description,
                        std::span<const ShardRange> ranges) {
  const std::filesystem::path view = folder / "run.h5", shard = folder / shard_name(ranges[0].index);
  if (ranges.size() == 1 && ShardReader(folder, ranges[0]).count() == ranges[0].count)
    return link_file(shard, view, "view");
  hdf5::write_atomically(view, "view", [&](hid_t file) { fill(file, folder, description, ranges); });
}

}  // namespace jostle
