#include "drivers/datasets/dataset_layout.hpp"

#include <array>
#include <numeric>

#include "core/status.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/files/sha256.hpp"

namespace jostle {
namespace {

/// CF conventions 3.5: the meaning of each value of a flag, in the data itself.
void describe_status(hid_t dataset) {
  std::vector<std::uint8_t> values;
  std::string meanings;
  for (const Status status : all_statuses) {
    values.push_back(static_cast<std::uint8_t>(status));
    if (!meanings.empty()) meanings += ' ';
    meanings += name_of(status);
  }
  hdf5::set_attribute(dataset, "flag_values", values);
  hdf5::set_attribute(dataset, "flag_meanings", meanings);
}

void describe_column(hid_t dataset, const SummaryColumn& column) {
  hdf5::set_attribute(dataset, "long_name", column.description);
  if (!column.units.empty()) hdf5::set_attribute(dataset, "units", column.units);
  if (column.outcome) hdf5::set_attribute(dataset, "kind", std::string(name_of(column.outcome->kind)));
  if (column.name == "status") describe_status(dataset);
}

void write_summary(hid_t root, const DatasetDescription& description, const ShardData& shard, std::int64_t samples,
                   const MakeDataset& make) {
  const hdf5::Handle group = hdf5::create_group(root, "summary");
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(shard.count));
  std::iota(numbers.begin(), numbers.end(), shard.first);
  const hdf5::Handle sample =
      write_sample_scale(group, "/summary/sample", hdf5::file_type(numbers.data()), samples, numbers.data(), make);
  for_each_column(description, shard, [&](const SummaryColumn& column, const auto& values) {
    const hdf5::Handle dataset = make(group, column.name.c_str(), "/summary/" + column.name,
                                      hdf5::file_type(values.data()), {static_cast<hsize_t>(samples)}, values.data());
    describe_column(dataset, column);
    hdf5::attach_scale(dataset, sample, 0);
  });
}

/// A state dataset: q or v.
void write_states(hid_t group, const char* name, const char* long_name, const char* units, const hdf5::Extents& extents,
                  const RealArray& values, const std::array<const hdf5::Handle*, 4>& scales,
                  const DatasetDescription& description, const MakeDataset& make) {
  const hdf5::Handle dataset =
      make(group, name, std::string("/trajectory/") + name, record_type(values), extents, values.data());
  hdf5::set_attribute(dataset, "long_name", std::string(long_name));
  hdf5::set_attribute(dataset, "units", std::string(units));
  hdf5::set_attribute(dataset, "bodies", description.bodies);
  for (unsigned axis = 0; axis < 4; ++axis) hdf5::attach_scale(dataset, *scales[axis], axis);
}

}  // namespace

hdf5::Handle make_with_data(hid_t group, const char* name, const std::string& /*path*/, hid_t type,
                            const hdf5::Extents& extents, const void* data) {
  return hdf5::write_dataset(group, name, type, extents, data);
}

void write_trajectories(hid_t root, const DatasetDescription& description, const Trajectories& data,
                        std::int64_t recorded, const MakeDataset& make) {
  const hdf5::Handle group = hdf5::create_group(root, "trajectory");
  const auto rows = static_cast<hsize_t>(recorded);
  const std::vector<double>& instants = description.record.time;

  const hdf5::Handle sample = write_sample_scale(group, "/trajectory/sample", hdf5::file_type(data.sample.data()),
                                                 recorded, data.sample.data(), make);
  const hdf5::Handle time = write_time_scale(group, instants);
  const hdf5::Handle body = write_text_scale(group, "body", description.bodies);
  const hdf5::Handle pose = write_text_scale(group, "pose", {"x", "y", "z", "qw", "qx", "qy", "qz"});
  const hdf5::Handle twist = write_text_scale(group, "twist", {"vx", "vy", "vz", "wx", "wy", "wz"});

  const hdf5::Handle valid = make(group, "valid_steps", "/trajectory/valid_steps",
                                  hdf5::file_type(data.valid_steps.data()), {rows}, data.valid_steps.data());
  hdf5::set_attribute(valid, "long_name", std::string("steps taken; the states at later times are NaN"));
  hdf5::attach_scale(valid, sample, 0);
  const hsize_t bodies = description.bodies.size();
  write_states(group, "q", "position and orientation, world frame", "m, 1", {rows, instants.size(), bodies, 7}, data.q,
               {&sample, &time, &body, &pose}, description, make);
  write_states(group, "v", "velocity and spin, world frame", "m/s, rad/s", {rows, instants.size(), bodies, 6}, data.v,
               {&sample, &time, &body, &twist}, description, make);
}

hdf5::Handle write_sample_scale(hid_t group, const std::string& path, hid_t type, std::int64_t extent, const void* data,
                                const MakeDataset& make) {
  hdf5::Handle sample = make(group, "sample", path, type, {static_cast<hsize_t>(extent)}, data);
  hdf5::set_attribute(sample, "long_name", std::string("number of the sample"));
  hdf5::make_scale(sample, "sample");
  return sample;
}

hdf5::Handle write_text_scale(hid_t group, const char* name, const std::vector<std::string>& texts) {
  hdf5::Handle scale = hdf5::write_texts(group, name, texts);
  hdf5::make_scale(scale, name);
  return scale;
}

hdf5::Handle write_time_scale(hid_t group, const std::vector<double>& instants) {
  hdf5::Handle time = hdf5::write_dataset(group, "time", H5T_IEEE_F64LE, {instants.size()}, instants.data());
  hdf5::set_attribute(time, "units", std::string("s"));
  hdf5::make_scale(time, "time");
  return time;
}

void write_root_attributes(hid_t root, const DatasetDescription& description) {
  hdf5::set_attribute(root, "format", std::int64_t{description.format});
  hdf5::set_attribute(root, "results_version", std::int64_t{description.results_version});
  hdf5::set_attribute(root, "scenario", description.scenario);
  hdf5::set_attribute(root, "scenario_sha256", sha256_hex(description.scenario));
  hdf5::set_attribute(root, "seed", description.seed);
  hdf5::set_attribute(root, "sampler", description.sampler);
  if (!description.table_sha256.empty()) hdf5::set_attribute(root, "table_sha256", description.table_sha256);
  hdf5::set_attribute(root, "method", description.method);
  hdf5::set_attribute(root, "step", description.step);
  hdf5::set_attribute(root, "quaternion_order", std::string("wxyz"));
  hdf5::set_attribute(root, "units", std::string("SI: m, kg, s, rad, N, J"));
  if (!description.record.model.empty()) hdf5::set_attribute(root, "model", description.record.model);
}

void write_groups(hid_t root, const DatasetDescription& description, const ShardData& shard, std::int64_t samples,
                  const RecordExtents& recorded, const MakeDataset& make) {
  write_summary(root, description, shard, samples, make);
  if (description.record.which == RecordSettings::Which::none) return;
  write_trajectories(root, description, shard.trajectories, recorded.samples, make);
  write_step_records(root, description, shard, recorded, make);
}

}  // namespace jostle
