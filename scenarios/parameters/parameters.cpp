#include "scenarios/parameters/parameters.hpp"

#include <numbers>
#include <set>
#include <string>

#include "core/batch/default_arithmetic.hpp"
#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/format/numbers.hpp"
#include "scenarios/format/words.hpp"
#include "scenarios/model/scene.hpp"
#include "scenarios/parameters/compile.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/parameters/joints.hpp"
#include "scenarios/parameters/mass.hpp"
#include "scenarios/parameters/must_be_zero.hpp"
#include "scenarios/parameters/plane.hpp"
#include "scenarios/parameters/polygon.hpp"

namespace jostle {
namespace {

Traced is_finite(const TracedVec3& v) {
  return both(both(jostle::is_finite(v[0]), jostle::is_finite(v[1])), jostle::is_finite(v[2]));
}

/// Angle of a rotation about a coordinate axis, as written (not wrapped).
Traced planar_angle(const RotationSpec& rotation, int axis, Draw draw) {
  if (rotation.kind == RotationSpec::Kind::axis_angle) {
    const Traced angle = number_of(rotation.degrees, draw) * (std::numbers::pi / 180);
    return (1 - 2 * (number_of(rotation.axis[axis], draw) < 0)) * angle;
  }
  if (rotation.kind == RotationSpec::Kind::sequence) {
    Traced sum = 0;
    for (const RotationSpec& turn : rotation.turns) sum += planar_angle(turn, axis, draw);
    return sum;
  }
  const TracedQuaternion q = turn_of(rotation, draw);
  const Traced part[3] = {q.x, q.y, q.z}, sign = 1 - 2 * (q.w < 0);  // q and -q are one rotation
  return 2 * arc_tangent(sign * part[axis], sign * q.w);
}

/// All parameters of a system, and what a sample must meet.
class Parameters {
 public:
  Parameters(const Scenario& scenario, const Model& model, Draw draw)
      : scenario_(scenario),
        model_(model),
        draw_(draw),
        layout_(model.view(0).parameter_layout),
        dimensions_(model.view(0).dimensions) {
    numbers_.resize(layout_.bytes / sizeof(double));
    for (const PairModel& pair : model.pairs)
      rules_.push_back(scenario.pairs.rule(model.shapes[static_cast<std::size_t>(pair.shape_a)].body,
                                           model.shapes[static_cast<std::size_t>(pair.shape_b)].body));
    judge_numbers();
    set_vector(layout_.gravity, 0, vector_of(scenario.world.gravity, draw));
    set_bodies();
    for (std::size_t pair = 0; pair < rules_.size(); ++pair) set_pair(scenario.contacts[rules_[pair]], pair);
    if (facts_of(model.method).has_impacts) set_impacts();
    for (std::size_t j = 0; j < scenario.joints.size(); ++j) set_joint(scenario.joints[j], j);
    for (std::size_t s = 0; s < scenario.springs.size(); ++s) set_spring(scenario.springs[s], s);
    set_force_points();
    for (std::size_t i = 0; i < scenario.impulses.size(); ++i) set_impulse(scenario.impulses[i], i);
    judge_plane();
  }

  const std::vector<Traced>& numbers() const { return numbers_; }
  const Requirements& require() const { return require_; }

 private:
  Traced& at(std::size_t field, std::size_t i) { return numbers_[field / sizeof(double) + i]; }
  void set_vector(std::size_t field, std::size_t i, const TracedVec3& v) {
    for (int k = 0; k < 3; ++k) at(field, 3 * i + static_cast<std::size_t>(k)) = v[k];
  }
  void set_quaternion(std::size_t field, std::size_t i, const TracedQuaternion& q) {
    const Traced parts[4] = {q.w, q.x, q.y, q.z};
    for (std::size_t k = 0; k < 4; ++k) at(field, 4 * i + k) = parts[k];
  }

