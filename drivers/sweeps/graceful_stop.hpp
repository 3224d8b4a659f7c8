#pragma once
// What becomes of the shard at work when a sweep is to stop: it is finished if that takes only seconds, else dropped.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace jostle {

class GracefulStop {
 public:
  /// `asked`: set when the sweep is to stop; must outlive this.
  explicit GracefulStop(const std::atomic<bool>& asked);

  /// Stop for another reason than `asked`.
  void ask() { asked_here_ = true; }
  bool is_asked() const { return asked_ || asked_here_; }
  /// Set once nothing is waited for any more.
  const std::atomic<bool>& drop() const { return drop_; }
  /// A shard begins; its producer stops once drop() is set, which is returned.
  const std::atomic<bool>& begin_shard();
  /// So many of its samples are done.
  void tell(std::int64_t done, std::int64_t samples);

 private:
  using Clock = std::chrono::steady_clock;

  void watch(const std::stop_token& end);
  bool is_nearly_done() const;

  const std::atomic<bool>& asked_;
  std::atomic<bool> asked_here_ = false;
  Clock::time_point begin_ = Clock::now();               ///< of the shard
  std::atomic<Clock::rep> expected_end_ = never_known_;  ///< of the shard, since the clock's epoch
  std::atomic<bool> drop_ = false;
  std::jthread watcher_;  ///< a sample may take minutes, and nobody else looks meanwhile

  static constexpr Clock::rep never_known_ = 0;
};

}  // namespace jostle
