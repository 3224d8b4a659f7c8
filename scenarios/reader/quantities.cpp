// The quantities that outcomes, records and forces use, by their names.
#include <algorithm>
#include <string>
#include <vector>

#include "core/geometry/shape_pair.hpp"
#include "scenarios/format/words.hpp"
#include "scenarios/reader/sections.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

struct Property {
  std::string_view name;
  Quantity::Kind kind;
  bool has_components = false;
};

constexpr Property properties[] = {
    {"position", Quantity::Kind::position, true},
    {"velocity", Quantity::Kind::velocity, true},
    {"spin", Quantity::Kind::spin, true},
    {"axis_x", Quantity::Kind::axis_x, true},
    {"axis_y", Quantity::Kind::axis_y, true},
    {"axis_z", Quantity::Kind::axis_z, true},
    {"angle", Quantity::Kind::angle},
    {"normal_impulse", Quantity::Kind::normal_impulse},
    {"friction_impulse", Quantity::Kind::friction_impulse},
    {"contacts", Quantity::Kind::contacts},
    {"kinetic_energy", Quantity::Kind::kinetic_energy},
    {"impulse", Quantity::Kind::given_impulse, true},
    {"normal_force", Quantity::Kind::normal_force},
    {"force", Quantity::Kind::contact_force, true},
    {"torque", Quantity::Kind::contact_torque, true},
    {"impact", Quantity::Kind::contact_impact, true},
    {"resting_face", Quantity::Kind::resting_face},
};

constexpr Property joint_properties[] = {
    {"angle", Quantity::Kind::joint_position},    {"position", Quantity::Kind::joint_position},
    {"speed", Quantity::Kind::joint_speed},       {"impulse", Quantity::Kind::joint_impulse},
    {"reaction", Quantity::Kind::joint_reaction}, {"moment", Quantity::Kind::joint_moment},
    {"force", Quantity::Kind::joint_effort},      {"torque", Quantity::Kind::joint_effort},
    {"impact", Quantity::Kind::joint_impact},
};

constexpr Property spring_properties[] = {
    {"length", Quantity::Kind::spring_length},
    {"force", Quantity::Kind::spring_force},
    {"energy", Quantity::Kind::spring_energy},
};

constexpr Property system_properties[] = {
    {"energy", Quantity::Kind::energy},
    {"time", Quantity::Kind::time},
    {"energy_gained", Quantity::Kind::energy_gained},
    {"energy_gain_max", Quantity::Kind::energy_gain_max},
    {"held", Quantity::Kind::held},
    {"pointedness", Quantity::Kind::pointedness},
};

/// Turns names into quantities and keeps the list of those in use.
class QuantityFinder {
 public:
  explicit QuantityFinder(Scenario& scenario)
      : bodies_(scenario.bodies), joints_(scenario.joints), springs_(scenario.springs), used_(scenario.quantities) {}

  QuantityUse find(const QuantityName& name) {
    const Quantity found = quantity(name);
    return {number_of(found), divisor_of(name, found)};
  }

  /// One of the motion of a body or joint.
  int find_motion(const QuantityName& name, const BodyReference& body) {
    if (name.parts[0] == "time") throw ExpressionError(name.offset, "unknown name 'time' (write 't')");
    const Quantity found = quantity(name);
    if (found.is_of_motion() || found.is_of_joint_motion()) return number_of(found);
    std::string text = name.parts[0];
    for (std::size_t i = 1; i < name.parts.size(); ++i) text += "." + name.parts[i];
    throw ExpressionError(name.offset,
                          "a force on " + body.name + " cannot use " + excerpt(name.call ? "gap(a, b)" : text) +
                              ", only position, velocity, spin, axis_x, axis_y, axis_z and angle of bodies, and "
                              "angle, position and speed of joints");
  }

 private:
  Quantity quantity(const QuantityName& name) const {
    return name.call ? gap(name) : name.parts.size() == 1 ? of_system(name) : of_part(name);
  }

  /// -1 for the torque of a drive, which is the opposite of that of its contacts.
  double divisor_of(const QuantityName& name, const Quantity& found) const {
    if (found.kind != Quantity::Kind::contact_torque) return 1;
    return bodies_[static_cast<std::size_t>(body(name, 0))].prescribed.given ? -1 : 1;
  }

  int number_of(const Quantity& quantity) {
    const auto same = [&](const Quantity& other) {
      return other.kind == quantity.kind && other.body == quantity.body && other.other == quantity.other &&
             other.component == quantity.component;
    };
    const auto found = std::find_if(used_.begin(), used_.end(), same);
    const auto index = found - used_.begin();
    if (found == used_.end()) used_.push_back(quantity);
    return static_cast<int>(index);
  }

