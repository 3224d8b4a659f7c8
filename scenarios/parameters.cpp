#include "scenarios/parameters.hpp"

#include <algorithm>
#include <cstring>
#include <numbers>
#include <set>
#include <string>

#include "core/math/functions.hpp"
#include "core/math/rotation.hpp"
#include "core/model/system.hpp"
#include "scenarios/bind.hpp"
#include "scenarios/canonical_tree.hpp"
#include "scenarios/inertia.hpp"
#include "scenarios/numbers.hpp"
#include "scenarios/reader_values.hpp"
#include "scenarios/words.hpp"

namespace jostle {
namespace {

bool finite(const Vec3& v) { return is_finite(v[0]) && is_finite(v[1]) && is_finite(v[2]); }
bool finite(const Quaternion& q) { return is_finite(q.w + q.x + q.y + q.z); }

/// Angle of a rotation about a coordinate axis, as written (not wrapped).
double planar_angle(const RotationSpec& rotation, int axis, const double* variables) {
  if (rotation.kind == RotationSpec::Kind::axis_angle) {
    const double angle = value_of(rotation.degrees, variables) * (std::numbers::pi / 180);
    return value_of(rotation.axis[axis], variables) < 0 ? -angle : angle;
  }
  const Quaternion q = rotation_of(rotation, variables);
  const double part[3] = {q.x, q.y, q.z};
  return 2 * arc_tangent(part[axis], q.w);
}

/// Empty if the value is valid.
const char* complaint(double value, Sign sign) {
  if (!is_finite(value)) return "must be finite";
  if (sign == Sign::positive && !(value > 0)) return "must be greater than 0";
  if (sign == Sign::not_negative && !(value >= 0)) return "must not be negative";
  return "";
}

/// Loads one sample and keeps the first fault.
class Loader {
 public:
  Loader(const Scenario& scenario, const Model& model, const double* variables, const ParameterMemory& parameters)
      : scenario_(scenario), model_(model), variables_(variables), parameters_(parameters) {}

  std::optional<Fault> load(const ParameterPlan& plan) {
    fault_ = plan.fault;
    for (const ParameterPlan::Check& check : plan.checks) judge(check);
    if (plan.gravity_is_drawn) load_gravity();
    for (const ParameterPlan::Shape& shape : plan.drawn_shapes) load_shape(shape);  // first: others depend on them
    for (const int body : plan.drawn_bodies) load_body(body);
    for (const int pair : plan.drawn_pairs) load_friction(plan, pair);
    for (const ParameterPlan::Shape& shape : plan.placed_by_draw)
      if (!fault_) fault_ = plane_fault(scenario_, *plan.plane, shape.body, shape.shape, variables_);
    return fault_;
  }

  /// Separates the parameters that depend on variables from constants.
  void make_constants(ParameterPlan& plan) {
    if (!(plan.gravity_is_drawn = uses_variables(scenario_.world))) load_gravity();
    int number = 0;
    for (int b = 0; b < static_cast<int>(scenario_.bodies.size()); ++b) {
      const BodySpec& body = scenario_.bodies[static_cast<std::size_t>(b)];
      for (int s = 0; s < static_cast<int>(body.shapes.size()); ++s) {
        const ParameterPlan::Shape shape{b, s, number++};
        if (is_constant(body.shapes[static_cast<std::size_t>(s)])) {
          load_shape(shape);
        } else {
          plan.drawn_shapes.push_back(shape);
        }
      }
      if (uses_variables(body)) {
        plan.drawn_bodies.push_back(b);
      } else {
        load_body(b);
      }
    }
    for (int pair = 0; pair < static_cast<int>(plan.rule_of_pair.size()); ++pair) {
      if (uses_variables(rule(plan, pair))) {
        plan.drawn_pairs.push_back(pair);
      } else {
        load_friction(plan, pair);
      }
    }
    plan.fault = fault_;
  }

 private:
  void fail(const Location& where, const std::string& message) {
    if (!fault_) fault_ = Fault{where, message};
  }

  void judge(const ParameterPlan::Check& check) {
    const double value = value_of(check.number, variables_);
    if (const char* must = complaint(value, check.sign); *must != '\0') {
      const std::string& text = check.number.text;
      fail(check.number.where,
           check.path + " " + must + ", but " + (text.empty() ? "it" : text) + " is " + shortest(value));
    }
  }

  /// `path` is a function, because it is called only if something is wrong.
  template <class Path>
  Quaternion rotation(const RotationSpec& rotation, const Path& path) {
    const Quaternion q = rotation_of(rotation, variables_);
    if (finite(q)) return q;
    const Number& first = rotation.kind == RotationSpec::Kind::quaternion ? rotation.quaternion[0] : rotation.axis[0];
    fail(first.where, path() + ".rotation must be finite and have a direction");
    return q;
  }

  void load_gravity() { set_vector(parameters_.gravity, 0, value_of(scenario_.world.gravity, variables_)); }

  const ContactRule& rule(const ParameterPlan& plan, int pair) const {
    return scenario_.contacts[static_cast<std::size_t>(plan.rule_of_pair[static_cast<std::size_t>(pair)])];
  }
  void load_friction(const ParameterPlan& plan, int pair) {
    parameters_.friction[pair] = value_of(rule(plan, pair).friction, variables_);
  }

