#pragma once
// What warps issue. A warp has one instruction in a slot, for those of its lanes that are at it together; lanes that
// have gone different ways take turns. So a warp costs what its lanes do at different places or times, and not the sum
// of what they do. Lanes are run one by one (machine.hpp); here their steps are laid side by side again.
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/ptx/program.hpp"

namespace jostle::ptx {

inline constexpr unsigned warp_size = 32;

/// What teams of one warp take from its slots, in machine instructions if the program knows them (Cost).
struct IssueCount {
  /// Lanes that are at the same instruction take it together, those of all teams of the warp. Where they have parted,
  /// those go first that are furthest behind (set_order), so that they meet again where the ways of a branch do, or at
  /// the end of a loop.
  double together = 0;
  double serialised = 0;  ///< the same, but one team after the other: the sum over the teams of a warp
  /// The slowest lane between two meetings, if no lane ever waited for a turn: no warp can take fewer slots.
  double slowest = 0;
  double intermediate = 0;  ///< slots of `together` in instructions of intermediate code
  double special = 0;       ///< of `together`, slots of divisions and roots near the ends of the range
  /// Of `together`, slots in which at least one lane reads or writes that memory. `local` has the spills.
  double local = 0, shared = 0, global = 0;
  /// An instruction that some lane has executed: the machine instructions that stand for it (Cost::size), and how often
  /// a warp has issued it.
  struct Use {
    double size = 0, times = 0;
    std::string function;  ///< in which it is; empty: the kernel
  };
  std::unordered_map<int, Use> code;  ///< by the line of the intermediate code
  /// Of `together`, slots by function, with those of the functions that it calls.
  std::map<std::string, double> functions;
};

/// A call of a function from a place in another one.
struct CallPath {
  const CallPath* caller = nullptr;
  const Instruction* site = nullptr;
  int depth = 0;
};

/// Keeps one CallPath for each way to get somewhere.
class CallPaths {
 public:
  const CallPath* from(const CallPath* caller, const Instruction* site) {
    return &paths_.try_emplace({caller, site}, CallPath{caller, site, caller ? caller->depth + 1 : 0}).first->second;
  }

 private:
  std::map<std::pair<const CallPath*, const Instruction*>, CallPath> paths_;
};

/// What a lane has executed.
struct Step {
  const CallPath* path = nullptr;  ///< to its function
  const Instruction* instruction = nullptr;
  std::uint32_t mask = 0;        ///< of a meeting: lanes of the warp that have met
  Access access = Access::none;  ///< the memory that it has reached
  bool is_special = false;       ///< a number was near the ends of the range
};

struct LaneSteps {
  CallPaths* paths = nullptr;
  std::vector<Step> steps;
};

/// Lays the steps of lanes side by side.
class SideBySide {
 public:
  /// Some lanes of a warp, as a mask.
  SideBySide(std::array<LaneSteps, warp_size>& lanes, std::uint32_t members) : lanes_(lanes), members_(members) {}

  /// Goes on as far as the steps of all lanes are known. Those of `closed` have no further ones before others do
  /// something: they have ended, or wait.
  void advance(std::uint32_t closed);
  /// How many steps of a lane it needs no more.
  std::size_t used(unsigned lane) const { return used_[lane]; }
  void forget(unsigned lane, std::size_t steps) { used_[lane] -= steps; }
  const IssueCount& count() const { return count_; }
  /// Slots in each call, without those of the calls in it.
  const std::map<const CallPath*, double>& in_calls() const { return in_calls_; }

 private:
  const Step& next(unsigned lane) const { return lanes_[lane].steps[used_[lane]]; }
  bool has_next(unsigned lane) const { return used_[lane] < lanes_[lane].steps.size(); }
  bool may_go_on(unsigned lane);
  void issue(std::uint32_t lanes);

  std::array<LaneSteps, warp_size>& lanes_;
  std::uint32_t members_;
  std::uint32_t met_ = 0;  ///< lanes whose next step is a meeting that all of its lanes have reached
  std::array<std::size_t, warp_size> used_{};
  std::array<double, warp_size> clocks_{};  ///< what each lane has done and waited for at meetings
  IssueCount count_;                        ///< without `functions`
  std::map<const CallPath*, double> in_calls_;
};

/// A warp whose lanes belong to teams of equal size.
class WarpIssue {
 public:
  WarpIssue(unsigned lanes, unsigned team_lanes);
  WarpIssue(const WarpIssue&) = delete;  // parts point to each other

  LaneSteps& lane(unsigned number) { return lanes_[number]; }
  void advance(std::uint32_t closed);
  void add_to(IssueCount& count) const;

 private:
  unsigned lane_count_, team_lanes_;
  CallPaths paths_;
  std::array<LaneSteps, warp_size> lanes_;
  SideBySide together_;
  std::vector<SideBySide> teams_;  ///< none if there is only one
};

}  // namespace jostle::ptx