  int body(const QuantityName& name, std::size_t part) const {
    std::vector<std::string> names;
    for (const BodySpec& candidate : bodies_) {
      if (candidate.name == name.parts[part]) return static_cast<int>(names.size());
      if (candidate.is_called(name.parts[part]))
        throw ExpressionError(name.offset, "there are " + std::to_string(candidate.copies) + " copies of " +
                                               name.parts[part] + "; write one of them, " + candidate.name +
                                               ", or any(), all(), count() or mean() around the expression");
      names.push_back(candidate.name);
    }
    for (const JointSpec& joint : joints_) names.push_back(joint.name);
    for (const SpringSpec& spring : springs_) names.push_back(spring.name);
    throw ExpressionError(name.offset,
                          "there is no body " + excerpt(name.parts[part]) + did_you_mean(name.parts[part], names));
  }

  Quantity of_system(const QuantityName& name) const {
    std::vector<std::string> known = {"pi"};
    for (const Property& property : system_properties) {
      if (name.parts[0] == property.name) return {property.kind};
      known.emplace_back(property.name);
    }
    const auto look = [&](const std::string& part, const std::string& example) {
      known.push_back(part);
      if (part == name.parts[0])
        throw ExpressionError(name.offset, "which quantity of " + part + "? For example " + part + example);
    };
    for (const BodySpec& candidate : bodies_) look(candidate.name, ".position.x");
    for (const JointSpec& joint : joints_) look(joint.name, ".reaction");
    for (const SpringSpec& spring : springs_) look(spring.name, ".length");
    throw ExpressionError(name.offset, "unknown name " + excerpt(name.parts[0]) + did_you_mean(name.parts[0], known));
  }

  Quantity of_part(const QuantityName& name) const {
    for (std::size_t j = 0; j < joints_.size(); ++j)
      if (joints_[j].name == name.parts[0]) return of_joint(name, static_cast<int>(j));
    for (std::size_t s = 0; s < springs_.size(); ++s)
      if (springs_[s].name == name.parts[0]) return of_spring(name, static_cast<int>(s));
    return of_body(name);
  }

  static Quantity of_spring(const QuantityName& name, int index) {
    std::vector<std::string> known;
    for (const Property& property : spring_properties) {
      known.emplace_back(property.name);
      if (property.name != name.parts[1]) continue;
      component(name, property);  // refuses one
      return {property.kind, index};
    }
    throw ExpressionError(name.offset, "a spring has no quantity " + excerpt(name.parts[1]) +
                                           did_you_mean_or_known(name.parts[1], known));
  }

  Quantity of_joint(const QuantityName& name, int index) const {
    const JointSpec& joint = joints_[static_cast<std::size_t>(index)];
    const bool slides = joint.type == JointType::prismatic;
    const std::string_view way = slides ? "position" : "angle", effort = slides ? "force" : "torque";
    std::vector<std::string> known;
    for (const Property& property : joint_properties) {
      const bool is_way = property.kind == Quantity::Kind::joint_position;
      const bool is_always = property.kind == Quantity::Kind::joint_reaction ||
                             property.kind == Quantity::Kind::joint_moment ||
                             (property.kind == Quantity::Kind::joint_impact && name.parts.size() > 2);
      const bool is_effort = property.kind == Quantity::Kind::joint_effort;
      const bool is_of_axis = (!is_way || property.name == way) && (!is_effort || property.name == effort);
      if (is_always || (joint.has_coordinate() && is_of_axis)) known.emplace_back(property.name);
    }
    const auto* property = std::find_if(std::begin(joint_properties), std::end(joint_properties),
                                        [&](const Property& p) { return p.name == name.parts[1]; });
    if (std::find(known.begin(), known.end(), name.parts[1]) == known.end())
      throw ExpressionError(name.offset, "a " + word_for(joint.type) + " joint has no quantity " +
                                             excerpt(name.parts[1]) + did_you_mean_or_known(name.parts[1], known));
    Quantity quantity;
    quantity.kind = property->kind;
    quantity.body = index;
    const bool is_vector = name.parts.size() > 2;
    if (is_vector && property->kind == Quantity::Kind::joint_reaction) quantity.kind = Quantity::Kind::joint_force;
    if (is_vector && property->kind == Quantity::Kind::joint_impact) quantity.kind = Quantity::Kind::reaction_impact;
    const bool has_axes = quantity.is_of_joint_wrench() && quantity.kind != Quantity::Kind::joint_reaction;
    quantity.component = component(name, {property->name, quantity.kind, has_axes});
    return quantity;
  }

