#include "drivers/datasets/dataset_folder.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "drivers/datasets/atomic_file.hpp"
#include "drivers/datasets/run_record.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/datasets/summary_files.hpp"
#include "drivers/datasets/virtual_view.hpp"
#include "drivers/errors.hpp"

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
    if (name != ".lock" && name != "run.json.tmp") return name;
  }
  return {};
}

/// Accepts only a dataset, whose first file is its record, or an empty folder. Another writer may just begin the
/// dataset, so this looks for other files first and for the record afterwards.
void refuse_foreign_folder(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
    throw UsageError(folder.string() + " is a file; -o names a folder");
  if (!fs::is_directory(folder)) return;
  const std::string name = first_foreign_name(folder);
  if (!name.empty() && !fs::exists(folder / "run.json"))
    throw UsageError(folder.string() + " is not empty and holds no dataset (it has '" + name +
                     "'); name another folder with -o");
}

void refuse_other_dataset(const fs::path& folder, const DatasetDescription& description, std::int64_t n) {
  const std::optional<RunRecord> record = read_run_record(folder);
  if (!record) return;
  const std::string difference = identity_difference(*record, make_run_record(description, n));
  if (!difference.empty())
    throw UsageError(folder.string() + " holds another dataset; name another folder with -o" + difference);
}

/// Creates or changes nothing before it is certain that the folder is ours.
fs::path checked(fs::path folder, const DatasetDescription& description, std::int64_t n) {
  if (folder.has_relative_path() && !folder.has_filename()) folder = folder.parent_path();  // "out/"
  check_dataset_folder(folder, description, n);
  return create_folder(folder);
}

/// The number of "shard-00042.h5.tmp".
std::optional<std::int64_t> index_of_temporary(const std::string& name) {
  constexpr std::string_view prefix = "shard-", suffix = ".h5.tmp";
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  const char* begin = name.data() + prefix.size();
  const char* end = name.data() + name.size() - suffix.size();
  std::int64_t index = 0;
  const auto [last, error] = std::from_chars(begin, end, index);
  if (error != std::errc() || last != end || index < 0) return std::nullopt;
  return index;
}

}  // namespace

void check_dataset_folder(const fs::path& folder, const DatasetDescription& description, std::int64_t n) {
  refuse_foreign_folder(folder);
  refuse_other_dataset(folder, description, n);
}

DatasetFolder::DatasetFolder(fs::path folder, const DatasetDescription& description, std::int64_t n)
    : folder_(checked(std::move(folder), description, n)), description_(description), n_(n), lock_(folder_) {
  const auto held = lock_.folder();
  refuse_other_dataset(folder_, description_, n_);  // another writer may have come first
  begin();
  remove_stale_files();
}

fs::path DatasetFolder::shard_path(std::int64_t index) const { return folder_ / shard_name(index); }

void DatasetFolder::begin() const {
  if (!fs::exists(folder_ / "run.json")) write_run_record(folder_, make_run_record(description_, n_));
  if (!fs::exists(folder_ / "scenario.yaml"))
    write_atomically(folder_ / "scenario.yaml", description_.scenario_yaml, "scenario");
  create_folder(folder_ / shards_folder);
  sync_folder(folder_);
}

/// Removes what killed writers left; a running writer holds the lock of its shard.
void DatasetFolder::remove_stale_files() const {
  std::error_code ignored;
  for (const char* name :
       {"run.json", "scenario.yaml", "run.h5", "summary.csv", "summary.json", "report.html", "trajectories.h5"})
    fs::remove(folder_ / (std::string(name) + ".tmp"), ignored);
  for (const auto& entry : fs::directory_iterator(folder_ / shards_folder)) {
    const auto index = index_of_temporary(entry.path().filename().string());
    if (index && lock_.try_shard(*index)) fs::remove(entry.path(), ignored);
  }
}

bool DatasetFolder::is_complete() const {
  const auto ranges = shard_ranges(description_, n_);
  return std::all_of(ranges.begin(), ranges.end(), [&](const ShardRange& range) {
    return is_shard_of(shard_path(range.index), description_, range.first, range.count);
  });
}

void DatasetFolder::write_views(const RunStatistics& statistics, const std::string& page) const {
  const auto held = lock_.folder();
  write_atomically(folder_ / "scenario.yaml", description_.scenario_yaml, "scenario");
  write_virtual_view(folder_, description_, n_);
  write_summary_csv(folder_, description_, n_);
  write_summary_json(folder_, statistics);
  write_atomically(folder_ / "report.html", page, "page");
  RunRecord record = make_run_record(description_, n_);
  for (const ShardRange& range : shard_ranges(description_, n_)) {
    const ShardReader shard(shard_path(range.index));
    record.shards.push_back({shard_name(range.index), shard.first(), shard.count(), shard.digest()});
  }
  write_run_record(folder_, record);
}

}  // namespace jostle