  /// The numbers that variables can make invalid by themselves.
  void judge_numbers() {
    const auto judge = [&](const Number& number, const std::string& path, const Key& key) {
      if (!key.is_judged_whole && !key.of_time && !number.code.empty()) judge_number(number, path, key.sign);
    };
    visit_numbers(scenario_.world, "world", judge);
    for (const BodySpec& body : scenario_.bodies) visit_numbers(body, "bodies." + body.name, judge);
    for (const JointSpec& joint : scenario_.joints) visit_numbers(joint, "joints." + joint.name, judge);
    for (const SpringSpec& spring : scenario_.springs) visit_numbers(spring, "springs." + spring.name, judge);
    for (std::size_t f = 0; f < scenario_.forces.size(); ++f)
      visit_numbers(scenario_.forces[f], item_path("forces", f), judge);
    for (std::size_t i = 0; i < scenario_.impulses.size(); ++i)
      visit_numbers(scenario_.impulses[i], item_path("impulses", i), judge);
    for (const std::size_t rule : std::set<std::size_t>(rules_.begin(), rules_.end())) {
      visit_numbers(scenario_.contacts[rule], item_path("contacts", rule), judge);
      require_zero(must_be_zero(scenario_, scenario_.contacts[rule]), item_path("contacts", rule));
    }
    for (const JointSpec& joint : scenario_.joints)
      require_zero(must_be_zero(scenario_, joint), "joints." + joint.name);
  }

  void require_zero(const std::vector<MustBeZero>& numbers, const std::string& path) {
    for (const MustBeZero& it : numbers) {
      if (it.number->code.empty()) continue;
      const Traced value = number_of(*it.number, draw_);
      require_(value == 0, it.number->where, [&] {
        return path + "." + std::string(it.key) + " " + it.reason + ", but " + it.number->text + " is " +
               shortest(value.value());
      });
    }
  }

  void judge_number(const Number& number, const std::string& path, Sign sign) {
    const Traced value = number_of(number, draw_);
    const auto require = [&](const Traced& holds, const char* must) {
      require_(holds, number.where, [&] {
        const std::string& name = number.text.empty() ? "it" : number.text;
        return path + " " + must + ", but " + name + " is " + shortest(value.value());
      });
    };
    require(is_finite(value), "must be finite");
    if (sign == Sign::positive) require(value > 0, "must be greater than 0");
    if (sign == Sign::not_negative) require(value >= 0, "must not be negative");
    if (sign == Sign::fraction) require(both(value >= 0, value <= 1), "must be from 0 to 1");
  }

  TracedQuaternion turn(const RotationSpec& rotation, const auto& path) {
    TracedQuaternion q = turn_of(rotation, draw_);
    const RotationSpec& written = rotation.turns.empty() ? rotation : rotation.turns.front();
    const Number& first = written.kind == RotationSpec::Kind::quaternion ? written.quaternion[0] : written.axis[0];
    require_(is_finite(q.w + q.x + q.y + q.z), first.where,
             [&] { return path() + ".rotation must be finite and have a direction"; });
    return q;
  }

  void set_bodies() {
    std::size_t number = 0;
    for (std::size_t b = 0; b < scenario_.bodies.size(); ++b) {
      const BodySpec& body = scenario_.bodies[b];
      for (std::size_t s = 0; s < body.shapes.size(); ++s) require_its_structure(body, s);
      const TracedMass mass = mass_of(body, draw_, require_);
      for (std::size_t s = 0; s < body.shapes.size(); ++s) set_shape(b, s, number++, mass);
      set_body(body, b, mass);
    }
  }

  /// Before the mass, which means nothing without it.
  void require_its_structure(const BodySpec& body, std::size_t s) {
    const ShapeSpec& shape = body.shapes[s];
    if (shape.type == ShapeType::hull)
      require_convex(shape.hull, body.path_of(shape) + "." + hull_word(shape), draw_, require_);
    if (shape.type == ShapeType::polygon)
      require_simple(shape.polygon, body.path_of(shape) + ".polygon", draw_, require_);
  }

