#include "drivers/sweeps/dataset_folder.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "drivers/datasets/job_log.hpp"
#include "drivers/datasets/run_record.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/datasets/virtual_view.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/sweeps/summary_files.hpp"

namespace jostle {
namespace fs = std::filesystem;
namespace {

constexpr const char* shards_folder = "shards";

fs::path create_folder(fs::path folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder, "cannot be created: " + error.message());
  return folder;
}

/// The first entry of `folder` that cannot come from a writer killed before its first record; "" if there is none.
std::string first_foreign_name(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    if (name != ".lock" && name_of_temporary(name) != "run.json") return name;
  }
  return {};
}

/// Accepts only a dataset, whose first file is its record, or an empty folder. Another writer may just begin the
/// dataset, so this looks for other files first and for the record afterwards.
void refuse_foreign_folder(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
    throw UsageError(folder.string() + " is a file; a dataset needs a folder");
  if (!fs::is_directory(folder)) return;
  const std::string name = first_foreign_name(folder);
  if (!name.empty() && !fs::exists(folder / "run.json"))
    throw UsageError(folder.string() + " is not empty and holds no dataset (it has '" + name +
                     "'); name another folder");
}

void refuse_other_dataset(const fs::path& folder, const DatasetDescription& description, std::int64_t n) {
  const std::optional<RunRecord> record = read_run_record(folder);
  if (!record) return;
  const std::string difference = identity_difference(*record, make_run_record(description, n));
  if (!difference.empty())
    throw UsageError(folder.string() + " holds another dataset; name another folder" + difference);
}

/// Creates or changes nothing before it is certain that the folder is ours.
fs::path checked(fs::path folder, const DatasetDescription& description, std::int64_t n) {
  if (folder.has_relative_path() && !folder.has_filename()) folder = folder.parent_path();  // "out/"
  check_dataset_folder(folder, description, n);
  return create_folder(folder);
}

}  // namespace

void check_dataset_folder(const fs::path& folder, const DatasetDescription& description, std::int64_t n) {
  refuse_foreign_folder(folder);
  refuse_other_dataset(folder, description, n);
}

DatasetFolder::DatasetFolder(fs::path folder, const DatasetDescription& description, std::int64_t n,
                             WithoutLocks without)
    : folder_(checked(std::move(folder), description, n)), description_(description), n_(n), lock_(folder_, without) {
  const auto held = lock_.folder();
  begin();
  remove_stale_files(folder_, lock_);
}

fs::path DatasetFolder::shard_path(std::int64_t index) const { return folder_ / shard_name(index); }

void DatasetFolder::begin() const {
  if (!fs::exists(folder_ / "run.json")) begin_run_record(folder_, make_run_record(description_, n_));
  refuse_other_dataset(folder_, description_, n_);  // another writer may have come first
  if (!fs::exists(folder_ / "scenario.yaml"))
    write_atomically(folder_ / "scenario.yaml", description_.scenario_yaml, "scenario");
  create_folder(folder_ / shards_folder);
  sync_folder(folder_);
}

void DatasetFolder::prepare_for_shard(std::int64_t index) const {
  const fs::path folder = shard_path(index).parent_path();
  if (folder.filename() == shards_folder) return;
  in_place([&] {
    create_folder(folder);
    sync_folder(folder.parent_path());
  });
}

std::vector<ShardRange> DatasetFolder::shards_there(std::span<const ShardRange> known) const {
  std::vector<ShardRange> there;
  for (const ShardRange& range : shard_ranges(description_, n_)) {
    const bool is_known = std::ranges::binary_search(known, range.index, {}, &ShardRange::index);
    if (is_known || is_shard_of(shard_path(range.index), description_, range.first, range.count))
      there.push_back(range);
  }
  return there;
}

void DatasetFolder::write_views(std::span<const ShardRange> ranges, const RunStatistics& statistics,
                                const std::string& page) const {
  const auto held = lock_.folder();
  in_place([&] { remove_stale_files(folder_, lock_); });  // of those killed since this writer has begun
  in_place([&] { write_atomically(folder_ / "scenario.yaml", description_.scenario_yaml, "scenario"); });
  in_place([&] { write_virtual_view(folder_, description_, ranges); });
  in_place([&] { write_summary_csv(folder_, description_, ranges); });
  in_place([&] { write_summary_json(folder_, statistics); });
  in_place([&] { write_atomically(folder_ / "report.html", page, "page"); });
  if (samples_of(ranges) == n_) in_place([&] { write_record(ranges); });
}

void DatasetFolder::write_record(std::span<const ShardRange> ranges) const {
  RunRecord record = make_run_record(description_, n_);
  // The scenario of a folder has the points of meshes and names their files no more.
  if (const auto before = read_run_record(folder_); before && record.meshes.empty()) record.meshes = before->meshes;
  for (const ShardRange& range : ranges) {
    const ShardReader shard(folder_, range);
    record.shards.push_back({shard_name(range.index), shard.first(), shard.count(), shard.digest()});
  }
  write_run_record(folder_, record);
  remove_jobs(folder_);
}

}  // namespace jostle