  void load_shape(const ParameterPlan::Shape& at) {
    const BodySpec& body = scenario_.bodies[static_cast<std::size_t>(at.body)];
    const ShapeSpec& shape = body.shapes[static_cast<std::size_t>(at.shape)];
    const int index = at.number;
    const auto path = [&] {
      const std::string shape_path = "bodies." + body.name + ".shape";
      return body.shapes.size() == 1 ? shape_path : shape_path + "s[" + std::to_string(at.shape) + "]";
    };
    rotation(shape.rotation, path);
    const PlacedShape placed = shape_in_body(shape, variables_);
    if (!finite(placed.axes.col(0)) || !finite(placed.axes.col(2)))
      fail(shape.where, path() + "." + word_for(shape.type) + ".normal must have a direction");
    set_vector(parameters_.shape_size, index, placed.size);
    set_vector(parameters_.shape_position, index, placed.position);
    for (int k = 0; k < 9; ++k) parameters_.shape_axes[9 * index + k] = placed.axes(k / 3, k % 3);
  }

  void load_body(int b) {
    const BodySpec& body = scenario_.bodies[static_cast<std::size_t>(b)];
    Quaternion orientation = rotation(body.rotation, [&] { return "bodies." + body.name; });
    const int axis = static_cast<int>(model_.bodies[static_cast<std::size_t>(b)].rotation);
    if (axis >= 0 && axis < 3) {
      parameters_.start_angle[b] = planar_angle(body.rotation, axis, variables_);
      orientation = planar_quaternion(axis, parameters_.start_angle[b]);
    }
    set_vector(parameters_.start_position, b, value_of(body.position, variables_));
    set_quaternion(parameters_.start_orientation, b, orientation);
    set_vector(parameters_.start_velocity, b, value_of(body.velocity, variables_));
    set_vector(parameters_.start_spin, b, value_of(body.spin, variables_));
    if (body.fixed) return;
    parameters_.mass[b] = value_of(body.mass, variables_);
    if (body.freedom[3] || body.freedom[4] || body.freedom[5]) load_inertia(body, b);
  }

  void load_inertia(const BodySpec& body, int b) {
    Vec3 moments = value_of(body.inertia.moments, variables_);
    if (!body.inertia.given) {
      std::vector<PlacedShape> shapes;
      for (const ShapeSpec& shape : body.shapes) shapes.push_back(shape_in_body(shape, variables_));
      const DefaultInertia inertia = default_inertia(shapes, parameters_.mass[b], body.freedom);
      if (inertia.problem != InertiaProblem::none)
        return fail(body.where, "bodies." + body.name + ".inertia is missing: " + describe(inertia.problem));
      moments = inertia.moments;
    }
    set_vector(parameters_.inertia, b, moments);
    if (!is_physical_inertia(moments, body.freedom))
      fail(body.inertia.given ? body.inertia.moments[0].where : body.where,
           "bodies." + body.name + ".inertia " + physical_inertia);
  }

  const Scenario& scenario_;
  const Model& model_;
  const double* variables_;
  const ParameterMemory& parameters_;
  std::optional<Fault> fault_;
};

}  // namespace

ParameterPlan plan_parameters(const Scenario& scenario, const Model& model) {
  ParameterPlan plan;
  for (const PairModel& pair : model.pairs) {
    plan.rule_of_pair.push_back(scenario.pairs.rule(model.shapes[static_cast<std::size_t>(pair.shape_a)].body,
                                                    model.shapes[static_cast<std::size_t>(pair.shape_b)].body));
  }
  const auto check = [&](const Number& number, const std::string& path, const Key& key) {
    if (!key.is_judged_whole && !number.code.empty()) plan.checks.push_back({number, key.sign, path});
  };
  visit_numbers(scenario.world, "world", check);
  for (const BodySpec& body : scenario.bodies) visit_numbers(body, "bodies." + body.name, check);
  for (const int rule : std::set<int>(plan.rule_of_pair.begin(), plan.rule_of_pair.end()))
    visit_numbers(scenario.contacts[static_cast<std::size_t>(rule)],
                  item_path("contacts", static_cast<std::size_t>(rule)), check);
  const ParameterLayout layout = model.view(0).parameter_layout;
  plan.constants.resize(layout.bytes);
  Loader(scenario, model, nullptr, parameter_memory(layout, plan.constants.data())).make_constants(plan);
  plan.plane = plane_of(scenario);
  for (std::size_t b = 0; plan.plane && b < scenario.bodies.size(); ++b) {
    const BodySpec& body = scenario.bodies[b];
    for (std::size_t s = 0; s < body.shapes.size(); ++s)
      if (!is_placed_constantly(body, body.shapes[s]))
        plan.placed_by_draw.push_back({static_cast<int>(b), static_cast<int>(s), 0});
  }
  return plan;
}

std::optional<Fault> load_parameters(const Scenario& scenario, const Model& model, const ParameterPlan& plan,
                                     std::span<const double> variables, const ParameterMemory& parameters) {
  std::memcpy(parameters.variables, plan.constants.data(), plan.constants.size());  // from the first field on
  std::copy(variables.begin(), variables.end(), parameters.variables);
  return Loader(scenario, model, variables.data(), parameters).load(plan);
}

}  // namespace jostle
