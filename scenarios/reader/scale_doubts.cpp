// Numbers that look as if they had another unit.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scenarios/model/distribution.hpp"
#include "scenarios/model/range.hpp"
#include "scenarios/parameters/extents.hpp"
#include "scenarios/parameters/mass.hpp"
#include "scenarios/reader/doubts.hpp"

namespace jostle {
namespace {

constexpr double least_density = 20, largest_density = 25000;  ///< kg/m^3: of foams, and above osmium
constexpr double impossible_density = 1e6;                     ///< kg/m^3: of a point that stands for something
constexpr double heavy = 10000;                                ///< kg: of a body whose mass follows from its size
constexpr double far_away = 100;                               ///< sizes of a body
constexpr double metres = 1, micrometres = 1e-4;               ///< m: sizes that do not belong together
constexpr double least_share = 0.1;                            ///< of a mass that is counted twice
constexpr double least_filled = 0.02;                          ///< of an area that is counted twice
constexpr std::size_t most_bodies = 64;                        ///< whose pairs are looked at

class Scales {
 public:
  explicit Scales(const Scenario& scenario) : scenario_(scenario), medians_(medians_of(scenario)) {}

  std::vector<Fault> doubts() {
    for (const BodySpec& body : scenario_.bodies) {
      if (body.copy > 0) continue;
      look_at_densities(body);
      if (body.is_mover() && body.has_mass) look_at_mass(body);
      if (body.is_mover() && !body.inertia.given) look_at_notches(body);
      if (body.is_mover() && !body.has_mass) look_at_weight(body), look_at_shared_mass(body);
    }
    for (const JointSpec& joint : scenario_.joints) look_at_points("joint", joint);
    for (const SpringSpec& spring : scenario_.springs) look_at_points("spring", spring);
    if (scenario_.bodies.size() <= most_bodies) look_at_gaps();
    if (!(scenario_.units == UnitsSpec{})) look_at_gravity();
    return std::move(doubts_);
  }

 private:
  Draw draw() const { return medians_.data(); }
  /// What only holds of a file without other units.
  std::string if_si(const char* text) const { return scenario_.units == UnitsSpec{} ? text : ""; }

  void look_at_densities(const BodySpec& body) {
    const auto look = [&](const Number& number) {
      const Range range =
          number.code.empty() ? Range{number.constant, number.constant} : range_of(number, scenario_.variables);
      const bool is_light = range.largest < least_density;
      if (!is_light && !(range.least > largest_density)) return;
      doubts_.push_back({number.where, "body '" + body.name_in_file() + "' has a density of " +
                                           short_text(is_light ? range.largest : range.least) + " kg/m^3" +
                                           if_si("; densities are in kg/m^3") + " (water 1000, steel 7850)"});
    };
    if (!body.is_mover()) return;
    if (body.has_density) look(body.density);
    for (const ShapeSpec& shape : body.shapes)
      if (shape.has_density) look(shape.density);
  }

  void look_at_mass(const BodySpec& body) {
    const double mass = number_of(body.mass, draw()).value(), volume = volume_of(body, draw());
    if (!(volume > 0) || !(mass > impossible_density * volume)) return;
    const std::optional<Extents> extents = extents_of(body, draw());
    doubts_.push_back({body.mass.where, "body '" + body.name_in_file() + "' of " + short_text(extents->largest()) +
                                            " m has a mass of " + short_text(mass) +
                                            " kg: " + short_text(mass / volume) + " kg/m^3, more than any material" +
                                            if_si("; masses are in kg, lengths in m")});
  }

  void look_at_weight(const BodySpec& body) {
    const double mass = mass_of(body, draw()).mass.value();
    const std::optional<Extents> extents = extents_of(body, draw());
    if (!extents || !(mass > heavy)) return;
    doubts_.push_back({body.where, "body '" + body.name_in_file() + "' of " + short_text(extents->largest()) +
                                       " m weighs " + short_text(mass / 1000) + " t" +
                                       if_si("; lengths are in metres")});
  }

