#include "drivers/sweeps/training_meta.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "drivers/files/atomic_file.hpp"
#include "drivers/files/folder_lock.hpp"
#include "drivers/files/sha256.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

Json field(const RecordColumn& column, const char* dimensions) {
  return {{"unit", column.units}, {"meaning", column.meaning}, {"dimensions", dimensions}};
}

Json fields_of_states() {
  return {{"q", field({"q", "m, 1", "x, y, z and quaternion w, x, y, z, world"}, "sample, time, body, 7")},
          {"v", field({"v", "m/s, rad/s", "velocity and angular velocity, world"}, "sample, time, body, 6")}};
}

Json fields_of_steps(const DatasetDescription& description) {
  StepRecords none;
  none.quantities.resize(description.record.quantities.size());
  Json fields;
  for_each_step_column(description.record.quantities, static_cast<int>(description.bodies.size()), none,
                       [&](const RecordColumn& column, const auto&) {
                         fields[column.name] =
                             field(column, column.extent == 1 ? "sample, time" : "sample, time, body, 6");
                       });
  return fields;
}

Json fields_of_contacts() {
  Json fields = {{"splits", field(splits_column(), "sample, time + 1")}};
  for_each_contact_column(ContactRecords{}, [&](const RecordColumn& column, const auto&) {
    fields[column.name] = field(column, column.extent == 1 ? "row" : column.extent == 2 ? "row, 2" : "row, 3");
  });
  return fields;
}

Json fields_of_lcps() {
  Json fields = {{"splits", field(splits_column(), "sample, time + 1")},
                 {"M_splits", field(matrix_splits_column(), "sample, time + 1")}};
  for_each_lcp_column(LcpRecords{}, [&](const RecordColumn& column, const auto&) {
    fields[column.name] = field(column, column.extent == 1 ? "row" : "row, 3");
  });
  fields["M"] = field(lcp_matrix_column(), "number");
  return fields;
}

Json fields_of_parameters(const RecordSettings& record) {
  Json fields;
  for (const ParameterInfo& info : record.parameters) {
    std::string dimensions = info.varies ? "sample" : "1";
    if (!info.of.empty()) dimensions += ", " + info.of;
    if (info.components == 3) dimensions += ", 3";
    fields[info.name] = field({info.name, info.units, info.meaning}, dimensions.c_str());
  }
  return fields;
}

/// Of those that are recorded.
Json fields_of_groups(const DatasetDescription& description) {
  Json fields = {{"trajectory", fields_of_states()},
                 {"param", fields_of_parameters(description.record)},
                 {"step", fields_of_steps(description)},
                 {"contact", fields_of_contacts()},
                 {"lcp", fields_of_lcps()}};
  Json recorded = Json::object();
  const std::vector<std::string> names = description.record.groups();
  for (auto& [name, group] : fields.items())
    if (std::ranges::find(names, name) != names.end()) recorded[name] = std::move(group);
  return recorded;
}

}  // namespace

const std::vector<std::string>& training_records() {
  static const std::vector<std::string> settings = {"record.trajectories=all", "record.contacts=true",
                                                    "record.dtype=f4"};
  return settings;
}

void write_training_meta(const std::filesystem::path& folder, const DatasetDescription& description,
                         const RunStatistics& statistics) {
  const RecordSettings& record = description.record;
  std::int64_t training = 0;
  for (std::int64_t i = 0; i < statistics.samples; ++i) training += split_of(i) < training_part ? 1 : 0;
  Json json;
  json["data"] = "run.h5";
  json["title"] = description.title;
  json["scenario_sha256"] = sha256_hex(description.scenario);
  json["results_version"] = description.results_version;
  json["seed"] = description.seed;
  json["samples"] = statistics.samples;
  json["invalid"] = statistics.invalid;
  json["step"] = description.step;
  json["stride"] = record.stride;
  json["times"] = record.time.size();
  if (record.has_lcps()) json["lcp_times"] = record.lcp_time.size(), json["joints"] = record.joints;
  json["dtype"] = record.single ? "f4" : "f8";
  json["bodies"] = description.bodies;
  json["shapes"] = record.shapes;
  json["pairs"] = record.pairs;
  json["frames"] = "world axes; quaternions w, x, y, z turn from body to world";
  if (!record.model.empty()) json["model"] = Json::parse(record.model);
  json["split"] = {{"rule", "sample i is for training if splitmix64(i) >> 11 < part * 2^53"},
                   {"part", training_part},
                   {"training", training},
                   {"test", statistics.samples - training}};
  json["groups"] = fields_of_groups(description);
  const FolderLock lock(folder, WithoutLocks::go_on);
  const auto held = lock.folder();
  write_atomically(folder / "meta.json", json.dump(2) + "\n", "meta");
}

}  // namespace jostle
