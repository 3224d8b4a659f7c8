#include "scenarios/ensemble.hpp"

#include <algorithm>
#include <filesystem>

#include "core/batch/default_arithmetic.hpp"
#include "core/geometry/polyhedron_pairs.hpp"
#include "scenarios/model/scene.hpp"
#include "scenarios/parameters/mass.hpp"
#include "scenarios/parameters/parameters.hpp"
#include "scenarios/parameters/start_check.hpp"
#include "scenarios/sampling/sampler.hpp"
#include "scenarios/sampling/table.hpp"
#include "scenarios/text/error.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {

namespace {

ProgramModel add_number(Model& model, const Number& number) {
  if (!number.code.empty()) return model.add_program(number.code);
  if (number.constant == 0) return {};
  return model.add_program({{Op::constant, 0, number.constant}});
}

void add_vector(Model& model, const Number (&vector)[3], ProgramModel (&to)[3]) {
  for (int i = 0; i < 3; ++i) to[i] = add_number(model, vector[i]);
}

int add_body(const BodySpec& body, Model& model) {
  if (!body.prescribed.given) return model.add_body(body.fixed, body.freedom, mass_of(body, nullptr).has_own_frame);
  PrescribedModel motion;
  add_vector(model, body.prescribed.velocity, motion.velocity);
  add_vector(model, body.prescribed.spin, motion.spin);
  return model.add_prescribed_body(motion, body.freedom);
}

void add_joint(const JointSpec& spec, Model& model) {
  JointModel joint{spec.type, spec.sides.bodies[0], spec.sides.bodies[1]};
  joint.has_friction = spec.has_coordinate() && spec.has_friction();
  joint.has_ball_friction = spec.has_ball_friction();
  joint.has_motor = spec.motor.given;
  joint.has_limits = spec.has_limits;
  if (joint.has_motor) joint.speed = add_number(model, spec.motor.speed);
  joint.has_armature = !is_zero(spec.armature);
  joint.speed_limits =
      static_cast<std::uint8_t>((spec.speed_limits.has[0] ? 1 : 0) | (spec.speed_limits.has[1] ? 2 : 0));
  model.add_joint(joint);
}

/// Feature pairs have numbers.
void check_feature_pairs(const Scenario& scenario, const Model& model, int shape, int other) {
  if (model.shapes[other].type < model.shapes[shape].type) std::swap(shape, other);
  if (model.features_of(shape, other) <= most_features) return;
  const BodySpec& a = scenario.bodies[static_cast<std::size_t>(model.shapes[shape].body)];
  const BodySpec& b = scenario.bodies[static_cast<std::size_t>(model.shapes[other].body)];
  throw error_at(
      scenario, b.where,
      "'" + a.name + "' and '" + b.name +
          "' have meshes with more than 2^31 pairs of parts that could touch: export one of them with coarser "
          "triangles, or write `contact: false` if they never touch");
}

void add_pairs(const Scenario& scenario, Model& model) {
  for (int s = 0; s < static_cast<int>(model.shapes.size()); ++s) {
    for (int other = s + 1; other < static_cast<int>(model.shapes.size()); ++other) {
      const int a = model.shapes[s].body, b = model.shapes[other].body;
      if (a == b || !scenario.pairs.may_touch(a, b)) continue;
      check_feature_pairs(scenario, model, s, other);
      model.add_pair(s, other);
      const ContactRule& rule = scenario.contacts[static_cast<std::size_t>(scenario.pairs.rule(a, b))];
      model.has_spin_friction = model.has_spin_friction || !is_zero(rule.spin_friction);
      model.has_rolling_friction = model.has_rolling_friction || !is_zero(rule.rolling_friction);
      model.has_adhesion = model.has_adhesion || !is_zero(rule.adhesion);
      if (rule.across.given)
        model.pairs.back().axis_body = scenario.bodies[static_cast<std::size_t>(a)].is_called(rule.across.of) ? a : b;
    }
  }
  if (facts_of(model.method).has_stages || scenario.world.friction_cone == FrictionCone::circle)
    model.has_spin_friction = model.has_rolling_friction = false;  // they are 0 in every sample: must_be_zero
}

void add_bodies(const Scenario& scenario, Model& model) {
  for (const BodySpec& body : scenario.bodies) {
    const int index = add_body(body, model);
    for (const ShapeSpec& shape : body.shapes) {
      if (shape.type == ShapeType::polygon) {
        const PolygonSpec& polygon = shape.polygon;
        model.add_polygon(index, static_cast<int>(polygon.points.list.size()), polygon.is_clockwise,
                          polygon.has_arcs());
      } else if (shape.type == ShapeType::hull) {
        const HullStructure& hull = shape.hull.structure;
        std::vector<double> numbers;
        if (!hull.is_convex) shape_in_body(shape, nullptr, &numbers);
        model.add_hull(index, static_cast<int>(hull.corners.size()), hull.packed, numbers);
      } else {
        model.add_shape(shape.type, index);
      }
    }
  }
}

void add_ties(const Scenario& scenario, Model& model) {
  for (const JointSpec& joint : scenario.joints) add_joint(joint, model);
  model.order_joint_rows();
  for (const SpringSpec& spring : scenario.springs)
    model.springs.push_back({spring.sides.bodies[0], spring.sides.bodies[1]});
  for (std::size_t j = 0; j < scenario.joints.size(); ++j)  // after those, whose numbers quantities have
    if (const auto& [a, b] = scenario.joints[j].sides.bodies; scenario.joints[j].has_spring())
      model.springs.push_back({a, b, static_cast<int>(j)});
}

void add_forces(const Scenario& scenario, Model& model) {
  int points = 0;
  for (const ForceSpec& spec : scenario.forces) {
    ForceModel force{spec.body.index, spec.has_point ? points++ : -1, {}, {}};
    add_vector(model, spec.force, force.force);
    add_vector(model, spec.torque, force.torque);
    if (spec.has_reaction) force.reaction = spec.reaction.index;
    force.follows_motion = model.follows_motion(force);
    model.forces.push_back(force);
  }
  for (const ImpulseSpec& spec : scenario.impulses) model.blows.push_back({spec.body.index});
}

/// What a state keeps for the sake of quantities.
void keep_what_is_asked_for(Model& model) {
  const auto any = [&](bool (Quantity::*is_so)() const) {
    return std::any_of(model.quantities.begin(), model.quantities.end(),
                       [&](const Quantity& quantity) { return (quantity.*is_so)(); });
  };
  model.has_contact_tallies = any(&Quantity::is_of_contacts);
  for (const Quantity& quantity : model.quantities)
    if (quantity.is_of_joint_wrench()) model.keep_wrench(quantity.body);
  model.has_contact_wrenches = any(&Quantity::is_of_contact_wrench);
  model.has_impact_shares =
      (facts_of(model.method).has_impacts || !model.blows.empty()) && any(&Quantity::is_of_impacts);
  model.has_pointedness = std::any_of(model.quantities.begin(), model.quantities.end(),
                                      [](const Quantity& q) { return q.kind == Quantity::Kind::pointedness; });
}

void add_outcomes(const Scenario& scenario, Model& model) {
  for (const OutcomeSpec& outcome : scenario.outcomes) {
    const Expression& expression = outcome.value();
    const bool has_undefined = expression.kind == ValueKind::truth && outcome.reducer != Reducer::first_time &&
                               outcome.category_name.empty();  // exactly one category holds
    const ProgramModel value = model.add_program(has_undefined ? with_undefined(expression.code) : expression.code);
    const bool is_conditional = !outcome.condition().code.empty();
    model.outcomes.push_back(
        {outcome.reducer, value, is_conditional ? model.add_program(outcome.condition().code) : ProgramModel{}});
  }
  for (const Expression& quantity : scenario.record.quantities)
    model.recorded.push_back(model.add_program(quantity.code));
  model.records_contacts = scenario.record.contacts;
  model.lcp_every = scenario.record.lcp.every;
  if (!scenario.stop_when.code.empty()) {
    model.stop_outcome = static_cast<int>(model.outcomes.size());
    model.outcomes.push_back({Reducer::first_time, model.add_program(scenario.stop_when.code), {}});
  }
}

}  // namespace

