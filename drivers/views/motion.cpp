#include "drivers/views/motion.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/assembly/tangents.hpp"
#include "core/model/frame.hpp"
#include "core/stages/contact_sums.hpp"
#include "drivers/datasets/dataset.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/errors.hpp"
#include "drivers/reports/samples.hpp"
#include "drivers/simulation.hpp"
#include "drivers/views/curves.hpp"
#include "scenarios/format/words.hpp"
#include "scenarios/parameters/bind.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

/// `corner` and `structure`: PlacedShape says what they are.
void add_hull(Json& json, int corners, const double* corner, const int* structure) {
  json["corners"] = std::vector<double>(corner, corner + 3 * corners);
  json["edges"] = std::vector<int>(structure + structure_header, structure + structure_header + 4 * structure[1]);
}

Json shape_json(const Ensemble& ensemble, const ParameterMemory& parameters, int s) {
  const ShapeModel& shape = ensemble.model().shapes[static_cast<std::size_t>(s)];
  const auto numbers = [s](const double* field, int count) {
    return std::vector<double>(field + count * s, field + count * (s + 1));
  };
  Json json = {{"type", word_for(shape.type)},
               {"body", shape.body},
               {"size", numbers(parameters.shape_size, 3)},
               {"position", numbers(parameters.shape_position, 3)},
               {"axes", numbers(parameters.shape_axes, 9)}};
  if (shape.type == ShapeType::hull) {
    add_hull(json, shape.corners, numbers_of_hull(ensemble.model(), parameters, shape),
             ensemble.model().hull_structures.data() + shape.structure);
    return json;
  }
  const double* const corner = parameters.corners + 2 * shape.first_corner;
  if (shape.corners > 0) json["corners"] = std::vector<double>(corner, corner + 2 * shape.corners);
  if (const double* const bulge = parameters.bulges + shape.first_bulge; shape.first_bulge >= 0)
    json["bulges"] = std::vector<double>(bulge, bulge + shape.corners);
  return json;
}

/// A shape that is only drawn, in the frame of the body as it moves: its centre of mass and principal axes.
Json displayed_json(const System& system, const ShapeSpec& shape, int body) {
  std::vector<double> corners;
  PlacedShape placed = shape_in_body(shape, system.parameters().variables, &corners);
  if (const int frame = system.model.bodies[body].frame; frame >= 0) {
    const Mat3 axes = rotation_matrix(quaternion_at(system.parameters().frame_orientation, frame));
    placed.position = vector_at(system.parameters().frame_position, frame) + rotate(axes, placed.position);
    placed.axes = product(axes, placed.axes);
  }
  std::vector<double> rows;
  for (int k = 0; k < 9; ++k) rows.push_back(placed.axes(k / 3, k % 3));
  const auto list = [](const Vec3& v) { return std::vector<double>{v[0], v[1], v[2]}; };
  Json json = {{"type", word_for(placed.type)},
               {"body", body},
               {"size", list(placed.size)},
               {"position", list(placed.position)},
               {"axes", rows}};
  if (placed.type == ShapeType::hull)
    add_hull(json, placed.corners, placed.corner, placed.structure);
  else if (!corners.empty())
    json["corners"] = std::vector<double>(placed.corner, placed.corner + 2 * placed.corners);
  if (placed.bulge) json["bulges"] = std::vector<double>(placed.bulge, placed.bulge + placed.corners);
  return json;
}

std::vector<double> three(const double* field, int item) { return {field + 3 * item, field + 3 * item + 3}; }

