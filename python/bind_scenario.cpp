// jostle._core.Scenario: a scenario that has been read, its names, and the numbers of one sample.
#include <algorithm>

#include "drivers/devices/backend.hpp"
#include "drivers/errors.hpp"
#include "drivers/memory.hpp"
#include "drivers/simulation.hpp"
#include "drivers/views/motion.hpp"
#include "python/module.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/expression/vocabulary.hpp"
#include "scenarios/format/canonical.hpp"
#include "scenarios/format/words.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle::python {
namespace {

ReadOptions read_options(std::vector<std::string> set, std::optional<std::uint64_t> seed) {
  ReadOptions options;
  options.set = std::move(set);
  options.seed = seed;
  return options;
}

std::vector<double> copy_of(const double* first, std::size_t count) { return {first, first + count}; }

const char* name_of(RotationKind rotation) {
  switch (rotation) {
    case RotationKind::locked: return "locked";
    case RotationKind::about_x: return "x";
    case RotationKind::about_y: return "y";
    case RotationKind::about_z: return "z";
    case RotationKind::free: return "free";
  }
  return "free";
}

nb::list bodies_of(const Scenario& scenario, const Model& model, const ParameterMemory& p) {
  nb::list bodies;
  for (std::size_t b = 0; b < scenario.bodies.size(); ++b) {
    nb::dict body;
    body["name"] = scenario.bodies[b].name;
    body["fixed"] = scenario.bodies[b].fixed;
    body["prescribed"] = scenario.bodies[b].prescribed.given;
    nb::list freedoms;
    for (int k = 0; k < 6; ++k)
      if (!scenario.bodies[b].fixed && model.bodies[b].is_free(k)) freedoms.append(std::string(freedom_names[k]));
    body["freedom"] = freedoms;
    body["rotation_kind"] = name_of(model.bodies[b].rotation);
    body["mass"] = p.mass[b];
    body["inertia"] = new_array(copy_of(p.inertia + 3 * b, 3), {3});
    body["position"] = new_array(copy_of(p.start_position + 3 * b, 3), {3});
    body["orientation"] = new_array(copy_of(p.start_orientation + 4 * b, 4), {4});
    body["velocity"] = new_array(copy_of(p.start_velocity + 3 * b, 3), {3});
    body["spin"] = new_array(copy_of(p.start_spin + 3 * b, 3), {3});
    bodies.append(body);
  }
  return bodies;
}

nb::list shapes_of(const Model& model, const ParameterMemory& p) {
  nb::list shapes;
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    nb::dict shape;
    shape["type"] = model.is_convex(static_cast<int>(s)) ? word_for(model.shapes[s].type) : "surface";
    shape["body"] = model.shapes[s].body;
    shape["size"] = new_array(copy_of(p.shape_size + 3 * s, 3), {3});
    shape["position"] = new_array(copy_of(p.shape_position + 3 * s, 3), {3});
    shape["axes"] = new_array(copy_of(p.shape_axes + 9 * s, 9), {3, 3});
    const auto corners = static_cast<std::size_t>(model.shapes[s].corners);
    if (model.shapes[s].type == ShapeType::hull)
      shape["corners"] = new_array(copy_of(numbers_of_hull(model, p, model.shapes[s]), 3 * corners), {corners, 3});
    else if (corners > 0)
      shape["corners"] = new_array(copy_of(p.corners + 2 * model.shapes[s].first_corner, 2 * corners), {corners, 2});
    shapes.append(shape);
  }
  return shapes;
}

nb::list pairs_of(const Model& model, const ParameterMemory& p) {
  nb::list pairs;
  for (std::size_t i = 0; i < model.pairs.size(); ++i) {
    nb::dict pair;
    pair["shape_a"] = model.pairs[i].shape_a;
    pair["shape_b"] = model.pairs[i].shape_b;
    pair["friction"] = p.friction[i];
    pair["spin_friction"] = model.has_spin_friction ? p.spin_friction[i] : 0.0;
    pair["rolling_friction"] = model.has_rolling_friction ? p.rolling_friction[i] : 0.0;
    const bool has_impacts = facts_of(model.method).has_impacts;
    pair["restitution"] = has_impacts ? p.restitution[i] : 0.0;
    pair["tangential_restitution"] = has_impacts ? p.tangential_restitution[i] : 0.0;
    pair["adhesion"] = model.has_adhesion ? p.adhesion[i] : 0.0;
    pair["has_axis"] = model.pairs[i].axis_body >= 0;
    pairs.append(pair);
  }
  return pairs;
}

/// (speed or None for a function of time, limit)
nb::object motor_of(const MotorSpec& motor, double limit) {
  const bool is_constant = motor.speed.code.empty();
  return nb::make_tuple(is_constant ? nb::cast(motor.speed.constant) : nb::none(), limit);
}

/// (stiffness, damping, rest) of the spring on the coordinate of a joint; None: there is none.
nb::object spring_of_joint(const Model& model, int joint, const ParameterMemory& p) {
  for (std::size_t s = 0; s < model.springs.size(); ++s)
    if (model.springs[s].joint == joint)
      return nb::make_tuple(p.spring_stiffness[s], p.spring_damping[s], p.spring_rest[s]);
  return nb::none();
}

