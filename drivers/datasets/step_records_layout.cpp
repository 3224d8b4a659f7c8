#include <map>

#include "drivers/datasets/dataset_layout.hpp"

namespace jostle {
namespace {

using Axes = std::vector<std::string>;

/// A group and the scales of its dimensions, which are made where they are first needed.
class RecordGroup {
 public:
  RecordGroup(hid_t root, const char* name, const DatasetDescription& description, const ShardData& shard,
              const RecordExtents& recorded, const MakeDataset& make)
      : group_(hdf5::create_group(root, name)),
        path_(std::string("/") + name + "/"),
        description_(description),
        shard_(shard),
        recorded_(recorded),
        make_(make) {}

  /// `fixed`: a view has the data themselves, not a link to those of its shards.
  template <class T>
  hdf5::Handle write(const RecordColumn& column, const Axes& axes, const std::vector<T>& values, bool fixed = false) {
    hdf5::Extents extents;
    for (const std::string& axis : axes) extents.push_back(extent_of(axis));
    const hid_t type = record_type(description_, values.data());
    hdf5::Handle dataset = fixed
                               ? hdf5::write_dataset(group_, column.name.c_str(), type, extents, values.data())
                               : make_(group_, column.name.c_str(), path_ + column.name, type, extents, values.data());
    hdf5::set_attribute(dataset, "long_name", column.meaning);
    if (!column.units.empty()) hdf5::set_attribute(dataset, "units", column.units);
    for (unsigned i = 0; i < axes.size(); ++i) hdf5::attach_scale(dataset, scale(axes[i]), i);
    return dataset;
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
    if (axis == "sample") return static_cast<hsize_t>(recorded_.samples);
    if (axis == "row") return static_cast<hsize_t>(recorded_.rows);
    if (axis == "time") return record().time.size();
    if (axis == "edge") return record().time.size() + 1;
    if (axis == "all_samples") return 1;
    return names_of(axis).size();
  }

  hdf5::Handle make_scale(const std::string& axis) {
    const std::vector<std::int64_t>& samples = shard_.trajectories.sample;
    if (axis == "sample")
      return write_sample_scale(group_, path_ + "sample", hdf5::file_type(samples.data()), recorded_.samples,
                                samples.data(), make_);
    if (axis == "time") return write_time_scale(group_, record().time);
    if (axis == "row" || axis == "edge" || axis == "all_samples")
      return hdf5::write_dimension(group_, axis.c_str(), extent_of(axis));
    return write_text_scale(group_, axis.c_str(), names_of(axis));
  }

  const hdf5::Handle& scale(const std::string& axis) {
    const auto known = scales_.find(axis);
    return known != scales_.end() ? known->second : scales_.emplace(axis, make_scale(axis)).first->second;
  }

  hdf5::Handle group_;
  std::string path_;
  const DatasetDescription& description_;
  const ShardData& shard_;
  const RecordExtents& recorded_;
  const MakeDataset& make_;
  std::map<std::string, hdf5::Handle> scales_;
};

Axes axes_of(const ParameterInfo& parameter) {
  Axes axes = {parameter.varies ? "sample" : "all_samples"};
  if (!parameter.of.empty()) axes.push_back(parameter.of);
  if (parameter.components == 3) axes.emplace_back("axis");
  return axes;
}

}  // namespace

void write_step_records(hid_t root, const DatasetDescription& description, const ShardData& shard,
                        const RecordExtents& recorded, const MakeDataset& make) {
  const RecordSettings& record = description.record;
  if (record.contacts) {
    RecordGroup group(root, "param", description, shard, recorded, make);
    for (std::size_t i = 0; i < record.parameters.size(); ++i) {
      const ParameterInfo& parameter = record.parameters[i];
      group.write({parameter.name, parameter.units, parameter.meaning}, axes_of(parameter),
                  parameter.varies ? shard.parameters[i] : parameter.constant, !parameter.varies);
    }
  }
  if (record.steps) {
    RecordGroup group(root, "step", description, shard, recorded, make);
    const auto write = [&](const RecordColumn& column, const auto& values) {
      group.write(column, column.extent == 1 ? Axes{"sample", "time"} : Axes{"sample", "time", "body", "wrench"},
                  values);
    };
    for_each_step_column(record.quantities, static_cast<int>(description.bodies.size()), shard.step_records, write);
  }
  if (record.contacts) {
    RecordGroup group(root, "contact", description, shard, recorded, make);
    group.write({"splits", "1", "rows of an entry: from splits[sample, time] to before splits[sample, time + 1]"},
                {"sample", "edge"}, shard.contacts.splits, true);
    for_each_contact_column(shard.contacts, [&](const RecordColumn& column, const auto& values) {
      const Axes axes = column.extent == 1   ? Axes{"row"}
                        : column.extent == 2 ? Axes{"row", "along"}
                                             : Axes{"row", "axis"};
      const hdf5::Handle dataset = group.write(column, axes, values);
      if (column.name == "pair") hdf5::set_attribute(dataset, "pairs", record.pairs);
    });
  }
}

}  // namespace jostle