  bool has_own_frame(std::size_t body) const { return model_.bodies[body].frame >= 0; }

  void set_shape(std::size_t b, std::size_t s, std::size_t number, const TracedMass& mass) {
    const BodySpec& body = scenario_.bodies[b];
    const ShapeSpec& shape = body.shapes[s];
    const auto path = [&] { return body.path_of(shape); };
    turn(shape.rotation, path);
    TracedShape placed = traced_shape(shape, draw_);
    require_(both(is_finite(TracedVec3(placed.axes.col(0))), is_finite(TracedVec3(placed.axes.col(2)))), shape.where,
             [&] { return path() + "." + word_for(shape.type) + ".normal must have a direction"; });
    if (has_own_frame(b)) {
      placed.position = rotate<Traced>(mass.axes.transpose(), TracedVec3(placed.position - mass.centre));
      placed.axes = product<Traced>(mass.axes.transpose(), placed.axes);
    }
    set_vector(layout_.shape_size, number, placed.size);
    set_vector(layout_.shape_position, number, placed.position);
    for (int k = 0; k < 9; ++k)
      at(layout_.shape_axes, 9 * number + static_cast<std::size_t>(k)) = placed.axes(k / 3, k % 3);
    if (shape.type == ShapeType::hull) {
      if (model_.shapes[number].is_shared) return;
      const auto first_of_hull = static_cast<std::size_t>(model_.shapes[number].first_corner);
      for (std::size_t i = 0; i < placed.corners.size(); ++i)
        at(layout_.hull_numbers, first_of_hull + i) = placed.corners[i];
    }
    if (shape.type != ShapeType::polygon) return;
    const auto first = 2 * static_cast<std::size_t>(model_.shapes[number].first_corner);
    for (std::size_t i = 0; i < placed.corners.size(); ++i) at(layout_.corners, first + i) = placed.corners[i];
    for (std::size_t i = 0; i < placed.bulges.size(); ++i)
      at(layout_.bulges, static_cast<std::size_t>(model_.shapes[number].first_bulge) + i) = placed.bulges[i];
  }

  void set_body(const BodySpec& body, std::size_t b, const TracedMass& mass) {
    TracedQuaternion orientation = turn(body.rotation, [&] { return "bodies." + body.name; });
    const int axis = static_cast<int>(model_.bodies[b].rotation);
    if (axis >= 0 && axis < 3) {
      at(layout_.start_angle, b) = planar_angle(body.rotation, axis, draw_);
      orientation = planar_quaternion(axis, at(layout_.start_angle, b));
    }
    TracedVec3 position = vector_of(body.position, draw_), velocity = vector_of(body.velocity, draw_);
    const TracedVec3 spin = vector_of(body.spin, draw_);
    if (has_own_frame(b)) {
      const TracedVec3 arm = rotate<Traced>(rotation_matrix(orientation), mass.centre);
      position += arm;
      velocity += cross<Traced>(spin, arm);
      orientation = orientation * mass.turn;
      const auto frame = static_cast<std::size_t>(model_.bodies[b].frame);
      set_vector(layout_.frame_position, frame, mass.frame_position());
      set_quaternion(layout_.frame_orientation, frame, mass.frame_orientation());
    }
    set_vector(layout_.start_position, b, position);
    set_quaternion(layout_.start_orientation, b, orientation);
    set_vector(layout_.start_velocity, b, velocity);
    set_vector(layout_.start_spin, b, spin);
    if (!body.is_mover()) return;
    at(layout_.mass, b) = mass.mass;
    set_vector(layout_.inertia, b, mass.moments);
  }

