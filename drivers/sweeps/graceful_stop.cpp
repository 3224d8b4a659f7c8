#include "drivers/sweeps/graceful_stop.hpp"

namespace jostle {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 5s;  // to finish a shard; then it must still be written
constexpr auto poll_interval = 10ms;

}  // namespace

GracefulStop::GracefulStop(const std::atomic<bool>& asked)
    : asked_(asked), watcher_([this](const std::stop_token& end) { watch(end); }) {}

const std::atomic<bool>& GracefulStop::begin_shard() {
  begin_ = Clock::now();
  expected_end_ = never_known_;
  return drop_;
}

void GracefulStop::tell(std::int64_t done, std::int64_t samples) {
  if (done == 0) return;
  const double shard_over_part = static_cast<double>(samples) / static_cast<double>(done);
  const auto part = std::chrono::duration<double>(Clock::now() - begin_);
  expected_end_ =
      (begin_ + std::chrono::duration_cast<Clock::duration>(part * shard_over_part)).time_since_epoch().count();
}

bool GracefulStop::is_nearly_done() const {
  const Clock::rep end = expected_end_;
  return end != never_known_ && Clock::time_point(Clock::duration(end)) < Clock::now() + patience;
}

void GracefulStop::watch(const std::stop_token& end) {
  while (!is_asked() && !end.stop_requested()) std::this_thread::sleep_for(poll_interval);
  const Clock::time_point asked_at = Clock::now();
  if (is_nearly_done())
    while (Clock::now() < asked_at + patience && !end.stop_requested()) std::this_thread::sleep_for(poll_interval);
  drop_ = true;
}

}  // namespace jostle
