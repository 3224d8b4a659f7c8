#include <map>

#include "drivers/datasets/dataset_layout.hpp"

namespace jostle {
namespace {

using Axes = std::vector<std::string>;

/// What the words of an axis `row`, `number` and `time` mean in a group.
struct GroupExtents {
  const std::vector<double>& time;
  std::int64_t rows = 0, numbers = 0;
};

/// A group and the scales of its dimensions, which are made where they are first needed.
class RecordGroup {
 public:
  RecordGroup(hid_t root, const char* name, const DatasetDescription& description, const ShardData& shard,
              std::int64_t samples, const GroupExtents& extents, const MakeDataset& make)
      : group_(hdf5::create_group(root, name)),
        path_(std::string("/") + name + "/"),
        description_(description),
        shard_(shard),
        samples_(samples),
        extents_(extents),
        make_(make) {}

  /// `fixed`: a view has the data themselves, not a link to those of its shards.
  hdf5::Handle write(const RecordColumn& column, const Axes& axes, const auto& values, bool fixed = false) {
    hdf5::Extents extents;
    for (const std::string& axis : axes) extents.push_back(extent_of(axis));
    const hid_t type = record_type(values);
    hdf5::Handle dataset = fixed
                               ? hdf5::write_dataset(group_, column.name.c_str(), type, extents, values.data())
                               : make_(group_, column.name.c_str(), path_ + column.name, type, extents, values.data());
    hdf5::set_attribute(dataset, "long_name", column.meaning);
    if (!column.units.empty()) hdf5::set_attribute(dataset, "units", column.units);
    for (unsigned i = 0; i < axes.size(); ++i) hdf5::attach_scale(dataset, scale(axes[i]), i);
    return dataset;
  }

  /// The scale of an axis of the group.
  const hdf5::Handle& scale(const std::string& axis) {
    const auto known = scales_.find(axis);
    return known != scales_.end() ? known->second : scales_.emplace(axis, make_scale(axis)).first->second;
  }

 private:
  const RecordSettings& record() const { return description_.record; }

  const std::vector<std::string>& names_of(const std::string& axis) const {
    static const std::map<std::string, std::vector<std::string>> fixed = {
        {"axis", {"x", "y", "z"}}, {"along", {"t1", "t2"}}, {"wrench", {"fx", "fy", "fz", "tx", "ty", "tz"}}};
    if (axis == "body") return description_.bodies;
    if (axis == "shape") return record().shapes;
    if (axis == "pair") return record().pairs;
    return fixed.at(axis);
  }

  hsize_t extent_of(const std::string& axis) const {
    if (axis == "sample") return static_cast<hsize_t>(samples_);
    if (axis == "row") return static_cast<hsize_t>(extents_.rows);
    if (axis == "number") return static_cast<hsize_t>(extents_.numbers);
    if (axis == "time") return extents_.time.size();
    if (axis == "edge") return extents_.time.size() + 1;
    if (axis == "all_samples") return 1;
    return names_of(axis).size();
  }

  hdf5::Handle make_scale(const std::string& axis) {
    const std::vector<std::int64_t>& samples = shard_.trajectories.sample;
    if (axis == "sample")
      return write_sample_scale(group_, path_ + "sample", hdf5::file_type(samples.data()), samples_, samples.data(),
                                make_);
    if (axis == "time") return write_time_scale(group_, extents_.time);
    if (axis == "row" || axis == "number" || axis == "edge" || axis == "all_samples")
      return hdf5::write_dimension(group_, axis.c_str(), extent_of(axis));
    return write_text_scale(group_, axis.c_str(), names_of(axis));
  }