std::filesystem::path table_path(const Scenario& scenario) {
  const SampleSpec& sample = scenario.sample;
  if (!sample.table_place.empty()) return sample.table_place;
  return std::filesystem::path(scenario.file).parent_path() / sample.table;
}

Model build_model(const Scenario& scenario) {
  const DefaultArithmetic arithmetic;
  Model model;
  static_cast<StepOptions&>(model) = scenario.world;
  model.total_steps = scenario.world.steps;
  model.impact_law = scenario.world.impact.law;
  model.variables = static_cast<int>(scenario.variables.size());
  add_bodies(scenario, model);
  add_pairs(scenario, model);
  const int k = scenario.world.friction_directions;
  model.planar = k == 2;
  if (model.planar) model.plane_normal[plane_axis(scenario).value_or(2)] = 1;
  model.set_directions(k);
  add_ties(scenario, model);
  add_forces(scenario, model);
  model.quantities = scenario.quantities;
  keep_what_is_asked_for(model);
  add_outcomes(scenario, model);
  return model;
}

Ensemble::Ensemble(Scenario scenario, Start start)
    : scenario_(std::move(scenario)),
      model_(build_model(scenario_)),
      constants_(compile_parameters(scenario_, model_)) {
  const DefaultArithmetic arithmetic;
  if (scenario_.sample.method == SampleMethod::table) {
    table_ = std::make_unique<Table>(Table::load(table_path(scenario_).string(), names_in(scenario_.variables)));
  }
  try {
    sampler_ = std::make_unique<Sampler>(scenario_.sample, scenario_.variables, table_.get());
  } catch (const SamplerError& error) {
    throw error_at(scenario_, {}, error.what());
  }
  if (start == Start::checked) check_start(scenario_, draw(0).data());
  if (!draws_anything(scenario_)) check_numbers();
}