  void set_joint(const JointSpec& spec, std::size_t j) {
    const std::optional<int> axis = plane_axis(scenario_);
    const TracedJoint joint = traced_joint(scenario_, spec, axis, draw_);
    require_joint(spec, joint, axis, require_);
    set_vector(layout_.joint_point_a, j, joint.point_a);
    set_vector(layout_.joint_point_b, j, joint.point_b);
    for (int k = 0; k < 9; ++k) {
      const std::size_t i = 9 * j + static_cast<std::size_t>(k);
      at(layout_.joint_axes_a, i) = joint.axes_a(k / 3, k % 3);
      at(layout_.joint_axes_b, i) = joint.axes_b(k / 3, k % 3);
    }
    at(layout_.joint_length, j) = joint.length;
    at(layout_.joint_friction, j) = joint.friction;
    at(layout_.joint_limits, 2 * j) = joint.lower;
    at(layout_.joint_limits, 2 * j + 1) = joint.upper;
    at(layout_.motor_limit, j) = joint.limit;
    const Dimensions& d = dimensions_;
    if (d.has_armature) at(layout_.joint_armature, j) = joint.armature;
    for (std::size_t i = 0; i < 2 && d.speed_limits > 0; ++i)
      at(layout_.joint_speed_limits, 2 * j + i) = joint.speeds[i];
    set_joint_spring(spec, j);
  }

  void set_joint_spring(const JointSpec& spec, std::size_t j) {
    for (std::size_t s = scenario_.springs.size(); s < model_.springs.size(); ++s) {
      if (model_.springs[s].joint != static_cast<int>(j)) continue;
      at(layout_.spring_stiffness, s) = number_of(spec.stiffness, draw_);
      at(layout_.spring_damping, s) = number_of(spec.damping, draw_);
      at(layout_.spring_rest, s) = number_of(spec.rest, draw_);
    }
  }

  void set_pair(const ContactRule& rule, std::size_t pair) {
    const Dimensions& d = dimensions_;
    const Traced friction = number_of(rule.friction, draw_);
    at(layout_.friction, pair) = friction;
    if (d.has_spin_friction) at(layout_.spin_friction, pair) = number_of(rule.spin_friction, draw_);
    if (d.has_rolling_friction) at(layout_.rolling_friction, pair) = number_of(rule.rolling_friction, draw_);
    if (d.has_adhesion) at(layout_.adhesion, pair) = number_of(rule.adhesion, draw_);
    if (rule.across.given) set_across(rule, friction, pair);
  }

  void set_across(const ContactRule& rule, const Traced& along, std::size_t pair) {
    const Traced across = number_of(rule.across.friction, draw_), is_more = across > along;
    const Traced most = is_more * across + (1 - is_more) * along;
    at(layout_.friction, pair) = most;
    const Traced divisor = most + (most == 0);
    at(layout_.friction_parts, 2 * pair) = along / divisor;
    at(layout_.friction_parts, 2 * pair + 1) = across / divisor;
    const BodySpec& body = scenario_.bodies[static_cast<std::size_t>(model_.pairs[pair].axis_body)];
    const TracedVec3 axis = unit(vector_of(rule.across.axis, draw_));
    require_(is_finite(axis), rule.across.axis[0].where,
             [&] { return item_path("contacts", rules_[pair]) + ".across.axis must be finite and have a direction"; });
    set_vector(layout_.friction_axis, pair, rotate<Traced>(mass_of(body, draw_).axes.transpose(), axis));
  }

  void set_impacts() {
    at(layout_.impact_threshold, 0) = number_of(scenario_.world.impact.threshold, draw_);
    at(layout_.stabilisation, 0) = number_of(scenario_.world.stabilisation, draw_);
    for (std::size_t pair = 0; pair < rules_.size(); ++pair) {
      const ContactRule& rule = scenario_.contacts[rules_[pair]];
      at(layout_.restitution, pair) = number_of(rule.restitution, draw_);
      at(layout_.tangential_restitution, pair) = number_of(rule.tangential_restitution, draw_);
    }
    for (std::size_t j = 0; j < scenario_.joints.size(); ++j)
      at(layout_.joint_restitution, j) = number_of(scenario_.joints[j].restitution, draw_);
  }

