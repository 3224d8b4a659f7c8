#include "drivers/sweeps/shared_progress.hpp"

#include <algorithm>

namespace jostle {
namespace {

/// s between two messages to rank 0, which shall not get more than a thousand in a second. Rank 0 itself calls MPI more
/// often, because on some networks nobody else gets an answer before it does.
double interval(const Ranks& ranks) {
  constexpr double least = 0.1, each = 0.001;
  if (ranks.size() == 1) return 0;
  return ranks.rank() == 0 ? least : std::max(least, each * ranks.size());
}

}  // namespace

void SharedProgress::add_done(std::int64_t samples) {
  finished_.done += samples;
  tell({});
}

void SharedProgress::add_simulated(const DatasetDescription& description, const ShardData& shard) {
  finished_.simulated += shard.count;
  finished_.valid += std::ranges::count(shard.status, static_cast<std::uint8_t>(Status::ok));
  if (const int truth = first_truth(description); truth >= 0)
    finished_.true_count += std::ranges::count(shard.outcomes[static_cast<std::size_t>(truth)], 1.0);
}

void SharedProgress::tell(const ProductionProgress& live) {
  if (seconds() - told_at_ >= interval(ranks_)) share(live);
}

void SharedProgress::rest() {
  finished_.resting = 1;
  share({});
  ranks_.wait_for_all([this] { share({}); });
}

/// Tells what is new and asks what the others have done.
void SharedProgress::share(const ProductionProgress& live) {
  SharedCounts now = finished_;
  now.done += live.samples;
  now.simulated += live.samples;
  now.valid += live.samples - live.invalid;
  now.true_count += live.true_count;
  now.stops = stop_.is_asked();
  const SharedCounts amounts = {now.done - told_.done,       now.simulated - told_.simulated,
                                now.valid - told_.valid,     now.true_count - told_.true_count,
                                now.resting - told_.resting, now.stops - told_.stops};
  const SharedCounts before = ranks_.add(amounts);
  told_ = now;
  told_at_ = seconds();
  if (before.stops > 0) stop_.ask();
  if (!options_.on_progress || ranks_.rank() != 0) return;
  SweepProgress all{before.done + amounts.done, total_, before.simulated + amounts.simulated};
  all.valid = before.valid + amounts.valid;
  all.true_count = before.true_count + amounts.true_count;
  all.seconds = told_at_;
  all.ranks = ranks_.size();
  all.at_work = ranks_.size() - static_cast<int>(before.resting + amounts.resting);
  options_.on_progress(all);
}

}  // namespace jostle