Ensemble::Ensemble(Ensemble&& other) noexcept = default;
Ensemble::~Ensemble() = default;

std::int64_t Ensemble::count() const { return sampler_->count(); }

std::vector<double> Ensemble::draw(std::int64_t sample) const {
  const DefaultArithmetic arithmetic;
  std::vector<double> values(scenario_.variables.size());
  sampler_->draw(sample, values.data());
  return values;
}

// If every sample is wrong, it is an error of the file, not a status.
void Ensemble::check_numbers() const {
  Batch batch(model_, 1);
  if (const auto fault = load(0, batch, 0)) throw error_at(scenario_, fault->where, fault->message);
}

void Ensemble::draw(std::int64_t sample, Batch& batch, int index) const {
  double* const parameters = batch.parameters(index).variables;  // the first field
  std::copy(constants_.begin(), constants_.end(), parameters);
  sampler_->draw(sample, parameters);
  batch.state(index).status() = static_cast<int>(Status::not_loaded);
}

std::optional<Fault> Ensemble::load(std::int64_t sample, Batch& batch, int index) const {
  const DefaultArithmetic arithmetic;
  draw(sample, batch, index);
  load_system(batch, index);
  return batch.status(index) == Status::bad_parameters ? fault(draw(sample)) : std::nullopt;
}

std::optional<Fault> Ensemble::fault(const std::vector<double>& variables) const {
  return find_fault(scenario_, model_, variables);
}

std::optional<Fault> Ensemble::overlap(const std::vector<double>& variables) const {
  return overlap_of(scenario_, variables.data());
}

std::optional<Fault> Ensemble::fault(const std::vector<double>& variables, Status status) const {
  if (status == Status::bad_parameters) return fault(variables);
  if (status == Status::overlap) return overlap(variables);
  return std::nullopt;
}

std::string Ensemble::reason(const std::vector<double>& variables, Status status) const {
  const std::optional<Fault> found = fault(variables, status);
  return found ? found->message : "";
}

}  // namespace jostle