  void set_spring(const SpringSpec& spec, std::size_t s) {
    const TracedSpring spring = traced_spring(scenario_, spec, draw_);
    require_spring(spec, spring, require_);
    set_vector(layout_.spring_point_a, s, spring.point_a);
    set_vector(layout_.spring_point_b, s, spring.point_b);
    at(layout_.spring_stiffness, s) = spring.stiffness;
    at(layout_.spring_damping, s) = spring.damping;
    at(layout_.spring_rest, s) = spring.rest;
  }

  void set_force_points() {
    for (std::size_t f = 0; f < scenario_.forces.size(); ++f) {
      const ForceSpec& force = scenario_.forces[f];
      if (!force.has_point) continue;
      const TracedPose start = start_pose(scenario_, force.body.index, draw_);
      set_vector(layout_.force_point, static_cast<std::size_t>(model_.forces[f].point),
                 start.point_in(vector_of(force.at, draw_)));
    }
  }

  void set_impulse(const ImpulseSpec& spec, std::size_t i) {
    at(layout_.blow_time, i) = number_of(spec.time, draw_);
    set_vector(layout_.blow_impulse, i, vector_of(spec.impulse, draw_));
    set_vector(layout_.blow_moment, i, vector_of(spec.angular_impulse, draw_));
    if (!spec.has_point) return;
    const TracedPose start = start_pose(scenario_, spec.body.index, draw_);
    set_vector(layout_.blow_point, i, start.point_in(vector_of(spec.at, draw_)));
  }

  /// Shapes of a planar scene that a sample can move out of the plane.
  void judge_plane() {
    const std::optional<Plane> plane = plane_of(scenario_);
    for (std::size_t b = 0; plane && b < scenario_.bodies.size(); ++b) {
      const BodySpec& body = scenario_.bodies[b];
      for (std::size_t s = 0; s < body.shapes.size(); ++s)
        if (!is_placed_constantly(body, body.shapes[s]))
          require_in_plane(scenario_, *plane, static_cast<int>(b), static_cast<int>(s), draw_, require_);
    }
  }

  const Scenario& scenario_;
  const Model& model_;
  Draw draw_;
  ParameterLayout layout_;
  Dimensions dimensions_;
  std::vector<std::size_t> rules_;  ///< per pair of the model: index into Scenario::contacts
  std::vector<Traced> numbers_;     ///< of the parameters, in the order of their memory
  Requirements require_;
};

}  // namespace

std::vector<double> compile_parameters(const Scenario& scenario, Model& model) {
  const DefaultArithmetic arithmetic;
  const Parameters parameters(scenario, model, nullptr);
  std::vector<double> constants;
  std::vector<Traced> traced;
  for (const Traced& number : parameters.numbers()) {
    constants.push_back(number.is_known() ? number.value() : 0);
    if (number.is_known()) continue;
    model.loaded.push_back({static_cast<int>(constants.size()) - 1, {}});
    traced.push_back(number);
  }
  const Traced physical = parameters.require().all();
  const bool is_always = physical.is_known() && physical.value() != 0;
  if (!is_always) traced.push_back(physical);

  const Programs programs = compile(traced);
  for (const Program& program : programs.shared) model.shared_numbers.push_back(model.add_program(program));
  for (std::size_t i = 0; i < model.loaded.size(); ++i)
    model.loaded[i].program = model.add_program(programs.numbers[i]);
  if (!is_always) model.physical = model.add_program(programs.numbers.back());
  return constants;
}

std::optional<Fault> find_fault(const Scenario& scenario, const Model& model, const std::vector<double>& variables) {
  return Parameters(scenario, model, variables.data()).require().fault();
}

}  // namespace jostle
