#include "drivers/datasets/run_record.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/sha256.hpp"
#include "scenarios/text/utf8.hpp"

namespace jostle {

RunRecord make_run_record(const DatasetDescription& description, std::int64_t n) {
  RunRecord record;
  record.format = description.format;
  record.results_version = description.results_version;
  record.jostle_version = JOSTLE_VERSION;
  record.scenario = description.scenario;
  record.seed = description.seed;
  record.sampler = description.sampler;
  record.table_sha256 = description.table_sha256;
  record.table_path = description.table_path;
  record.meshes = description.meshes;
  record.n = n;
  record.shard_samples = samples_per_shard(description);
  return record;
}

namespace {

void check_path(const std::string& path) {
  if (find_no_utf8(path) != std::string::npos)
    throw UsageError("the path " + path + " is not UTF-8, as run.json must be: rename it");
}

std::string text_of(const RunRecord& record) {
  check_path(record.table_path);
  for (const MeshFile& mesh : record.meshes) check_path(mesh.path);
  nlohmann::ordered_json json;
  json["format"] = record.format;
  json["results_version"] = record.results_version;
  json["jostle"] = record.jostle_version;
  json["scenario_sha256"] = sha256_hex(record.scenario);
  json["seed"] = record.seed;
  json["sampler"] = record.sampler;
  if (!record.table_sha256.empty()) {
    json["table_sha256"] = record.table_sha256;
    json["table_path"] = record.table_path;
  }
  for (const MeshFile& mesh : record.meshes) json["meshes"].push_back({{"path", mesh.path}, {"sha256", mesh.sha256}});
  json["n"] = record.n;
  json["shard_samples"] = record.shard_samples;
  json["shards"] = nlohmann::ordered_json::array();
  for (const ShardEntry& shard : record.shards)
    json["shards"].push_back(
        {{"file", shard.file}, {"first", shard.first}, {"count", shard.count}, {"digest", shard.digest}});
  json["scenario"] = record.scenario;
  return json.dump(2) + "\n";
}

}  // namespace

void write_run_record(const std::filesystem::path& folder, const RunRecord& record) {
  write_atomically(folder / "run.json", text_of(record), "run");
}

void begin_run_record(const std::filesystem::path& folder, const RunRecord& record) {
  AtomicFile file(folder / "run.json", "run");
  file.write(text_of(record));
  file.commit_unless_there();
}

std::optional<RunRecord> read_run_record(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "run.json";
  if (!std::filesystem::exists(path)) return std::nullopt;
  try {
    const auto json = nlohmann::json::parse(read_text_file(path));
    RunRecord record;
    record.format = json.at("format").get<int>();
    record.results_version = json.at("results_version").get<int>();
    record.jostle_version = json.at("jostle").get<std::string>();
    record.scenario = json.at("scenario").get<std::string>();
    record.seed = json.at("seed").get<std::uint64_t>();
    record.sampler = json.at("sampler").get<std::string>();
    record.table_sha256 = json.value("table_sha256", "");
    record.table_path = json.value("table_path", "");
    for (const auto& mesh : json.value("meshes", nlohmann::json::array()))
      record.meshes.push_back({mesh.at("path").get<std::string>(), mesh.at("sha256").get<std::string>()});
    record.n = json.at("n").get<std::int64_t>();
    record.shard_samples = json.at("shard_samples").get<std::int64_t>();
    for (const auto& shard : json.at("shards"))
      record.shards.push_back({shard.at("file").get<std::string>(), shard.at("first").get<std::int64_t>(),
                               shard.at("count").get<std::int64_t>(), shard.at("digest").get<std::string>()});
    return record;
  } catch (const nlohmann::json::exception&) {
    throw UsageError(path.string() + ":1:1: is damaged, or was not written by jostle");
  }
}

namespace {

constexpr const char* absent = "(nothing)";

/// The first lines where two texts differ.
std::string differing_lines(const std::string& folder, const std::string& command) {
  std::istringstream old_text(folder), new_text(command);
  std::string old_line, new_line;
  for (int line = 1;; ++line) {
    const bool has_old = static_cast<bool>(std::getline(old_text, old_line));
    const bool has_new = static_cast<bool>(std::getline(new_text, new_line));
    if (has_old && has_new && old_line == new_line) continue;
    return fmt::format("; scenario, line {} of its canonical form: in the folder: {}; now: {}", line,
                       has_old ? old_line : absent, has_new ? new_line : absent);
  }
}

}  // namespace

std::string identity_difference(const RunRecord& folder, const RunRecord& command) {
  std::string difference;
  const auto compare = [&](const char* what, const auto& old_value, const auto& new_value) {
    if (old_value == new_value) return;
    const std::string before = fmt::format("{}", old_value), now = fmt::format("{}", new_value);
    difference += fmt::format("; {}: {} in the folder, {} now", what, before.empty() ? absent : before,
                              now.empty() ? absent : now);
  };
  compare("format", folder.format, command.format);
  compare("results_version", folder.results_version, command.results_version);
  compare("seed", folder.seed, command.seed);
  compare("sampler", folder.sampler, command.sampler);
  compare("table (sha256)", folder.table_sha256, command.table_sha256);
  if (folder.scenario != command.scenario) difference += differing_lines(folder.scenario, command.scenario);
  if (folder.sampler == command.sampler && folder.sampler == "latin_hypercube" && folder.n != command.n)
    difference += "; every sample of a Latin hypercube depends on how many there are: it cannot be extended or cut";
  return difference;
}

}  // namespace jostle
