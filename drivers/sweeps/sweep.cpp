#include "drivers/sweeps/sweep.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <chrono>
#include <future>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "drivers/datasets/job_log.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/errors.hpp"
#include "drivers/ranks/together.hpp"
#include "drivers/reports/report_page.hpp"
#include "drivers/statistics/run_statistics.hpp"
#include "drivers/sweeps/dataset_folder.hpp"
#include "drivers/sweeps/graceful_stop.hpp"
#include "drivers/sweeps/shared_progress.hpp"
#include "drivers/sweeps/sweep_report.hpp"

namespace jostle {
namespace {

Job job_of(const DatasetDescription& description, const SweepOptions& options) {
  Job job;
  job.share = shard_part_text(options);
  job.samples = options.n;
  job.has_meta = options.has_meta;
  job.identity = identity_of(description);
  return job;
}

/// Many ranks read a few shards each in less time than each would read the logs of all.
KnownShards known_to(const Ranks& ranks, const std::filesystem::path& folder, const DatasetDescription& description) {
  constexpr int most_readers = 16;
  return ranks.size() > most_readers ? KnownShards() : KnownShards(folder, read_jobs(folder), description);
}

class Sweep {
 public:
  Sweep(const DatasetDescription& description, ShardProducer& producer, const SweepOptions& options,
        const DatasetFolder& folder, Ranks& ranks)
      : description_(description),
        producer_(producer),
        options_(options),
        folder_(folder),
        ranks_(ranks),
        ranges_(own_ranges(description, options)),
        log_(folder.path(), job_of(description, options)),
        known_(known_to(ranks, folder.path(), description)),
        stop_(options.stop ? *options.stop : never_),
        progress_(options, samples_of(ranges_), ranks, stop_) {
    report_.folder = folder.path();
    report_.n = options.n;
    report_.groups = description.record.groups();
    if (!folder.lock().works() && ranks.rank() == 0) warn_of_missing_locks(folder.path(), log_.job());
  }

  SweepReport run() {
    const bool finished = make_all();
    report_.seconds = progress_.seconds();
    share_report();
    if (!finished) {
      report_.end = SweepReport::End::interrupted;
      return report_;
    }
    const bool complete = is_complete();
    report_.statistics = read_statistics(folder_.path(), description_, ranges_to_read(complete), ranks_);
    together(ranks_, [&] { folder_.lock().check_place(); });
    report_.end = complete ? SweepReport::End::complete : SweepReport::End::partial;
    explain(report_.statistics,
            [this](std::int64_t sample, Status status) { return producer_.reason(sample, status); });
    together(ranks_, [&] {
      if (complete && ranks_.rank() == 0) write_views();
    });
    return report_;
  }

 private:
  /// False if stopped. A rank that fails stops the others, and then all throw.
  bool make_all() {
    std::exception_ptr failure;
    try {
      make_shards();
      finish_writing();
    } catch (...) {
      failure = std::current_exception();
      stop_.ask();
    }
    progress_.rest();
    together(ranks_, [&] {
      if (failure) std::rethrow_exception(failure);
    });
    std::int64_t stopped = stop_.is_asked();
    ranks_.largest(std::span(&stopped, 1));
    return stopped == 0;
  }

  /// First makes shards that no other process works on, then waits for the others and makes what is missing.
  void make_shards() {
    std::vector<ShardRange> busy;
    while (const std::optional<ShardRange> range = next()) {
      auto held = folder_.lock().try_shard(range->index);
      if (held) {
        make_shard_if_missing(*range, std::move(*held));
      } else {
        if (busy.empty()) warn_of_same_share(folder_.path(), log_.job(), range->index);
        busy.push_back(*range);
      }
    }
    for (const ShardRange& range : busy) {
      finish_writing();  // before it waits
      auto held = folder_.lock().wait_for_shard(range.index, stop_.drop());
      if (!held) return;
      make_shard_if_missing(range, std::move(*held));
    }
  }

  /// The next shard that no other rank has taken. Nothing if all are, or if the sweep is to stop.
  std::optional<ShardRange> next() {
    if (stop_.is_asked()) return {};
    const auto at = static_cast<std::size_t>(ranks_.take_next());
    if (at >= ranges_.size()) return {};
    return ranges_[at];
  }

