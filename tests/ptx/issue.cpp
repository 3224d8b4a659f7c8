#include "tests/ptx/issue.hpp"

#include <algorithm>
#include <bit>

namespace jostle::ptx {
namespace {

/// Whether a place comes before another in the order of the program. Who is about to call a function comes before those
/// who are in it.
bool is_before(const Step& a, const Step& b) {
  if (a.path == b.path) return a.instruction->order < b.instruction->order;
  const CallPath *path_a = a.path, *path_b = b.path;
  const Instruction *at_a = a.instruction, *at_b = b.instruction;
  for (; path_a->depth > path_b->depth; path_a = path_a->caller) at_a = path_a->site;
  for (; path_b->depth > path_a->depth; path_b = path_b->caller) at_b = path_b->site;
  for (; path_a != path_b; path_a = path_a->caller, path_b = path_b->caller) at_a = path_a->site, at_b = path_b->site;
  return at_a != at_b ? at_a->order < at_b->order : a.path->depth < b.path->depth;
}

bool is_same(const Step& a, const Step& b) { return a.instruction == b.instruction && a.path == b.path; }

std::uint32_t first_lanes(unsigned count) { return count >= warp_size ? ~std::uint32_t{0} : (1u << count) - 1; }

template <class F>
void for_each_lane(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace

/// A lane at a meeting waits until all the others are at it, wherever in the text that is.
bool SideBySide::may_go_on(unsigned lane) {
  const std::uint32_t mask = next(lane).mask & members_;
  if (mask == 0 || (met_ >> lane & 1) != 0) return true;
  bool all = true;
  double latest = 0;
  for_each_lane(mask, [&](unsigned k) {
    all = all && has_next(k) && (next(k).mask & members_) == mask;
    latest = std::max(latest, clocks_[k]);
  });
  if (!all) return false;
  met_ |= mask;
  for_each_lane(mask, [&](unsigned k) { clocks_[k] = latest; });
  return true;
}

void SideBySide::advance(std::uint32_t closed) {
  for (;;) {
    std::uint32_t first = 0;
    const Step* least = nullptr;
    bool all_known = true;
    for_each_lane(members_, [&](unsigned lane) {
      if (!has_next(lane)) {
        all_known = all_known && (closed >> lane & 1) != 0;
        return;
      }
      if (!all_known || !may_go_on(lane)) return;
      const Step& step = next(lane);
      if (least && is_same(step, *least)) {
        first |= 1u << lane;
      } else if (!least || is_before(step, *least)) {
        least = &step;
        first = 1u << lane;
      }
    });
    if (!all_known || !least) return;
    issue(first);
  }
}

void SideBySide::issue(std::uint32_t lanes) {
  const Step& first = next(static_cast<unsigned>(std::countr_zero(lanes)));
  const Cost& cost = first.instruction->cost;
  unsigned reached = 0;
  double special = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const Step& step = next(lane);
    const double own = step.is_special ? cost.special : 0;
    reached |= 1u << static_cast<unsigned>(step.access);
    special = std::max(special, own);
    clocks_[lane] += cost.slots + own;
    ++used_[lane];
  });
  const auto any = [&](Access access) { return (reached >> static_cast<unsigned>(access) & 1) != 0 ? 1 : 0; };
  met_ &= ~lanes;
  count_.together += cost.slots + special;
  in_calls_[first.path] += cost.slots + special;
  IssueCount::Use& use = count_.code[first.instruction->line];
  use.size = cost.size, use.times += 1;
  if (use.times == 1 && first.path && first.path->site) use.function = first.path->site->callee->name;
  count_.special += special;
  count_.intermediate += 1;
  count_.local += any(Access::local) + cost.spills;
  count_.shared += any(Access::shared);
  count_.global += any(Access::global);
  for_each_lane(lanes, [&](unsigned lane) { count_.slowest = std::max(count_.slowest, clocks_[lane]); });
}

WarpIssue::WarpIssue(unsigned lanes, unsigned team_lanes)
    : lane_count_(lanes), team_lanes_(std::min(lanes, team_lanes)), together_(lanes_, first_lanes(lanes)) {
  for (LaneSteps& lane : lanes_) lane.paths = &paths_;
  for (unsigned first = 0; first < lanes && team_lanes_ < lanes; first += team_lanes_)
    teams_.emplace_back(lanes_, first_lanes(team_lanes_) << first);
}

void WarpIssue::advance(std::uint32_t closed) {
  together_.advance(closed);
  for (SideBySide& team : teams_) team.advance(closed);
  for (unsigned lane = 0; lane < lane_count_; ++lane) {
    SideBySide& team = teams_.empty() ? together_ : teams_[lane / team_lanes_];
    const std::size_t used = std::min(together_.used(lane), team.used(lane));
    std::vector<Step>& steps = lanes_[lane].steps;
    steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(used));
    together_.forget(lane, used);
    if (!teams_.empty()) team.forget(lane, used);
  }
}

void WarpIssue::add_to(IssueCount& count) const {
  const IssueCount& own = together_.count();
  count.together += own.together;
  count.slowest += own.slowest;
  count.intermediate += own.intermediate;
  count.special += own.special;
  count.local += own.local;
  count.shared += own.shared;
  count.global += own.global;
  for (const auto& [line, use] : own.code) {
    IssueCount::Use& all = count.code[line];
    all.size = use.size, all.times += use.times, all.function = use.function;
  }
  for (const auto& [path, slots] : together_.in_calls())
    for (const CallPath* call = path; call && call->site; call = call->caller)
      count.functions[call->site->callee->name] += slots;
  if (teams_.empty()) count.serialised += own.together;
  for (const SideBySide& team : teams_) count.serialised += team.count().together;
}

}  // namespace jostle::ptx
