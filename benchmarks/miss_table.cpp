// Why LCPs go to Lemke's method: the modes that the state keeps before and after every step tell what the contacts have
// changed in it. It runs the code that sweeps run.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "benchmarks/tables.hpp"
#include "core/batch/batch.hpp"
#include "core/problem/mode.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

using Kind = Mode::Kind;

/// What a step has changed: the first of these that happened.
enum Reason { held, divided, closes, opens, slides, grips, turns, joint, same, reason_count };
constexpr const char* reason_names[] = {"held",         "impact or event", "new contact",
                                        "lost contact", "stick to slip",   "slip to stick",
                                        "other slip",   "only a joint",    "nothing"};

struct Changes {
  std::array<int, reason_count> of{};
  int modes = 0;

  void note(Reason reason) { ++of[reason], ++modes; }
  void compare(Mode before, Mode after) {
    const auto is_closed = [](Mode mode) { return mode.kind > Kind::open; };
    if (is_closed(before) != is_closed(after)) return note(is_closed(after) ? closes : opens);
    if (!is_closed(after) || before == after) return;
    if (before.kind == Kind::stick) return note(slides);
    note(after.kind == Kind::stick ? grips : turns);
  }
  Reason first() const {
    return static_cast<Reason>(std::find_if(of.begin(), of.end() - 1, [](int n) { return n > 0; }) - of.begin());
  }
};

/// The modes that the state keeps.
class KeptModes {
 public:
  KeptModes(const StateView& state, const Dimensions& d)
      : contacts_(state.modes, state.modes + d.modes), bounds_(state.bound_modes, state.bound_modes + d.joint_bounds) {}

  Changes changes_to(const KeptModes& after, const System& system) const {
    Changes changes;
    for (int p = 0; p < system.model.dimensions.pairs; ++p) {
      const PairModel& pair = system.model.pairs[p];
      const auto first = static_cast<std::size_t>(pair.first_mode);
      const std::size_t end = first + static_cast<std::size_t>(pair.modes);
      for (std::size_t i = first; i < end; ++i) {
        const KeptMode before = contacts_[i], now = after.contacts_[i];
        if (!before.is_none()) changes.compare(before.mode, after.mode_of(before.feature(), first, end));
        if (!now.is_none() && mode_of(now.feature(), first, end) == Mode{}) changes.compare({}, now.mode);
      }
    }
    for (std::size_t b = 0; b < bounds_.size(); ++b)
      if (!bounds_[b].is_same(after.bounds_[b])) changes.note(joint);
    return changes;
  }

 private:
  /// Unknown: there is none.
  Mode mode_of(int feature, std::size_t first, std::size_t end) const {
    for (std::size_t i = first; i < end && !contacts_[i].is_none(); ++i)
      if (contacts_[i].feature() == feature) return contacts_[i].mode;
    return {};
  }

  std::vector<KeptMode> contacts_;
  std::vector<Mode> bounds_;
};

struct Row {
  double steps = 0, lcps = 0, missed_steps = 0, missed = 0, pivots = 0, contacts = 0, size = 0, modes = 0;

  void add(const StepResult& result, const Changes& changes) {
    steps += 1, lcps += result.solves;
    if (result.pivoted == 0) return;
    missed_steps += 1, missed += result.pivoted, pivots += result.pivots;
    contacts += result.contacts, size += result.lcp_size, modes += changes.modes;
  }
};
using Rows = std::array<Row, reason_count>;

void sweep(const Ensemble& ensemble, std::int64_t samples, Rows& rows) {
  WorkspaceMemory memory(ensemble.model(), 0);
  const int steps = static_cast<int>(ensemble.model().total_steps);
  for (std::int64_t sample = 0; sample < std::min(samples, ensemble.count()); ++sample) {
    Batch batch(ensemble.model(), 1);
    ensemble.load(sample, batch, 0);
    KeptModes before(batch.state(0), ensemble.model().view(0).dimensions);
    run_system(batch, 0, steps, memory, [&](const System& system, const Workspace&, const StepResult& result) {
      if (result.rests) return;
      const KeptModes after(system.state(), system.model.dimensions);
      Changes changes = before.changes_to(after, system);
      before = after;
      if (result.held) changes.of[held] = 1;
      if (result.events > 0) changes.of[divided] = 1;
      rows[changes.first()].add(result, changes);
    });
  }
}

void print_rows(const std::string& name, const Rows& rows) {
  double steps = 0, lcps = 0, pivots = 0;
  for (const Row& row : rows) steps += row.steps, lcps += row.lcps, pivots += row.pivots;
  for (int reason = 0; reason < reason_count; ++reason) {
    const Row& row = rows[static_cast<std::size_t>(reason)];
    if (row.steps == 0) continue;
    const double missed = std::max(row.missed_steps, 1.0);
    std::printf("%-15s %-16s %7.2f %8.2f %8.2f %8.1f %8.1f %8.1f %7.1f %7.1f\n", name.c_str(), reason_names[reason],
                100 * row.steps / steps, 100 * row.missed_steps / row.steps, 100 * row.missed / lcps,
                100 * row.pivots / std::max(pivots, 1.0), row.pivots / missed, row.contacts / missed, row.size / missed,
                row.modes / missed);
  }
  std::fflush(stdout);
}

}  // namespace

void print_miss_table(std::int64_t samples, std::vector<std::string> names) {
  if (names.empty()) names = library_scenarios;
  std::printf("%-15s %-16s %7s %8s %8s %8s %8s %8s %7s %7s\n", "scenario", "changes", "steps%", "missed%", "lemke%",
              "pivots%", "pivots", "contacts", "n", "modes");
  for (const std::string& name : names) {
    Rows rows{};
    sweep(Ensemble{read_scenario("scenarios/library/" + name + ".yaml")}, samples, rows);
    print_rows(name, rows);
  }
}

}  // namespace jostle