nb::list joints_of(const Scenario& scenario, const Model& model, const ParameterMemory& p) {
  nb::list joints;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const JointModel& joint = model.joints[j];
    nb::dict entry;
    entry["name"] = scenario.joints[j].name;
    entry["type"] = std::string(word_for(joint.type));
    entry["body_a"] = joint.body_a;
    entry["body_b"] = joint.body_b;
    entry["point_a"] = new_array(copy_of(p.joint_point_a + 3 * j, 3), {3});
    entry["point_b"] = new_array(copy_of(p.joint_point_b + 3 * j, 3), {3});
    entry["axes_a"] = new_array(copy_of(p.joint_axes_a + 9 * j, 9), {3, 3});
    entry["axes_b"] = new_array(copy_of(p.joint_axes_b + 9 * j, 9), {3, 3});
    entry["length"] = p.joint_length[j];
    entry["friction"] = p.joint_friction[j];
    entry["limits"] = joint.has_limits ? nb::object(new_array(copy_of(p.joint_limits + 2 * j, 2), {2})) : nb::none();
    entry["motor"] = joint.has_motor ? motor_of(scenario.joints[j].motor, p.motor_limit[j]) : nb::none();
    entry["spring"] = spring_of_joint(model, static_cast<int>(j), p);
    entry["armature"] = joint.has_armature ? p.joint_armature[j] : 0.0;
    entry["restitution"] = facts_of(model.method).has_impacts ? p.joint_restitution[j] : 0.0;
    entry["has_speed_limits"] = joint.speed_limits != 0;
    joints.append(entry);
  }
  return joints;
}

nb::list springs_of(const Scenario& scenario, const Model& model, const ParameterMemory& p) {
  nb::list springs;
  for (std::size_t s = 0; s < scenario.springs.size(); ++s) {  // those of joints follow
    nb::dict spring;
    spring["name"] = scenario.springs[s].name;
    spring["body_a"] = model.springs[s].body_a;
    spring["body_b"] = model.springs[s].body_b;
    spring["point_a"] = new_array(copy_of(p.spring_point_a + 3 * s, 3), {3});
    spring["point_b"] = new_array(copy_of(p.spring_point_b + 3 * s, 3), {3});
    spring["stiffness"] = p.spring_stiffness[s];
    spring["damping"] = p.spring_damping[s];
    spring["rest"] = p.spring_rest[s];
    springs.append(spring);
  }
  return springs;
}

void check_sample(const Ensemble& ensemble, std::int64_t sample) {
  if (sample < 0 || sample >= ensemble.count()) throw UsageError("there is no sample " + std::to_string(sample));
}

Dict resolved(const Scenario& scenario, std::int64_t sample) {
  const Ensemble ensemble(scenario);
  check_sample(ensemble, sample);
  Batch batch(ensemble.model(), 1);
  if (const auto fault = ensemble.load(sample, batch, 0))
    throw UsageError("sample " + std::to_string(sample) + ": " + fault->message);
  const ParameterMemory p = batch.parameters(0);
  const Model& model = ensemble.model();
  nb::dict all;
  all["step"] = model.step;
  all["method"] = std::string(name_of(model.method));
  all["gravity"] = new_array(copy_of(p.gravity, 3), {3});
  all["bodies"] = bodies_of(scenario, model, p);
  all["shapes"] = shapes_of(model, p);
  all["pairs"] = pairs_of(model, p);
  all["joints"] = joints_of(scenario, model, p);
  all["springs"] = springs_of(scenario, model, p);
  all["forces"] = model.forces.size();
  all["impulses"] = model.blows.size();
  return all;
}

/// q [time, body, 7], v [time, body, 6], steps taken, status.
nb::typed<nb::tuple, Array<double>, Array<double>, int, int> trajectory(const Scenario& scenario, std::int64_t sample,
                                                                        int stride) {
  std::vector<double> q, v;
  std::size_t entries = 0;
  int steps = 0, status = 0;
  Interrupt interrupt;
  const std::size_t bodies = scenario.bodies.size();
  {
    const WithoutGil unlocked;
    const Ensemble ensemble(scenario);
    check_sample(ensemble, sample);
    Batch batch(ensemble.model(), 1);
    ensemble.draw(sample, batch, 0);
    TrajectoryView view;
    view.stride = stride;
    entries = static_cast<std::size_t>(view.entries(ensemble.model().total_steps));
    if (13.0 * sizeof(double) * static_cast<double>(entries * bodies) > memory_of_machine())
      throw NotEnoughMemory("the motion has " + std::to_string(entries) +
                            " states, more than the memory of this machine: take a greater stride");
    q.assign(7 * entries * bodies, canonical_nan()), v.assign(6 * entries * bodies, canonical_nan());
    view.q = q.data(), view.v = v.data();
    batch.record(0, view);
    const int last = static_cast<int>(ensemble.model().total_steps);
    for (int step = 0; step < last && !interrupt.is_set();) {
      step += std::min(steps_at_once, last - step);
      run_batch(batch, step, {1, 0, nullptr});
    }
    steps = batch.state(0).steps(), status = batch.state(0).status();
  }
  interrupt.rethrow();
  return nb::make_tuple(new_array(std::move(q), {entries, bodies, 7}), new_array(std::move(v), {entries, bodies, 6}),
                        steps, status);
}

