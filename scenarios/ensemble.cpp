#include "scenarios/ensemble.hpp"

#include <filesystem>
#include <numbers>

#include "scenarios/bind.hpp"
#include "scenarios/error.hpp"
#include "scenarios/inertia.hpp"
#include "scenarios/scene.hpp"
#include "scenarios/start_check.hpp"

namespace jostle {

namespace {

ProgramModel add_number(Model& model, const Number& number) {
  if (!number.code.empty()) return model.add_program(number.code);
  if (number.constant == 0) return {};
  return model.add_program({{Op::constant, 0, number.constant}});
}

void add_pairs(const Scenario& scenario, Model& model) {
  for (int s = 0; s < static_cast<int>(model.shapes.size()); ++s) {
    for (int other = s + 1; other < static_cast<int>(model.shapes.size()); ++other) {
      const int a = model.shapes[s].body, b = model.shapes[other].body;
      if (a == b || !may_touch(scenario.bodies[a], scenario.bodies[b])) continue;
      if (contact_rule(scenario, a, b)->contact) model.add_pair(s, other);
    }
  }
}

bool positive(double x) { return is_finite(x) && x > 0; }
bool finite(const Vec3& v) { return is_finite(v[0]) && is_finite(v[1]) && is_finite(v[2]); }

/// Angle of a rotation about a coordinate axis, kept as it is written (not wrapped).
double planar_angle(const RotationSpec& rotation, int axis, const double* variables) {
  if (rotation.kind == RotationSpec::Kind::axis_angle) {
    const double angle = value_of(rotation.angle, variables) * (std::numbers::pi / 180);
    return value_of(rotation.axis[axis], variables) < 0 ? -angle : angle;
  }
  const Quaternion q = rotation_of(rotation, variables);
  const double part[3] = {q.x, q.y, q.z};
  return 2 * arc_tangent(part[axis], q.w);
}

std::vector<std::string> names_of(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const Variable& variable : scenario.variables) names.push_back(variable.name);
  return names;
}

}  // namespace

Model build_model(const Scenario& scenario) {
  Model model;
  model.step = scenario.world.step;
  model.total_steps = scenario.world.steps;
  model.linearisation = scenario.world.linearisation;
  model.variables = static_cast<int>(scenario.variables.size());
  for (const BodySpec& body : scenario.bodies) {
    const int index = model.add_body(body.fixed, body.freedom);
    for (const ShapeSpec& shape : body.shapes) model.add_shape(shape.type, index);
  }
  add_pairs(scenario, model);
  const int k = scenario.world.friction_directions;
  model.planar = k == 2;
  if (model.planar) model.plane_normal[plane_axis(scenario).value_or(2)] = 1;
  model.set_directions(k);
  for (const ForceSpec& spec : scenario.forces) {
    ForceModel force{spec.body, {}, {}};
    for (int i = 0; i < 3; ++i) {
      force.force[i] = add_number(model, spec.force[i]);
      force.torque[i] = add_number(model, spec.torque[i]);
    }
    model.forces.push_back(force);
  }
  model.quantities = scenario.quantities;
  for (const OutcomeSpec& outcome : scenario.outcomes) {
    model.outcomes.push_back({outcome.reducer, model.add_program(outcome.expression.code)});
  }
  return model;
}

Ensemble::Ensemble(Scenario scenario) : scenario_(std::move(scenario)), model_(build_model(scenario_)) {
  if (scenario_.sample.method == SampleMethod::table) {
    const auto file = std::filesystem::path(scenario_.file).parent_path() / scenario_.sample.table;
    table_ = std::make_unique<Table>(Table::load(file.string(), names_of(scenario_)));
  }
  try {
    sampler_ =
        std::make_unique<Sampler>(scenario_.sample.method, scenario_.sample.seed, scenario_.variables, table_.get());
  } catch (const SamplerError& error) {
    throw error_at(scenario_, {}, error.what());
  }
  check_start(scenario_, draw(0).data());
  if (!draws_anything(scenario_)) check_numbers();
}

std::vector<double> Ensemble::draw(std::int64_t sample) const {
  std::vector<double> values(scenario_.variables.size());
  sampler_->draw(sample, values.data());
  return values;
}

// What is wrong for every sample is an error of the file, not a status.
void Ensemble::check_numbers() const {
  Batch batch(model_, 1);
  load(0, batch, 0);
  if (batch.status(0) == Status::bad_parameters) throw error_at(scenario_, {}, "a number is not physical");
}

