#include "drivers/sweeps/sweep.hpp"

#include <spdlog/spdlog.h>

#include <charconv>
#include <chrono>
#include <future>
#include <numeric>
#include <optional>
#include <vector>

#include "drivers/datasets/dataset_folder.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/errors.hpp"
#include "drivers/reports/report_page.hpp"
#include "drivers/statistics/run_statistics.hpp"

namespace jostle {
namespace {

using Clock = std::chrono::steady_clock;

class Sweep {
 public:
  Sweep(const DatasetDescription& description, ShardProducer& producer, const SweepOptions& options,
        const DatasetFolder& folder)
      : description_(description),
        producer_(producer),
        options_(options),
        folder_(folder),
        stop_(options.stop ? *options.stop : never_) {
    progress_.total = samples_of(own_ranges(description, options));
    report_.folder = folder.path();
    report_.n = options.n;
    report_.trajectories = description.record.which != RecordSettings::Which::none;
  }

  SweepReport run() {
    const bool finished = make_shards();
    finish_writing();
    report_.seconds = elapsed();
    if (!finished) {
      report_.end = SweepReport::End::interrupted;
      return report_;
    }
    const bool complete = folder_.is_complete();
    const auto ranges = complete ? shard_ranges(description_, options_.n) : own_ranges(description_, options_);
    report_.statistics = read_statistics(folder_.path(), description_, ranges);
    report_.end = complete ? SweepReport::End::complete : SweepReport::End::partial;
    if (complete)
      folder_.write_views(report_.statistics, report_page(folder_.path(), description_, ranges, report_.statistics));
    return report_;
  }

 private:
  /// First makes shards that no other process works on, then waits for the others and makes what is missing. False if
  /// stopped.
  bool make_shards() {
    std::vector<ShardRange> busy;
    for (const ShardRange& range : own_ranges(description_, options_)) {
      if (stop_) return false;
      auto held = folder_.lock().try_shard(range.index);
      if (!held)
        busy.push_back(range);
      else if (!make_shard_if_missing(range, std::move(*held)))
        return false;
    }
    for (const ShardRange& range : busy) {
      finish_writing();  // before it waits
      auto held = folder_.lock().wait_for_shard(range.index, stop_);
      if (!held || !make_shard_if_missing(range, std::move(*held))) return false;
    }
    return true;
  }

  /// Keeps a shard that is complete, even if it has more samples than needed. False if stopped.
  bool make_shard_if_missing(const ShardRange& range, FolderLock::Held held) {
    const auto path = folder_.shard_path(range.index);
    if (is_there(path, range)) {
      report_.kept += range.count;
      spdlog::debug("{}: is there", path.string());
    } else {
      const auto on_progress = [&](const ProductionProgress& live) {
        tell(live);
        if (committing_.valid() && committing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
          finish_writing();  // throws at once if the shard before cannot be synced
      };
      auto shard = producer_.produce(range.first, range.count, on_progress, stop_);
      if (!shard) return false;
      count(*shard);
      finish_writing();
      write(path, std::move(*shard), std::move(held));
    }
    progress_.done += range.count;
    tell({});
    return true;
  }

  bool is_there(const std::filesystem::path& path, const ShardRange& range) {
    if (!std::filesystem::exists(path)) return false;
    return verify_shard(path, description_, range.first, range.count);
  }

  /// By all threads; only the disk has the time until the next shard is there.
  void write(const std::filesystem::path& path, ShardData shard, FolderLock::Held held) {
    WrittenShard written = write_uncommitted_shard(path, description_, shard);
    producer_.reuse(std::move(shard));
    committing_ =
        std::async(std::launch::async, [this, path, file = std::move(written.file), lock = std::move(held)]() mutable {
          const FolderLock::Held until_committed = std::move(lock);
          file.commit();
          spdlog::debug("{}: written after {:.1f} s", path.string(), elapsed());
        });
  }
  void finish_writing() {
    if (committing_.valid()) committing_.get();
  }

  void count(const ShardData& shard) {
    report_.simulated += shard.count;
    report_.simulated_steps += std::accumulate(shard.steps.begin(), shard.steps.end(), std::int64_t{0});
    progress_.simulated += shard.count;
    for (const std::uint8_t status : shard.status) progress_.valid += status == 0;
    for (std::size_t i = 0; i < description_.outcomes.size(); ++i) {
      if (description_.outcomes[i].kind != OutcomeInfo::Kind::truth) continue;
      for (const double value : shard.outcomes[i]) progress_.true_count += value == 1;
      break;
    }
  }

  /// Reports what is done and the progress of the producer.
  void tell(const ProductionProgress& live) {
    if (!options_.on_progress) return;
    SweepProgress now = progress_;
    now.done += live.samples;
    now.simulated += live.samples;
    now.valid += live.samples - live.invalid;
    now.true_count += live.true_count;
    now.seconds = elapsed();
    options_.on_progress(now);
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  const DatasetDescription& description_;
  ShardProducer& producer_;
  const SweepOptions& options_;
  const DatasetFolder& folder_;
  const std::atomic<bool> never_{false};
  const std::atomic<bool>& stop_;
  const Clock::time_point begin_ = Clock::now();
  SweepProgress progress_;  ///< of finished shards
  SweepReport report_;
  std::future<void> committing_;  ///< the shard before
};

}  // namespace

std::vector<ShardRange> own_ranges(const DatasetDescription& description, const SweepOptions& options) {
  std::vector<ShardRange> own;
  for (const ShardRange& range : shard_ranges(description, options.n))
    if (range.index % options.shard_parts == options.shard_part - 1) own.push_back(range);
  return own;
}

SweepReport run_sweep(const DatasetDescription& description, ShardProducer& producer, const SweepOptions& options) {
  if (options.n < 1) throw UsageError("a sweep needs at least one sample, not " + std::to_string(options.n));
  const DatasetFolder folder(options.folder, description, options.n);
  return Sweep(description, producer, options, folder).run();
}

void parse_shard_part(const std::string& text, SweepOptions& options) {
  const char* const end = text.data() + text.size();
  std::int64_t part = 0, parts = 0;
  const auto slash = std::from_chars(text.data(), end, part);
  if (slash.ec == std::errc() && slash.ptr != end && *slash.ptr == '/') {
    const auto last = std::from_chars(slash.ptr + 1, end, parts);
    if (last.ec == std::errc() && last.ptr == end && 1 <= part && part <= parts) {
      options.shard_part = part;
      options.shard_parts = parts;
      return;
    }
  }
  throw UsageError("--shard wants k/n with 1 <= k <= n, not '" + text + "'");
}

}  // namespace jostle
