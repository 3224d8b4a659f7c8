#pragma once
// How a long computation asks its caller now and then whether to stop.
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>

namespace jostle {

/// The caller has said so where nothing could be left half done.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

/// Asks on the thread of the caller, about every 20 ms.
class Watch {
 public:
  /// `is_stopped` may be empty; it must outlive this.
  explicit Watch(const std::function<bool()>& is_stopped) : is_stopped_(is_stopped) {}

  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// After every turn of the calling thread; a look at the clock costs as much as a cheap one.
  void look(bool is_long) {
    if (!is_stopped_ || (!is_long && ++seen_ % 16 != 0)) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(20);
    if (is_stopped_()) stopped_ = true;
  }
  /// The same, but throws Stopped.
  void look_or_throw(bool is_long) {
    look(is_long);
    if (is_stopped()) throw Stopped();
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::function<bool()>& is_stopped_;
  std::atomic<bool> stopped_{false};
  int seen_ = 0;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(20);
};

}  // namespace jostle