  void look_at_shared_mass(const BodySpec& body) {
    const std::optional<SharedMass> shared = shared_mass(body, draw());
    if (!shared || !(shared->once < (1 - least_share) * shared->counted)) return;
    doubts_.push_back(
        {body.where, "shapes " + std::to_string(shared->first) + " and " + std::to_string(shared->second) +
                         " of body '" + body.name_in_file() + "' overlap by " + short_text(shared->depth) +
                         " m, and what they share weighs twice: " + short_text(shared->counted) + " kg, about " +
                         short_text(shared->once) + " kg if it weighed once (give mass and inertia instead)"});
  }

  void look_at_notches(const BodySpec& body) {
    for (const ShapeSpec& shape : body.shapes) {
      const double share = shape.type == ShapeType::polygon ? filled_share(shape, draw()) : 0;
      if (!(share > least_filled)) continue;
      doubts_.push_back({shape.where, "the radius of a polygon of body '" + body.name_in_file() +
                                          "' fills notches, and what edges fill from both sides weighs twice, about " +
                                          short_text(std::round(100 * share)) +
                                          " % of its mass (give mass and inertia instead)"});
    }
  }

  template <class Tie>
  void look_at_points(const std::string& what, const Tie& tie) {
    for (int side = 0; side < 2; ++side) {
      const int index = tie.sides.bodies[side];
      if (index == world_body || tie.at.count == 0) continue;
      const BodySpec& body = scenario_.bodies[static_cast<std::size_t>(index)];
      const std::optional<Extents> extents = extents_of(body, draw());
      if (!extents || !body.is_mover()) continue;
      const Vec3 point = value_of(tie.at.points[tie.at.count == 2 ? side : 0], draw());
      const Vec3 arm = point - value_of(body.position, draw());
      const double distance = std::sqrt(dot(arm, arm)), size = extents->largest();
      if (!(size > 0) || !(distance > far_away * size)) continue;
      doubts_.push_back({tie.where, what + " '" + tie.name + "' has its point " + short_text(distance) + " m from '" +
                                        body.name + "', which is " + short_text(size) + " m large; points are " +
                                        if_si("in m, ") + "world, at the start"});
      return;
    }
  }

  /// In a file with mm, 9.81 is 9.81 mm/s^2.
  void look_at_gravity() {
    constexpr double little = 0.2;  // m/s^2
    const Vec3 gravity = value_of(scenario_.world.gravity, draw());
    const double size = std::sqrt(dot(gravity, gravity));
    if (size > 0 && size < little)
      doubts_.push_back({scenario_.world.gravity[2].where,
                         "world.gravity is " + short_text(size) +
                             " m/s^2, because it has the units of the file; leave it out for 9.81 m/s^2 along -z"});
  }

  void look_at_gaps() {
    for (int j = 0; j < static_cast<int>(scenario_.bodies.size()); ++j) {
      for (int i = 0; i < j; ++i) {
        if (!scenario_.pairs.may_touch(i, j)) continue;
        const BodySpec &a = scenario_.bodies[static_cast<std::size_t>(i)],
                       &b = scenario_.bodies[static_cast<std::size_t>(j)];
        const std::optional<Extents> of_a = extents_of(a, draw()), of_b = extents_of(b, draw());
        if (!of_a || !of_b || !(std::min(of_a->largest(), of_b->largest()) >= metres)) continue;
        const double gap = least_gap(a, b, draw(), micrometres);
        if (!(gap > start_rounding && gap < micrometres)) continue;
        doubts_.push_back({b.where, "'" + a.name + "' and '" + b.name + "' are " + short_text(of_a->largest()) +
                                        " m and " + short_text(of_b->largest()) + " m large and " + short_text(gap) +
                                        " m apart" + if_si("; lengths are in metres")});
        return;
      }
    }
  }

  const Scenario& scenario_;
  std::vector<double> medians_;
  std::vector<Fault> doubts_;
};

}  // namespace

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::vector<double> medians_of(const Scenario& scenario) {
  std::vector<double> medians;
  for (const Variable& variable : scenario.variables) medians.push_back(quantile(variable.distribution, 0.5));
  return medians;
}

std::vector<Fault> doubts_about_scales(const Scenario& scenario) { return Scales(scenario).doubts(); }

}  // namespace jostle
