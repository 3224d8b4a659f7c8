#include "scenarios/parameters/start_check.hpp"

#include <cstdio>

#include "core/model/system.hpp"
#include "scenarios/format/numbers.hpp"
#include "scenarios/model/range.hpp"
#include "scenarios/parameters/extents.hpp"

namespace jostle {
namespace {

/// Which numbers of a scenario differ between its samples.
class Drawn {
 public:
  explicit Drawn(const Scenario& scenario) {
    const bool table = scenario.sample.method == SampleMethod::table;  // its columns may hold anything
    for (const Variable& variable : scenario.variables) {
      const Range range = range_of(variable.distribution);
      drawn_.push_back(table || range.least < range.largest);
    }
    for (const VariedSpec& varied : scenario.sample.vary) drawn_[static_cast<std::size_t>(varied.variable)] = true;
  }

  bool moves(const BodySpec& body) const {
    bool moves = false;
    const auto look = [&](int variable) { moves = moves || drawn_[static_cast<std::size_t>(variable)]; };
    for (const Number& number : body.position) visit_variables_of(number.code, look);
    visit_variables(body.rotation, look);
    for (const ShapeSpec& shape : body.shapes) visit_variables(shape, look);
    return moves;
  }

 private:
  std::vector<bool> drawn_;
};

std::string overlap_text(const BodySpec& a, const BodySpec& b, double depth) {
  char amount[32];
  std::snprintf(amount, sizeof amount, "%.3g", depth);
  return "'" + a.name + "' and '" + b.name + "' overlap at the start by " + amount + " m";
}

}  // namespace

void check_start(const Scenario& scenario, const double* variables) {
  const Drawn drawn(scenario);
  for (int j = 0; j < static_cast<int>(scenario.bodies.size()); ++j) {
    for (int i = 0; i < j; ++i) {
      const BodySpec &a = scenario.bodies[static_cast<std::size_t>(i)],
                     &b = scenario.bodies[static_cast<std::size_t>(j)];
      if (!scenario.pairs.may_touch(i, j) || drawn.moves(a) || drawn.moves(b)) continue;
      const double gap = least_gap(a, b, variables, 0);
      if (gap < -start_overlap)
        throw error_at(scenario, b.where, overlap_text(a, b, -gap) + "; `jostle view` shows where");
    }
  }
}

std::optional<Fault> overlap_of(const Scenario& scenario, const double* variables) {
  std::optional<Fault> deepest;
  double least = -start_overlap;
  for (int j = 0; j < static_cast<int>(scenario.bodies.size()); ++j) {
    for (int i = 0; i < j; ++i) {
      if (!scenario.pairs.may_touch(i, j)) continue;
      const BodySpec &a = scenario.bodies[static_cast<std::size_t>(i)],
                     &b = scenario.bodies[static_cast<std::size_t>(j)];
      const double gap = least_gap(a, b, variables, 0);
      if (gap < least) deepest = {b.where, overlap_text(a, b, -gap)}, least = gap;
    }
  }
  return deepest;
}

}  // namespace jostle