  Quantity of_body(const QuantityName& name) const {
    Quantity quantity;
    quantity.body = body(name, 0);
    const auto* property = std::find_if(std::begin(properties), std::end(properties),
                                        [&](const Property& p) { return p.name == name.parts[1]; });
    if (property == std::end(properties))
      throw ExpressionError(name.offset, "a body has no quantity " + excerpt(name.parts[1]) +
                                             did_you_mean_or_known(name.parts[1], names_in(properties)));
    quantity.kind = property->kind;
    quantity.component = component(name, *property);
    if (quantity.kind == Quantity::Kind::resting_face) quantity.other = only_hull(name, quantity.body);
    if (quantity.kind == Quantity::Kind::angle) check_turns_about_one_axis(name, quantity.body);
    if (quantity.kind == Quantity::Kind::given_impulse &&
        !bodies_[static_cast<std::size_t>(quantity.body)].prescribed.given)
      throw ExpressionError(name.offset, "only a body with prescribed motion has an impulse, " + name.parts[0] +
                                             " has normal_impulse, friction_impulse and force");
    if (bodies_[static_cast<std::size_t>(quantity.body)].prescribed.given) use_drive(name, quantity);
    return quantity;
  }

  /// The number of the one shape of a body, a hull, among all shapes.
  int only_hull(const QuantityName& name, int body) const {
    const std::vector<ShapeSpec>& shapes = bodies_[static_cast<std::size_t>(body)].shapes;
    if (shapes.size() != 1 || shapes[0].type != ShapeType::hull)
      throw ExpressionError(name.offset, "only a body whose one shape is a hull or a mesh has a resting_face");
    if (!shapes[0].hull.structure.is_convex)
      throw ExpressionError(name.offset,
                            "a body whose shape is not convex has no resting_face: it may stand on the "
                            "edge of a dent; `jostle rest` lists those of its hull");
    std::size_t before = 0;
    for (int b = 0; b < body; ++b) before += bodies_[static_cast<std::size_t>(b)].shapes.size();
    return static_cast<int>(before);
  }

  /// Of a body with prescribed motion: the force and the torque of what moves it, which are those that it gives.
  void use_drive(const QuantityName& name, Quantity& quantity) const {
    if (quantity.kind == Quantity::Kind::contact_force) quantity.kind = Quantity::Kind::given_force;
    if (quantity.kind == Quantity::Kind::contact_impact) quantity.kind = Quantity::Kind::given_impact;
    if (quantity.kind != Quantity::Kind::contact_torque) return;
    for (const JointSpec& joint : joints_)
      for (const int side : joint.sides.bodies)
        if (side == quantity.body)
          throw ExpressionError(name.offset, name.parts[0] + ".torque is that of contacts, but " + joint.name +
                                                 " also turns " + name.parts[0] + "; write " + joint.name + ".moment");
  }

  static int component(const QuantityName& name, const Property& property) {
    const std::string whole = name.parts[0] + "." + name.parts[1];
    if (!property.has_components) {
      if (name.parts.size() > 2) throw ExpressionError(name.offset, excerpt(whole) + " has no components");
      return 0;
    }
    if (name.parts.size() == 3)
      for (int i = 0; i < 3; ++i)
        if (name.parts[2] == std::string_view("xyz").substr(static_cast<std::size_t>(i), 1)) return i;
    throw ExpressionError(name.offset, excerpt(whole) + " needs one component: .x, .y or .z");
  }

  void check_turns_about_one_axis(const QuantityName& name, int index) const {
    if (free_rotations(bodies_[static_cast<std::size_t>(index)].freedom) != 1)
      throw ExpressionError(name.offset,
                            "only a body with one free rotation has an angle, " + name.parts[0] + " has not");
  }

  Quantity gap(const QuantityName& name) const {
    const int first = body(name, 1), second = body(name, 2);
    if (first == second) throw ExpressionError(name.offset, "gap needs two bodies");
    const BodySpec& a = bodies_[static_cast<std::size_t>(first)];
    const BodySpec& b = bodies_[static_cast<std::size_t>(second)];
    for (const BodySpec* side : {&a, &b})
      if (side->shapes.empty()) throw ExpressionError(name.offset, "gap: " + side->name + " has no shape");
    for (const ShapeSpec& shape_a : a.shapes)
      for (const ShapeSpec& shape_b : b.shapes)
        if (!supported(std::min(shape_a.type, shape_b.type), std::max(shape_a.type, shape_b.type)))
          throw ExpressionError(name.offset, "gap between the shapes of " + a.name + " and " + b.name +
                                                 " is not supported in this version");
    return {Quantity::Kind::gap, first, second};
  }

  const std::vector<BodySpec>& bodies_;
  const std::vector<JointSpec>& joints_;
  const std::vector<SpringSpec>& springs_;
  std::vector<Quantity>& used_;
};

}  // namespace

QuantityUse find_quantity(Scenario& scenario, const QuantityName& name) { return QuantityFinder(scenario).find(name); }

int find_motion(Scenario& scenario, const QuantityName& name, const BodyReference& body) {
  return QuantityFinder(scenario).find_motion(name, body);
}

}  // namespace jostle