/// Joints, and springs between points.
Json links_json(const Model& model, const ParameterMemory& p) {
  Json links = Json::array();
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    const JointModel& joint = model.joints[static_cast<std::size_t>(j)];
    Json link = {{"kind", word_for(joint.type)},
                 {"body_a", joint.body_a},
                 {"body_b", joint.body_b},
                 {"point_a", three(p.joint_point_a, j)},
                 {"point_b", three(p.joint_point_b, j)}};
    if (joint.has_coordinate()) {
      const int along = joint.type == JointType::revolute ? 2 : 0, across = 2 - along;
      const auto column = [](const double* axes, int k) { return Json{axes[k], axes[3 + k], axes[6 + k]}; };
      link["axis"] = column(p.joint_axes_b + 9 * j, along);
      if (joint.has_limits) {
        link["limits"] = {p.joint_limits[2 * j], p.joint_limits[2 * j + 1]};
        link["axis_a"] = column(p.joint_axes_a + 9 * j, along);
        link["across_a"] = column(p.joint_axes_a + 9 * j, across);
        link["across_b"] = column(p.joint_axes_b + 9 * j, across);  // the same direction where the angle is 0
      }
    }
    links.push_back(link);
  }
  for (int s = 0; s < static_cast<int>(model.springs.size()); ++s) {
    const SpringModel& spring = model.springs[static_cast<std::size_t>(s)];
    if (spring.joint >= 0) continue;
    links.push_back({{"kind", "spring"},
                     {"body_a", spring.body_a},
                     {"body_b", spring.body_b},
                     {"point_a", three(p.spring_point_a, s)},
                     {"point_b", three(p.spring_point_b, s)}});
  }
  return links;
}

/// The impulse of contact c on the second body: n c_n + D beta.
ShownImpulse shown_impulse(const System& system, const Workspace& work, int c) {
  const Contact& contact = work.contact(c);
  const Block& block = work.block(c);
  Vec3 impulse = work.row_impulse(block.normal) * contact.normal;
  for (int i = 0; i < block.tangents; ++i)
    impulse += work.row_impulse(block.tangent + i) * world_direction(system.model, contact, i);
  const int body = system.model.shapes[system.model.pairs[contact.pair].shape_b].body;
  const Vec3 point = work.predicted_pose(body).position + contact.arm_b;
  if (system.model.bodies[body].mover == no_body) impulse = -impulse;
  ShownImpulse shown{};
  for (int k = 0; k < 3; ++k) {
    shown.point[k] = static_cast<float>(point[k]);
    shown.impulse[k] = static_cast<float>(impulse[k]);
  }
  return shown;
}

class Recorder {
 public:
  Recorder(Motion& motion, const Ensemble& ensemble)
      : motion_(motion), curves_(ensemble), step_(ensemble.model().step), steps_(ensemble.model().total_steps) {
    stride_ = (steps_ + most_frames - 1) / most_frames;
  }

  void keep_start(const System& system) {
    keep(system);
    motion_.curves.resize(curves_.names().size(), std::numeric_limits<float>::quiet_NaN());
  }

  void keep_step(const System& system, const Workspace& work, const StepResult& result) {
    const std::int64_t step = system.state().steps();
    const bool is_last = step == steps_ || !has_step_left(system, static_cast<int>(steps_));
    if (result.status == Status::ok && (step % stride_ == 0 || is_last)) {
      for (int c = 0; c < result.contacts; ++c)
        if (normal_impulse(work, c) > 0) motion_.impulses.push_back(shown_impulse(system, work, c));
      keep(system);
      for (const double value : curves_.of(system, work)) motion_.curves.push_back(static_cast<float>(value));
    }
  }

 private:
  void keep(const System& system) {
    const StateView state = system.state();
    motion_.time.push_back(state.steps() * step_);
    for (int b = 0; b < system.model.dimensions.bodies; ++b) {
      for (int k = 0; k < 3; ++k) motion_.poses.push_back(static_cast<float>(state.position[3 * b + k]));
      for (int k = 0; k < 4; ++k) motion_.poses.push_back(static_cast<float>(state.orientation[4 * b + k]));
    }
    motion_.contacts.push_back(static_cast<std::int32_t>(motion_.impulses.size()));
  }

  Motion& motion_;
  Curves curves_;
  double step_;
  std::int64_t steps_, stride_ = 1;
};

void add_results(Motion& motion, const Ensemble& ensemble, Simulation& simulation) {
  const Scenario& scenario = ensemble.scenario();
  motion.variables = shown_variables(names_in(scenario.variables), ensemble.draw(motion.sample));
  motion.status = name_of(simulation.status(0));
  for (std::size_t o = 0; o < scenario.outcomes.size(); ++o)
    motion.outcomes.emplace_back(
        scenario.outcomes[o].name,
        outcome_value(simulation.status(0), simulation.state(0).outcomes[static_cast<int>(o)]));
}