/// The page of a motion that a batch has seen.
std::string page_of_poses(const Scenario& scenario, std::int64_t sample, const std::vector<double>& time,
                          const std::vector<double>& poses) {
  const WithoutGil unlocked;
  const Ensemble ensemble(scenario);
  check_sample(ensemble, sample);
  return motion_page(ensemble, {motion_of_poses(ensemble, sample, time, poses)});
}

}  // namespace

Scenario with_sampling(const Scenario& scenario, std::optional<std::uint64_t> seed, std::optional<std::int64_t> count) {
  Scenario changed = scenario;
  if (seed) changed.sample.seed = *seed;
  if (count) changed.sample.count = *count;
  changed.canonical = canonical_yaml(changed);
  return changed;
}

/// How many samples there are, and what each is.
void bind_samples(nb::class_<Scenario>& scenario) {
  scenario
      .def(
          "own_count", [](const Scenario& s) { return own_sample_count(Ensemble(s)); },
          "Samples of a sweep that is not told how many; None: it must be told.")
      .def(
          "check",
          [](const Scenario& s) {  // a Latin hypercube may have its count later
            const bool has_count = s.sample.method != SampleMethod::latin_hypercube || s.sample.count >= 0;
            const Ensemble checked(has_count ? s : with_sampling(s, {}, 1));
          },
          "Raises what is wrong for every sample.")
      .def("with_sampling", &with_sampling, nb::arg("seed").none(), nb::arg("count").none(),
           "The scenario with another seed and count of samples.")
      .def(
          "count", [](const Scenario& s) { return Ensemble(s).count(); },
          "Different samples: rows of its table, those of its Latin hypercube, or as many as can be counted.")
      .def(
          "check_room",
          [](const Scenario& s, std::int64_t systems) { check_room(Ensemble(with_sampling(s, {}, systems)), systems); },
          nb::arg("systems"), "Raises UsageError or MemoryError for more systems than a batch can have here.")
      .def(
          "draw",
          [](const Scenario& s, std::int64_t sample) {
            const Ensemble ensemble(s);
            check_sample(ensemble, sample);
            return ensemble.draw(sample);
          },
          nb::arg("sample"), "The values of the variables in a sample.")
      .def("page_of_poses", &page_of_poses, nb::arg("sample"), nb::arg("time"), nb::arg("poses"),
           "HTML of a motion: poses of all bodies that are not fixed at each time, one after the other.")
      .def("resolved", &resolved, nb::arg("sample"), "All numbers of a sample.")
      .def("trajectory", &trajectory, nb::arg("sample"), nb::arg("stride") = 1,
           "(q, v, steps, status) of a sample; all bodies, fixed ones included.");
}

void bind_scenario(nb::module_& module) {
  module.def(
      "is_reserved", [](const std::string& name) { return is_reserved(name); }, nb::arg("name"),
      "Whether no body or joint may have this name.");
  nb::class_<Scenario> scenario(module, "Scenario", "A scenario that has been read and checked.");
  scenario
      .def_static(
          "read",
          [](const std::string& path, std::vector<std::string> set, std::optional<std::uint64_t> seed) {
            return read_scenario(path, read_options(std::move(set), seed));
          },
          nb::arg("path"), nb::arg("set"), nb::arg("seed").none())
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name, std::vector<std::string> set,
             std::optional<std::uint64_t> seed, bool live) {
            ReadOptions options = read_options(std::move(set), seed);
            options.live = live;
            return parse_scenario(text, name, options);
          },
          nb::arg("text"), nb::arg("name"), nb::arg("set"), nb::arg("seed").none(), nb::arg("live") = false)
      .def_ro("file", &Scenario::file)
      .def_ro("title", &Scenario::title)
      .def_ro("canonical", &Scenario::canonical, "The scenario with all defaults, as YAML.")
      .def_prop_ro("variables", [](const Scenario& s) { return names_in(s.variables); })
      .def_prop_ro("outcomes", [](const Scenario& s) { return names_in(s.outcomes); })
      .def_prop_ro("bodies", [](const Scenario& s) { return names_in(s.bodies); })
      .def_prop_ro(
          "joints",
          [](const Scenario& s) {
            std::vector<std::tuple<std::string, std::string, bool>> joints;
            for (const JointSpec& joint : s.joints)
              joints.emplace_back(joint.name, joint.type == JointType::revolute ? "angle" : "position",
                                  joint.has_coordinate());
            return joints;
          },
          "(name, \"angle\" or \"position\", whether it has one) of each.")
      .def_prop_ro(
          "step", [](const Scenario& s) { return s.world.step; }, "s")
      .def_prop_ro("steps", [](const Scenario& s) { return s.world.steps; })
      .def_prop_ro("seed", [](const Scenario& s) { return s.sample.seed; });
  bind_samples(scenario);
}

}  // namespace jostle::python
