#pragma once
// A team of any number of lanes on one CPU thread: it runs the code of a warp without a GPU.
//
//   run_on_emulated_team(lanes, seed, [&](const EmulatedTeam& team) { stage(team, view, options); });
//
// Every lane is a fiber. A sync() switches to the other lanes, and between two syncs the lanes run in an order shuffled
// by the seed, so that a missing sync() shows as a result that depends on the seed. Which lane gets which index changes
// from call to call, because core/team.hpp promises nothing about it.
// Lanes that disagree about their syncs, which would hang a warp, throw std::logic_error.
#include <ucontext.h>

#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define JOSTLE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JOSTLE_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(JOSTLE_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif

namespace jostle {

/// The fibers of one team. Used through run_on_emulated_team.
class EmulatedLanes {
 public:
  /// What a lane waits for. All lanes must wait for the same thing.
  enum class Wait { sync, exchange };

  EmulatedLanes(int count, unsigned seed) : random_(seed), lanes_(count), leader_(int(seed % unsigned(count))) {}
  EmulatedLanes(const EmulatedLanes&) = delete;
  EmulatedLanes& operator=(const EmulatedLanes&) = delete;

  /// Runs body(lane) on every lane to its end. An exception of a lane ends all lanes and is rethrown.
  void run(std::function<void(int)> body) {
    body_ = std::move(body);
    for (Lane& lane : lanes_) start(lane);
    std::vector<int> order(lanes_.size());
    std::iota(order.begin(), order.end(), 0);
    for (bool running = true; running;) {
      shuffle(order);
      for (const int lane : order) resume(lane);
      running = !failure_ && lanes_agree();
    }
    abandon();
    entering_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  /// Called by a lane: switches to the others until every lane has come here.
  void wait(Wait reason) {
    Lane& lane = lanes_[current_];
    lane.wait = reason;
    leave(lane, false);
    if (abandoned_) throw Abandoned{};
  }

  int count() const { return int(lanes_.size()); }
  int leader() const { return leader_; }
  unsigned char* slot(int lane) { return lanes_[lane].slot; }

  /// The first index of a lane in its next loop over indices.
  int next_first(int lane) {
    return static_cast<int>((static_cast<unsigned>(lane) + lanes_[lane].loops++) % static_cast<unsigned>(count()));
  }

  static constexpr int slot_bytes = 128;

 private:
  struct Abandoned {};
  struct Lane {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[stack_bytes]};
    bool done;
    unsigned loops = 0;  ///< so far
    Wait wait;
    alignas(16) unsigned char slot[slot_bytes];  ///< what the lane shows to the others in a select
    void* fake_stack = nullptr;                  ///< of the address sanitizer
  };

  static constexpr std::size_t stack_bytes = 1 << 20;

  void start(Lane& lane) {
    lane.done = false;
    getcontext(&lane.context);
    lane.context.uc_stack.ss_sp = lane.stack.get();
    lane.context.uc_stack.ss_size = stack_bytes;
    lane.context.uc_link = nullptr;
    makecontext(&lane.context, &EmulatedLanes::enter, 0);
#if defined(JOSTLE_ADDRESS_SANITIZER)
    // At every switch to a stack whose size it knows, the sanitizer forgets what it has seen on that stack. It is told
    // of every switch below, so that it need not.
    lane.context.uc_stack.ss_size = 0;
#endif
  }

  // The first frame of a fiber. Nothing may be thrown out of it, and it does not return.
  static void enter() {
    EmulatedLanes& self = *entering_;
    self.arrive(nullptr);
    const int lane = self.current_;
    try {
      self.body_(lane);
    } catch (const Abandoned&) {
    } catch (...) {
      if (!self.failure_) self.failure_ = std::current_exception();
    }
    self.lanes_[lane].done = true;
    self.leave(self.lanes_[lane], true);
  }

  // Not std::shuffle, whose result depends on the standard library.
  void shuffle(std::vector<int>& order) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
  }

  bool lanes_agree() {
    for (const Lane& lane : lanes_) {
      const bool agrees = lane.done == lanes_[0].done && (lane.done || lane.wait == lanes_[0].wait);
      if (agrees) continue;
      failure_ = std::make_exception_ptr(std::logic_error("lanes of a team disagree about the number of syncs"));
      return false;
    }
    return !lanes_[0].done;
  }