struct SeenPose {
  Vec3 position;
  Quaternion orientation;
};

/// Of the centre of mass and the principal axes, from that of the frame of the file (x y z, w x y z).
SeenPose pose_of_frame(const System& system, int body, const double* q) {
  const Quaternion written = normalised(Quaternion{q[3], q[4], q[5], q[6]});
  SeenPose pose{{q[0], q[1], q[2]}, written};
  if (!has_own_frame(system.model, body)) return pose;
  const Quaternion frame = turn_of_frame(system, body);
  pose.orientation = written * Quaternion{frame.w, -frame.x, -frame.y, -frame.z};
  pose.position -= arm_of_frame(system, body, rotation_matrix(pose.orientation));
  return pose;
}

/// A motion that has begun: the sample at its start.
struct BegunMotion {
  BegunMotion(const Ensemble& ensemble, std::int64_t sample)
      : simulation(ensemble, 1, Machine(1), sample), recorder(motion, ensemble) {
    motion.sample = sample;
    simulation.step(0);
    const ParameterMemory parameters = simulation.parameters(0);
    std::copy_n(parameters.gravity, 3, motion.gravity);
    motion.shapes = Json::array();
    for (int s = 0; s < static_cast<int>(ensemble.model().shapes.size()); ++s)
      motion.shapes.push_back(shape_json(ensemble, parameters, s));
    const std::vector<BodySpec>& bodies = ensemble.scenario().bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (const ShapeSpec& shape : bodies[b].displayed)
        motion.shapes.push_back(displayed_json(simulation.system(0), shape, static_cast<int>(b)));
    motion.links = links_json(ensemble.model(), parameters);
    recorder.keep_start(simulation.system(0));
  }

  Motion motion;
  Simulation simulation;
  Recorder recorder;
};

}  // namespace

Json start_picture(const Ensemble& ensemble, std::int64_t sample) {
  BegunMotion begun(ensemble, sample);
  if (begun.simulation.status(0) == Status::bad_parameters) return {};
  return scene_json(ensemble, {begun.motion});
}

Motion motion_of_poses(const Ensemble& ensemble, std::int64_t sample, const std::vector<double>& time,
                       const std::vector<double>& poses) {
  BegunMotion begun(ensemble, sample);
  Motion& motion = begun.motion;
  motion.status = name_of(Status::ok);
  const System system = begun.simulation.system(0);
  const std::vector<float> start = std::exchange(motion.poses, {});
  const auto fixed = [&](int b) { return ensemble.scenario().bodies[static_cast<std::size_t>(b)].fixed; };
  const double* seen = poses.data();
  for (std::size_t t = 0; t < time.size(); ++t) {
    for (int b = 0; b < system.model.dimensions.bodies; ++b) {
      const auto at = start.begin() + 7 * b;
      if (fixed(b)) {
        motion.poses.insert(motion.poses.end(), at, at + 7);
        continue;
      }
      if (seen + 7 > poses.data() + poses.size()) throw UsageError("there are fewer poses than bodies at these times");
      const SeenPose pose = pose_of_frame(system, b, seen);
      for (int k = 0; k < 3; ++k) motion.poses.push_back(static_cast<float>(pose.position[k]));
      const Quaternion& q = pose.orientation;
      for (const double part : {q.w, q.x, q.y, q.z}) motion.poses.push_back(static_cast<float>(part));
      seen += 7;
    }
  }
  motion.time = time;
  motion.contacts.assign(time.size(), 0);
  motion.curves.assign(motion.curves.size() * time.size(), std::numeric_limits<float>::quiet_NaN());
  return std::move(motion);
}

Motion simulate_motion(const Ensemble& ensemble, std::int64_t sample) {
  BegunMotion begun(ensemble, sample);
  begun.simulation.finish([&](const System& system, const Workspace& work, const StepResult& result) {
    begun.recorder.keep_step(system, work, result);
  });
  add_results(begun.motion, ensemble, begun.simulation);
  return std::move(begun.motion);
}

}  // namespace jostle
