#pragma once
// The layout of a file, for shards and for the virtual view over them:
//
//   /            attributes: format, results_version, scenario, scenario_sha256, seed, sampler, table_sha256,
//                method, step, quaternion_order, units, first_sample, count; digest (in a shard);
//                model (feature_names.hpp; with /contact or /lcp)
//   /summary     sample, variables, outcomes, status, steps, ... (summary_columns.hpp); dimension `sample`
//   /trajectory  sample, time, body, pose, twist (dimensions); valid_steps[sample],
//                q[sample, time, body, pose], v[sample, time, body, twist]; only if the dataset records
//   /param, /step, /contact, /lcp   of the same samples (step_records.hpp); only if the dataset has them
#include <functional>

#include "drivers/datasets/dataset.hpp"
#include "drivers/files/hdf5.hpp"

namespace jostle {

/// Creates the dataset `name` in `group`; `path` is its full name. A shard writes `data`, the view
/// makes it virtual.
using MakeDataset = std::function<hdf5::Handle(hid_t group, const char* name, const std::string& path, hid_t type,
                                               const hdf5::Extents& extents, const void* data)>;
hdf5::Handle make_with_data(hid_t group, const char* name, const std::string& path, hid_t type,
                            const hdf5::Extents& extents, const void* data);

/// Writes the root attributes that identify the dataset. Throws hdf5::Error.
void write_root_attributes(hid_t root, const DatasetDescription& description);

/// Creates the group /trajectory with `recorded` rows.
void write_trajectories(hid_t root, const DatasetDescription& description, const Trajectories& data,
                        std::int64_t recorded, const MakeDataset& make);

/// How much is recorded.
struct RecordExtents {
  std::int64_t samples = 0, rows = 0;          ///< rows of contacts
  std::int64_t lcp_rows = 0, lcp_numbers = 0;  ///< of LCPs, and of their matrices
};

/// Creates all groups. `samples` and `recorded` are the extents; `make` gets the data of `shard`.
void write_groups(hid_t root, const DatasetDescription& description, const ShardData& shard, std::int64_t samples,
                  const RecordExtents& recorded, const MakeDataset& make);

/// The number `sample` of a group, by which its other datasets are ordered.
hdf5::Handle write_sample_scale(hid_t group, const std::string& path, hid_t type, std::int64_t extent, const void* data,
                                const MakeDataset& make);
/// Instants of the entries of records, s.
hdf5::Handle write_time_scale(hid_t group, const std::vector<double>& instants);
hdf5::Handle write_text_scale(hid_t group, const char* name, const std::vector<std::string>& texts);

/// The type in files of a column of records.
hid_t record_type(const auto& column) {
  return visit_numbers(column, [](const auto* numbers) { return hdf5::file_type(numbers); });
}

/// Creates /param, /step, /contact and /lcp, as far as the dataset has them.
void write_step_records(hid_t root, const DatasetDescription& description, const ShardData& shard,
                        const RecordExtents& recorded, const MakeDataset& make);

}  // namespace jostle