void Ensemble::load(std::int64_t sample, Batch& batch, int index) const {
  const std::vector<double> variables = draw(sample);
  const ParameterMemory parameters = batch.parameters(index);
  for (std::size_t i = 0; i < variables.size(); ++i) parameters.variables[static_cast<int>(i)] = variables[i];
  const Vec3 gravity = value_of(scenario_.world.gravity, variables.data());
  set_vector(parameters.gravity, 0, gravity);
  const bool good = finite(gravity) && load_bodies(variables.data(), parameters) &&
                    load_shapes(variables.data(), parameters) && load_contacts(variables.data(), parameters);
  if (good) return;
  const StateView state = batch.state(index);
  state.status[0] = static_cast<int>(Status::bad_parameters);
  for (int o = 0; o < model_.view(0).dimensions.outcomes; ++o) state.outcomes[o] = canonical_nan();
}

bool Ensemble::load_bodies(const double* variables, const ParameterMemory& parameters) const {
  for (int b = 0; b < static_cast<int>(scenario_.bodies.size()); ++b) {
    const BodySpec& body = scenario_.bodies[b];
    const Vec3 position = value_of(body.position, variables);
    const Vec3 velocity = value_of(body.velocity, variables), spin = value_of(body.spin, variables);
    Quaternion orientation = rotation_of(body.rotation, variables);
    const int axis = static_cast<int>(model_.bodies[b].rotation);
    if (axis >= 0 && axis < 3) {
      parameters.start_angle[b] = planar_angle(body.rotation, axis, variables);
      orientation = planar_quaternion(axis, parameters.start_angle[b]);
    }
    set_vector(parameters.start_position, b, position);
    set_quaternion(parameters.start_orientation, b, orientation);
    set_vector(parameters.start_velocity, b, velocity);
    set_vector(parameters.start_spin, b, spin);
    const double length = orientation.w + orientation.x + orientation.y + orientation.z;
    if (!finite(position) || !finite(velocity) || !finite(spin) || !is_finite(length)) return false;
    if (body.fixed) continue;
    parameters.mass[b] = value_of(body.mass, variables);
    if (!positive(parameters.mass[b]) || !load_inertia(body, b, variables, parameters)) return false;
  }
  return true;
}

bool Ensemble::load_inertia(const BodySpec& body, int index, const double* variables,
                            const ParameterMemory& parameters) const {
  if (!body.freedom[3] && !body.freedom[4] && !body.freedom[5]) return true;
  Vec3 moments = value_of(body.inertia, variables);
  if (!body.has_inertia) {
    std::vector<PlacedShape> shapes;
    for (const ShapeSpec& shape : body.shapes) shapes.push_back(shape_in_body(shape, variables));
    const DefaultInertia inertia = default_inertia(shapes, parameters.mass[index], body.freedom);
    if (inertia.problem != InertiaProblem::none) return false;
    moments = inertia.moments;
  }
  set_vector(parameters.inertia, index, moments);
  return is_physical_inertia(moments, body.freedom);
}

bool Ensemble::load_shapes(const double* variables, const ParameterMemory& parameters) const {
  int index = 0;
  for (const BodySpec& body : scenario_.bodies) {
    for (const ShapeSpec& shape : body.shapes) {
      const PlacedShape placed = shape_in_body(shape, variables);
      set_vector(parameters.shape_size, index, placed.size);
      set_vector(parameters.shape_position, index, placed.position);
      for (int k = 0; k < 9; ++k) parameters.shape_axes[9 * index + k] = placed.axes(k / 3, k % 3);
      if (!finite(placed.size) || !finite(placed.position) || !finite(placed.axes.col(2))) return false;
      const bool box = shape.type == ShapeType::box;
      if (shape.type != ShapeType::half_space && shape.type != ShapeType::capsule && !(placed.size[0] > 0))
        return false;
      if (shape.type == ShapeType::capsule && !(placed.size[0] >= 0)) return false;
      if (box && !(placed.size[1] > 0 && placed.size[2] > 0)) return false;
      if ((shape.type == ShapeType::capsule || shape.type == ShapeType::cylinder) && !(placed.size[1] > 0))
        return false;
      ++index;
    }
  }
  return true;
}

bool Ensemble::load_contacts(const double* variables, const ParameterMemory& parameters) const {
  for (int p = 0; p < static_cast<int>(model_.pairs.size()); ++p) {
    const PairModel& pair = model_.pairs[p];
    const ContactRule* rule =
        contact_rule(scenario_, model_.shapes[pair.shape_a].body, model_.shapes[pair.shape_b].body);
    parameters.friction[p] = value_of(rule->friction, variables);
    if (!is_finite(parameters.friction[p]) || parameters.friction[p] < 0) return false;
  }
  return true;
}

}  // namespace jostle
