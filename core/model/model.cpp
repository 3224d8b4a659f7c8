#include "core/model/model.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "core/expression/evaluate.hpp"
#include "core/geometry/shape_pair.hpp"
#include "core/math/trigonometry.hpp"

namespace jostle {

namespace {

/// A body that can turn about one axis only is planar; sets of exactly two axes are not supported.
RotationKind rotation_kind(const bool (&freedom)[6]) {
  const int axes = freedom[3] + freedom[4] + freedom[5];
  if (axes == 0) return RotationKind::locked;
  if (axes == 3) return RotationKind::free;
  return freedom[3] ? RotationKind::about_x : freedom[4] ? RotationKind::about_y : RotationKind::about_z;
}

/// cos(2 pi i / k), exact at multiples of pi/4.
double direction_cosine(int i, int k) {
  const int eighth = 8 * i % k == 0 ? 8 * i / k % 8 : -1;
  const double root_half = 0.70710678118654752440;
  const double exact[8] = {1, root_half, 0, -root_half, -1, -root_half, 0, root_half};
  return eighth >= 0 ? exact[eighth] : cosine(2 * std::numbers::pi_v<double> * i / k);
}

}  // namespace

int Model::add_body(bool fixed, const bool (&freedom)[6], bool has_own_frame) {
  const int body = static_cast<int>(bodies.size());
  BodyModel& added = bodies.emplace_back();
  added.fixed = fixed;
  if (has_own_frame) added.frame = frames++;
  added.rotation = fixed ? RotationKind::locked : rotation_kind(freedom);
  if (fixed) return body;
  for (int k = 0; k < 6; ++k) added.freedoms |= static_cast<std::uint8_t>(freedom[k] << k);
  added.mover = static_cast<int>(movers.size());
  movers.push_back(body);
  return body;
}

int Model::add_prescribed_body(PrescribedModel motion, const bool (&freedom)[6]) {
  motion.body = static_cast<int>(bodies.size());
  BodyModel& added = bodies.emplace_back();
  added.rotation = rotation_kind(freedom);
  added.prescribed = static_cast<int>(prescribed.size());
  added.freedoms = all_freedoms;  // whole rows
  prescribed.push_back(motion);
  return motion.body;
}

int Model::add_shape(ShapeType type, int body) {
  shapes.push_back({type, body, -1, 0, 0, false});
  return static_cast<int>(shapes.size()) - 1;
}

int Model::add_polygon(int body, int its_corners, bool is_reversed, bool has_arcs) {
  shapes.push_back({ShapeType::polygon, body, -1, its_corners, corners, is_reversed, 0, has_arcs ? bulges : -1});
  corners += its_corners;
  if (has_arcs) bulges += its_corners;
  return static_cast<int>(shapes.size()) - 1;
}

int Model::add_hull(int body, int its_corners, const std::vector<int>& structure, const std::vector<double>& numbers) {
  const bool is_shared = !numbers.empty();
  const int first = is_shared ? static_cast<int>(shared_hulls.size()) : hull_numbers;
  shapes.push_back(
      {ShapeType::hull, body, -1, its_corners, first, false, static_cast<int>(hull_structures.size()), -1, is_shared});
  if (!is_shared) hull_numbers += 3 * its_corners + 4 * structure[0];
  shared_hulls.insert(shared_hulls.end(), numbers.begin(), numbers.end());
  hull_structures.insert(hull_structures.end(), structure.begin(), structure.end());
  return static_cast<int>(shapes.size()) - 1;
}

bool Model::is_convex(int shape) const {
  const ShapeModel& own = shapes[static_cast<std::size_t>(shape)];
  if (own.type != ShapeType::hull) return true;
  return core_counts(own.type, own.corners, hull_structures.data() + own.structure).is_convex;
}

bool Model::has_tree(int shape) const {
  const ShapeModel& own = shapes[static_cast<std::size_t>(shape)];
  return own.type == ShapeType::hull &&
         core_counts(own.type, own.corners, hull_structures.data() + own.structure).nodes > 0;
}

int Model::features_of(int shape_a, int shape_b) const {
  const ShapeModel &a = shapes[static_cast<std::size_t>(shape_a)], &b = shapes[static_cast<std::size_t>(shape_b)];
  const int features = feature_count(a.type, b.type);
  if (features == 0 || (a.corners == 0 && b.corners == 0)) return features;
  const bool has_arcs = a.first_bulge >= 0 || b.first_bulge >= 0;
  const auto structure = [this](const ShapeModel& shape) { return hull_structures.data() + shape.structure; };
  if (b.type == ShapeType::half_space) {
    if (a.type == ShapeType::hull) return core_counts(a.type, a.corners, structure(a)).touching_corners;
    return has_arcs ? 2 * a.corners : a.corners;
  }
  if (b.type == ShapeType::hull) {
    if (a.type == ShapeType::cylinder)
      return CylinderOnCore(core_counts(b.type, b.corners, structure(b)), is_rounded(b.type, structure(b))).features;
    return polyhedron_features(core_counts(a.type, a.corners, structure(a)),
                               core_counts(b.type, b.corners, structure(b)),
                               is_rounded(a.type, structure(a)) || is_rounded(b.type, structure(b)));
  }
  return outline_features(outline_corners(a.type, a.corners), b.corners, has_arcs);
}

int Model::add_pair(int shape, int other) {
  if (shapes[other].type < shapes[shape].type) std::swap(shape, other);
  const int first_mode = pairs.empty() ? 0 : pairs.back().first_mode + pairs.back().modes;
  const int features = features_of(shape, other);
  const auto is_flat = [&](int s) { return shapes[s].type >= ShapeType::box; };
  if (is_flat(shape) && is_flat(other)) {
    for (const int s : {shape, other})
      if (shapes[s].type == ShapeType::cylinder && shapes[s].rim < 0) shapes[s].rim = rims++;
  }
  const int pair = static_cast<int>(pairs.size()), first_page = static_cast<int>(pages.size());
  const bool is_sparse = shapes[shape].type != ShapeType::cylinder && (has_tree(shape) || has_tree(other));
  const int its_pages = is_sparse ? std::min(sparse_pages, pages_of(features)) : pages_of(features);
  const bool is_of_cores =
      shapes[other].type == ShapeType::hull && (shapes[shape].type != ShapeType::cylinder || is_convex(other));
  const bool is_searched_whole = is_sparse || (is_of_cores && its_pages > 1);
  pairs.push_back({shape, other, first_mode, std::min(features, most_kept_modes), first_page, its_pages, is_sparse,
                   is_searched_whole});
  for (int i = 0; i < its_pages; ++i) pages.push_back({pair, i * page_features, is_sparse ? page_slots++ : -1});
  return pair;
}

int Model::add_joint(JointModel joint) {
  constexpr int spatial_rows[] = {3, 5, 5, 6, 1}, planar_rows[] = {2, 2, 2, 3, 1};
  joint.rows = (planar ? planar_rows : spatial_rows)[static_cast<int>(joint.type)];
  const auto is_whole = [&](int body) {
    return body == world_body || bodies[body].fixed ||
           (!bodies[body].is_prescribed() && (planar || bodies[body].freedoms == all_freedoms));
  };
  joint.has_point_equations = joint.type != JointType::distance && joint.type != JointType::prismatic &&
                              is_whole(joint.body_a) && is_whole(joint.body_b);
  if (!joints.empty()) {
    const JointModel& last = joints.back();
    joint.first_row = last.first_row + last.rows;
    joint.group = last.group + 1;
    joint.first_bound = last.first_bound + last.has_friction + last.has_motor;
  }
  const auto share = [](JointModel& own, int body, int more) {
    if (own.body_a == body) own.joints_of_a += more;
    if (own.body_b == body) own.joints_of_b += more;
  };
  for (JointModel& other : joints) {
    for (const int body : {joint.body_a, joint.body_b})
      if (body != world_body && (other.body_a == body || other.body_b == body))
        share(other, body, 1), share(joint, body, 1);
  }
  joints.push_back(joint);
  return static_cast<int>(joints.size()) - 1;
}

ProgramModel Model::add_program(const std::vector<Instruction>& program) {
  const ProgramModel place{static_cast<int>(code.size()), static_cast<int>(program.size())};
  code.insert(code.end(), program.begin(), program.end());
  operands = std::max(operands, operands_of({program.data(), place.length}));
  return place;
}

bool Model::follows_motion(const ForceModel& force) const {
  const auto uses_motion = [this](const ProgramModel& program) {
    return has_instruction(program, [](const Instruction& i) { return i.op == Op::quantity; });
  };
  return force.point >= 0 || std::any_of(force.force, force.force + 3, uses_motion) ||
         std::any_of(force.torque, force.torque + 3, uses_motion);
}

void Model::set_directions(int k) {
  directions = k;
  direction_cosine.clear();
  direction_sine.clear();
  for (int i = 0; i < k / 2; ++i) {
    direction_cosine.push_back(jostle::direction_cosine(i, k));
    direction_sine.push_back(jostle::direction_cosine(4 * i + 3 * k, 4 * k));  // sin x = cos(x - pi/2)
  }
}

int Model::usual_contacts() const {
  constexpr int usual_per_pair = 8;
  int contacts = 0;
  for (const PairModel& pair : pairs) {
    contacts += std::min(usual_per_pair, features_of(pair.shape_a, pair.shape_b));
  }
  return std::clamp(contacts, 1, 32);
}

bool Model::has_mass_matrix() const {
  const auto turns_freely = [](const BodyModel& body) { return !body.fixed && body.rotation == RotationKind::free; };
  const bool has_gyroscopic =
      gyroscopic == Gyroscopic::implicitly && std::any_of(bodies.begin(), bodies.end(), turns_freely);
  const bool has_armature =
      std::any_of(joints.begin(), joints.end(), [](const JointModel& joint) { return joint.has_armature; });
  const bool has_joint_springs =
      std::any_of(springs.begin(), springs.end(), [](const SpringModel& spring) { return spring.joint >= 0; });
  return has_armature || (has_joint_springs && !facts_of(method).has_stages) ||
         (facts_of(method).is_implicit && (has_gyroscopic || !springs.empty()));
}

bool Model::is_far(const ForceModel& force) const {
  const auto is_of_others = [&](const ProgramModel& program) {
    return has_instruction(program, [&](const Instruction& i) {
      return i.op == Op::quantity && (!quantities[i.index].is_of_motion() || quantities[i.index].body != force.body);
    });
  };
  return force.reaction >= 0 || std::any_of(force.force, force.force + 3, is_of_others) ||
         std::any_of(force.torque, force.torque + 3, is_of_others);
}

int Model::most_stiff_rows() const {
  int rows = 0;
  for (const JointModel& joint : joints) {
    if (joint.type == JointType::prismatic) continue;
    const int of_plane = planar ? 1 : 2;
    if (joint.type == JointType::distance) rows += of_plane;
    for (const int body : {joint.body_a, joint.body_b})
      if (body != world_body && bodies[body].mover >= 0 && bodies[body].rotation != RotationKind::locked)
        rows += of_plane;
  }
  return rows;
}

bool Model::has_joint_loops() const {
  return std::any_of(joints.begin(), joints.end(), [](const JointModel& joint) { return joint.in_loop; });
}

void Model::mark_joint_loops() {
  const std::size_t world = bodies.size();
  std::vector<int> joints_left(world + 1);
  const auto left_of = [&](int body) -> int& {
    const bool is_world = body == world_body || bodies[static_cast<std::size_t>(body)].mover == no_body;
    return joints_left[is_world ? world : static_cast<std::size_t>(body)];
  };
  for (JointModel& joint : joints) joint.in_loop = true, ++left_of(joint.body_a), ++left_of(joint.body_b);
  for (bool any = true; any;) {
    any = false;
    for (JointModel& joint : joints) {
      if (!joint.in_loop || (left_of(joint.body_a) > 1 && left_of(joint.body_b) > 1)) continue;
      joint.in_loop = false, any = true;
      --left_of(joint.body_a), --left_of(joint.body_b);
    }
  }
}

void Model::order_joint_rows() {
  mark_joint_loops();
  if (has_joint_loops()) return;
  std::vector<int> joints_left(bodies.size());
  const auto is_shared = [&](int body) {
    return body != world_body && bodies[body].mover != no_body && joints_left[static_cast<std::size_t>(body)] > 1;
  };
  const auto count = [&](const JointModel& joint, int more) {
    for (const int body : {joint.body_a, joint.body_b})
      if (body != world_body) joints_left[static_cast<std::size_t>(body)] += more;
  };
  for (const JointModel& joint : joints) count(joint, 1);
  std::vector<bool> has_place(joints.size());
  for (int group = 0, row = 0; group < static_cast<int>(joints.size()); ++group) {
    std::size_t j = 0;
    while (has_place[j] || (is_shared(joints[j].body_a) && is_shared(joints[j].body_b))) ++j;
    joints[j].group = group, joints[j].first_row = row;
    row += joints[j].rows, has_place[j] = true;
    count(joints[j], -1);
  }
}

}  // namespace jostle
