#include "drivers/datasets/job_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "drivers/datasets/shard_reader.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/sha256.hpp"

namespace jostle {
namespace fs = std::filesystem;
namespace {

constexpr const char* jobs_folder = ".jobs";
constexpr std::int64_t breath = 10'000'000'000;  // ns

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::int64_t time_of(const struct stat& file) { return nanoseconds(file.st_mtim); }

std::int64_t clock_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void read_line(const nlohmann::json& line, Job& job) {
  if (line.contains("host")) {
    job.host = line.at("host").get<std::string>();
    job.process = line.at("process").get<std::int64_t>();
    job.share = line.at("share").get<std::string>();
    job.samples = line.at("samples").get<std::int64_t>();
    job.has_meta = line.at("meta").get<bool>();
    job.identity = line.at("identity").get<std::string>();
    job.began = line.at("began").get<std::int64_t>();
  } else if (line.contains("shard")) {
    job.shards.push_back({line.at("shard").get<std::int64_t>(), line.at("first").get<std::int64_t>(),
                          line.at("count").get<std::int64_t>(), line.at("bytes").get<std::int64_t>(),
                          line.at("written").get<std::int64_t>(), line.at("made").get<bool>()});
  } else {
    job.has_ended = line.contains("ended");
  }
}

/// Nothing if it is no job's, or has not begun.
std::optional<Job> read_job(const fs::path& path) {
  Job job;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    try {
      read_line(nlohmann::json::parse(text), job);
    } catch (const nlohmann::json::exception&) {
      break;  // the process was killed within this line
    }
  }
  struct stat status = {};
  if (job.host.empty() || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  job.seen = time_of(status);
  return job;
}

}  // namespace

std::string name_of(const Job& job) { return fmt::format("{}, process {}", job.host, job.process); }

std::string identity_of(const RunRecord& record) {
  return sha256_hex(fmt::format("{} {} {} {} {} {}", record.format, record.results_version, record.seed, record.sampler,
                                record.table_sha256, record.scenario));
}

std::string identity_of(const DatasetDescription& description) { return identity_of(make_run_record(description, 0)); }

JobLog::JobLog(const fs::path& folder, Job job) : job_(std::move(job)) {
  job_.host = host_name();
  job_.process = ::getpid();
  std::error_code ignored;
  fs::create_directory(folder / jobs_folder, ignored);
  const std::string name = fmt::format("{}-{}-{:08x}", job_.host, job_.process, std::random_device()());
  descriptor_ = ::open((folder / jobs_folder / name).c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  struct stat status = {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return;
  job_.began = time_of(status);
  breathed_ = clock_now();
  write(nlohmann::ordered_json{{"host", job_.host},
                               {"process", job_.process},
                               {"share", job_.share},
                               {"samples", job_.samples},
                               {"meta", job_.has_meta},
                               {"identity", job_.identity},
                               {"began", job_.began}}
            .dump());
}

JobLog::~JobLog() {
  write(R"({"ended": true})");
  if (descriptor_ >= 0) ::close(descriptor_);
}

/// In one piece, so that a reader sees whole lines.
void JobLog::write(const std::string& line) {
  const std::string text = line + '\n';
  [[maybe_unused]] const ssize_t written = descriptor_ < 0 ? 0 : ::write(descriptor_, text.data(), text.size());
}

void JobLog::add(const fs::path& path, const ShardRange& range, bool is_made) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return;
  write(nlohmann::ordered_json{{"shard", range.index},
                               {"first", range.first},
                               {"count", range.count},
                               {"bytes", static_cast<std::int64_t>(status.st_size)},
                               {"written", time_of(status)},
                               {"made", is_made}}
            .dump());
}

void JobLog::breathe() {
  const std::int64_t now = clock_now();
  if (descriptor_ < 0 || now - breathed_ < breath) return;
  breathed_ = now;
  ::futimens(descriptor_, nullptr);
}

std::vector<Job> read_jobs(const fs::path& folder) {
  std::vector<Job> jobs;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / jobs_folder, none))
    if (auto job = read_job(entry.path())) jobs.push_back(*std::move(job));
  std::ranges::sort(jobs, {}, [](const Job& job) { return std::tie(job.began, job.host, job.process); });
  return jobs;
}

void remove_jobs(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder / jobs_folder, ignored);
}

KnownShards::KnownShards(const fs::path& folder, const std::vector<Job>& jobs, const DatasetDescription& description)
    : description_(&description) {
  const std::string identity = identity_of(description);
  for (const Job& job : jobs)
    for (const LoggedShard& shard : job.shards)
      if (job.identity == identity && shards_[shard.index].written <= shard.written) shards_[shard.index] = shard;
  const std::optional<RunRecord> record = read_run_record(folder);
  struct stat status = {};
  if (!record || identity_of(*record) != identity || ::stat((folder / "run.json").c_str(), &status) != 0) return;
  listed_ = record->shards;
  listed_at_ = time_of(status);
}

bool KnownShards::has(const fs::path& path, const ShardRange& range) const {
  return is_logged(path, range) || is_listed(path, range);
}

bool KnownShards::is_logged(const fs::path& path, const ShardRange& range) const {
  const auto found = shards_.find(range.index);
  if (found == shards_.end()) return false;
  const LoggedShard& shard = found->second;
  struct stat status = {};
  return shard.first == range.first && shard.count >= range.count && ::stat(path.c_str(), &status) == 0 &&
         status.st_size == shard.bytes && time_of(status) == shard.written;
}

// Times alone tell little: a copy may keep that of another file, and clocks are set.
bool KnownShards::is_listed(const fs::path& path, const ShardRange& range) const {
  const auto index = static_cast<std::size_t>(range.index);
  struct stat status = {};
  if (index >= listed_.size() || ::stat(path.c_str(), &status) != 0 || time_of(status) >= listed_at_) return false;
  const FoundShard found = find_shard(path, *description_, range);
  return found.state == FoundShard::State::whole && found.count == listed_[index].count &&
         found.digest == listed_[index].digest;
}

}  // namespace jostle
