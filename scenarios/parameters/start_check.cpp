#include "scenarios/parameters/start_check.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "core/geometry/shape_pair.hpp"
#include "core/model/system.hpp"
#include "scenarios/format/numbers.hpp"
#include "scenarios/model/range.hpp"
#include "scenarios/parameters/bind.hpp"

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

PlacedShape shape_in_world(const BodySpec& body, const ShapeSpec& shape, const double* variables,
                           std::vector<double>& corners) {
  PlacedShape placed = shape_in_body(shape, variables, &corners);
  const Mat3 axes = rotation_matrix(rotation_of(body.rotation, variables));
  placed.position = value_of(body.position, variables) + rotate(axes, placed.position);
  placed.axes = product(axes, placed.axes);
  return placed;
}

/// Signed distance of the nearest two shapes, m.
double least_gap(const BodySpec& a, const BodySpec& b, const double* variables) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<double> corners_a, corners_b;
  for (const ShapeSpec& one : a.shapes) {
    for (const ShapeSpec& other : b.shapes) {
      const PlacedShape first = shape_in_world(a, one, variables, corners_a);
      const PlacedShape second = shape_in_world(b, other, variables, corners_b);
      const double gap = one.type <= other.type ? signed_distance(first, second) : signed_distance(second, first);
      if (gap < least) least = gap;
    }
  }
  return least;
}

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
      const double gap = least_gap(a, b, variables);
      if (gap < -start_overlap) throw error_at(scenario, b.where, overlap_text(a, b, -gap));
    }
  }
}

}  // namespace jostle