  /// Keeps a shard that is complete, even if it has more samples than needed.
  void make_shard_if_missing(const ShardRange& range, FolderLock::Held held) {
    if (stop_.is_asked()) return;
    folder_.lock().check_place();
    const auto path = folder_.shard_path(range.index);
    if (is_there(path, range)) {
      report_.kept += range.count;
      spdlog::debug("{}: is there", path.string());
    } else {
      folder_.prepare_for_shard(range.index);
      const std::atomic<bool>& drop = stop_.begin_shard();
      const auto on_progress = [&](const ProductionProgress& live) {
        stop_.tell(live.samples, range.count);
        log_.breathe();
        progress_.tell(live);
        if (committing_.valid() && committing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
          finish_writing();  // throws at once if the shard before cannot be synced
      };
      auto shard = producer_.produce(range.first, range.count, on_progress, drop);
      if (!shard) return;
      count(*shard);
      finish_writing();
      write(path, range, std::move(*shard), std::move(held));
    }
    done_.push_back(range);
    progress_.add_done(range.count);
  }

  bool is_there(const std::filesystem::path& path, const ShardRange& range) {
    if (known_.has(path, range)) return true;
    if (!verify_shard(path, description_, range.first, range.count)) return false;
    log_.add(path, range, false);
    return true;
  }

  /// By all threads; only the disk has the time until the next shard is there.
  void write(const std::filesystem::path& path, const ShardRange& range, ShardData shard, FolderLock::Held held) {
    WrittenShard written =
        folder_.in_place([&] { return write_uncommitted_shard(path, description_, shard, options_.scratch); });
    producer_.reuse(std::move(shard));
    committing_ = std::async(std::launch::async,
                             [this, path, range, file = std::move(written.file), lock = std::move(held)]() mutable {
                               const FolderLock::Held until_committed = std::move(lock);
                               folder_.in_place([&] { file.commit(); });
                               log_.add(path, range, true);
                               spdlog::debug("{}: written after {:.1f} s", path.string(), progress_.seconds());
                             });
  }
  void finish_writing() {
    if (committing_.valid()) committing_.get();
  }

  void count(const ShardData& shard) {
    report_.simulated += shard.count;
    report_.simulated_steps += std::accumulate(shard.steps.begin(), shard.steps.end(), std::int64_t{0});
    progress_.add_simulated(description_, shard);
  }

  void share_report() {
    std::array numbers = {report_.simulated, report_.simulated_steps, report_.kept};
    ranks_.sum(numbers);
    report_.simulated = numbers[0], report_.simulated_steps = numbers[1], report_.kept = numbers[2];
  }

  /// Whether all n samples are there, now that the own ones are.
  bool is_complete() {
    std::int64_t complete = options_.shard_parts == 1;
    together(ranks_, [&] {
      if (complete == 0 && ranks_.rank() == 0) complete = samples_of(folder_.shards_there(ranges_)) == options_.n;
    });
    ranks_.largest(std::span(&complete, 1));
    return complete != 0;
  }

  /// A rank reads what it has made. What other jobs have made is dealt out.
  std::vector<ShardRange> ranges_to_read(bool complete) {
    std::ranges::sort(done_, {}, &ShardRange::index);
    if (options_.shard_parts == 1 || !complete) return done_;
    return dealt(shard_ranges(description_, options_.n), ranks_);
  }

  void write_views() {
    const auto ranges = shard_ranges(description_, options_.n);
    const std::string page =
        report_page(folder_.path(), description_, ranges, report_.statistics, {"", options_.picture, {}});
    folder_.write_views(ranges, report_.statistics, page);
  }

  const DatasetDescription& description_;
  ShardProducer& producer_;
  const SweepOptions& options_;
  const DatasetFolder& folder_;
  Ranks& ranks_;
  const std::vector<ShardRange> ranges_;  ///< of all ranks
  std::vector<ShardRange> done_;          ///< of this rank
  JobLog log_;
  const KnownShards known_;
  const std::atomic<bool> never_{false};
  GracefulStop stop_;
  SharedProgress progress_;
  SweepReport report_;
  std::future<void> committing_;  ///< the shard before
};

}  // namespace

SweepReport run_sweep(const DatasetDescription& description, ShardProducer& producer, const SweepOptions& options) {
  if (options.n < 1) throw UsageError("a sweep needs at least one sample, not " + std::to_string(options.n));
  check_shard_part(options);
  OneRank alone;
  Ranks& ranks = options.ranks ? *options.ranks : alone;
  const bool is_disjoint = options.shard_parts > 1 || ranks.size() > 1;
  const WithoutLocks without = is_disjoint ? WithoutLocks::go_on : WithoutLocks::refuse;
  std::optional<DatasetFolder> folder;
  std::optional<Sweep> sweep;
  together(ranks, [&] {
    folder.emplace(options.folder, description, options.n, without);
    sweep.emplace(description, producer, options, *folder, ranks);
  });
  return sweep->run();
}

}  // namespace jostle