  hdf5::Handle group_;
  std::string path_;
  const DatasetDescription& description_;
  const ShardData& shard_;
  const std::int64_t samples_;
  const GroupExtents extents_;
  const MakeDataset& make_;
  std::map<std::string, hdf5::Handle> scales_;
};

Axes axes_of(const ParameterInfo& parameter) {
  Axes axes = {parameter.varies ? "sample" : "all_samples"};
  if (!parameter.of.empty()) axes.push_back(parameter.of);
  if (parameter.components == 3) axes.emplace_back("axis");
  return axes;
}

Axes axes_of_row(const RecordColumn& column) {
  if (column.extent == 1) return {"row"};
  return {"row", column.extent == 2 ? "along" : "axis"};
}

/// CF conventions 3.5: what each kind of an unknown is called.
void describe_kinds(hid_t dataset) {
  std::vector<std::uint8_t> values;
  std::string meanings;
#define JOSTLE_DESCRIBE(name)                                 \
  values.push_back(static_cast<std::uint8_t>(values.size())); \
  meanings += (meanings.empty() ? "" : " ") + std::string(#name);
  JOSTLE_LCP_KINDS(JOSTLE_DESCRIBE)
#undef JOSTLE_DESCRIBE
  hdf5::set_attribute(dataset, "flag_values", values);
  hdf5::set_attribute(dataset, "flag_meanings", meanings);
}

void write_lcps(RecordGroup& group, const RecordSettings& record, const LcpRecords& lcps) {
  group.scale("time");  // no array has it, but splits go by it
  group.write(splits_column(), {"sample", "edge"}, lcps.splits, true);
  group.write(matrix_splits_column(), {"sample", "edge"}, lcps.matrix_splits, true);
  for_each_lcp_column(lcps, [&](const RecordColumn& column, const auto& values) {
    const hdf5::Handle dataset = group.write(column, axes_of_row(column), values);
    if (column.name == "pair" && !record.pairs.empty()) hdf5::set_attribute(dataset, "pairs", record.pairs);
    if (column.name == "joint" && !record.joints.empty()) hdf5::set_attribute(dataset, "joints", record.joints);
    if (column.name == "kind") describe_kinds(dataset);
  });
  group.write(lcp_matrix_column(), {"number"}, lcps.matrix);
}

}  // namespace

void write_step_records(hid_t root, const DatasetDescription& description, const ShardData& shard,
                        const RecordExtents& recorded, const MakeDataset& make) {
  const RecordSettings& record = description.record;
  const auto group_of = [&](const char* name, const GroupExtents& extents) {
    return RecordGroup(root, name, description, shard, recorded.samples, extents, make);
  };
  if (record.contacts) {
    RecordGroup group = group_of("param", {record.time});
    for (std::size_t i = 0; i < record.parameters.size(); ++i) {
      const ParameterInfo& parameter = record.parameters[i];
      group.write({parameter.name, parameter.units, parameter.meaning}, axes_of(parameter),
                  parameter.varies ? shard.parameters[i] : RealArray(record.single, parameter.constant),
                  !parameter.varies);
    }
  }
  if (record.steps) {
    RecordGroup group = group_of("step", {record.time});
    const auto write = [&](const RecordColumn& column, const auto& values) {
      group.write(column, column.extent == 1 ? Axes{"sample", "time"} : Axes{"sample", "time", "body", "wrench"},
                  values);
    };
    for_each_step_column(record.quantities, static_cast<int>(description.bodies.size()), shard.step_records, write);
  }
  if (record.contacts) {
    RecordGroup group = group_of("contact", {record.time, recorded.rows});
    group.write(splits_column(), {"sample", "edge"}, shard.contacts.splits, true);
    for_each_contact_column(shard.contacts, [&](const RecordColumn& column, const auto& values) {
      const hdf5::Handle dataset = group.write(column, axes_of_row(column), values);
      if (column.name == "pair" && !record.pairs.empty()) hdf5::set_attribute(dataset, "pairs", record.pairs);
    });
  }
  if (record.has_lcps()) {
    RecordGroup group = group_of("lcp", {record.lcp_time, recorded.lcp_rows, recorded.lcp_numbers});
    write_lcps(group, record, shard.lcps);
  }
}

}  // namespace jostle