  // Unwinds the lanes that still wait, so that objects on their stacks are destroyed.
  void abandon() {
    abandoned_ = true;
    for (int lane = 0; lane < count(); ++lane) {
      if (!lanes_[lane].done) resume(lane);
    }
    abandoned_ = false;
  }

  void resume(int lane) {
    current_ = lane;
    entering_ = this;
#if defined(JOSTLE_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(&fake_stack_, lanes_[lane].stack.get(), stack_bytes);
#endif
    swapcontext(&scheduler_, &lanes_[lane].context);
#if defined(JOSTLE_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
#endif
  }

  void leave(Lane& lane, [[maybe_unused]] bool for_ever) {
#if defined(JOSTLE_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(for_ever ? nullptr : &lane.fake_stack, scheduler_stack_, scheduler_stack_bytes_);
#endif
    swapcontext(&lane.context, &scheduler_);
    arrive(lane.fake_stack);
  }

  void arrive([[maybe_unused]] void* fake_stack) {
#if defined(JOSTLE_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(fake_stack, &scheduler_stack_, &scheduler_stack_bytes_);
#endif
  }

  static inline thread_local EmulatedLanes* entering_ = nullptr;

  std::mt19937 random_;
  std::vector<Lane> lanes_;
  int leader_;
  std::function<void(int)> body_;
  std::exception_ptr failure_;
  ucontext_t scheduler_{};
  int current_ = 0;
  bool abandoned_ = false;
  [[maybe_unused]] void* fake_stack_ = nullptr;  // these three are for the address sanitizer
  [[maybe_unused]] const void* scheduler_stack_ = nullptr;
  [[maybe_unused]] std::size_t scheduler_stack_bytes_ = 0;
};

/// A lane's handle, with the functions of core/team.hpp.
class EmulatedTeam {
 public:
  EmulatedTeam(EmulatedLanes& lanes, int lane) : lanes_(&lanes), lane_(lane) {}

  template <class F>
  void for_each(int n, F f) const {
    for (int i = lanes_->next_first(lane_); i < n; i += lanes_->count()) f(i);
  }

  // A lane without its own item repeats the last, as on a GPU: repeating cannot change a selection.
  template <class Make, class Better>
  auto select(int n, Make make, Better better) const {
    sync();
    const int first = lanes_->next_first(lane_);
    auto best = make(first < n ? first : n - 1);
    using Item = decltype(best);
    static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) <= EmulatedLanes::slot_bytes);
    for (int i = first + lanes_->count(); i < n; i += lanes_->count()) {
      const auto next = make(i);
      if (better(next, best)) best = next;
    }
    std::memcpy(lanes_->slot(lane_), &best, sizeof best);
    lanes_->wait(EmulatedLanes::Wait::exchange);
    for (int other_lane = 0; other_lane < lanes_->count(); ++other_lane) {
      Item other = best;
      std::memcpy(&other, lanes_->slot(other_lane), sizeof other);
      if (better(other, best)) best = other;
    }
    return best;
  }

  // Always the same lane, but not always the first.
  template <class F>
  void once(F f) const {
    if (lane_ == lanes_->leader()) f();
  }

  void sync() const { lanes_->wait(EmulatedLanes::Wait::sync); }

  int lane() const { return lane_; }

 private:
  EmulatedLanes* lanes_;
  int lane_;
};

/// Runs body(team) on `lanes` lanes. What the lanes return, if anything, comes back in a vector, one
/// element per lane.
template <class Body>
auto run_on_emulated_team(int lanes, unsigned seed, Body body) {
  using Result = std::invoke_result_t<Body&, const EmulatedTeam&>;
  EmulatedLanes fibers(lanes, seed);
  if constexpr (std::is_void_v<Result>) {
    fibers.run([&](int lane) { body(EmulatedTeam(fibers, lane)); });
  } else {
    std::vector<Result> results(lanes);
    fibers.run([&](int lane) { results[lane] = body(EmulatedTeam(fibers, lane)); });
    return results;
  }
}

}  // namespace jostle
