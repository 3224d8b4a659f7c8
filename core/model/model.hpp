#pragma once
// The structure that all systems of a scenario share: the bodies, which shapes may touch, and what is computed. Every
// number that may differ from sample to sample is a parameter instead (fields.hpp).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/expression/program.hpp"
#include "core/geometry/shape.hpp"
#include "core/model/fields.hpp"
#include "core/model/options.hpp"
#include "core/model/quantity.hpp"

namespace jostle {

enum class RotationKind : std::int8_t { locked = -1, about_x = 0, about_y = 1, about_z = 2, free = 3 };

/// BodyModel::freedoms of a body that nothing locks.
inline constexpr std::uint8_t all_freedoms = 0b111111;

struct BodyModel {
  bool fixed = false;  ///< never moves
  RotationKind rotation = RotationKind::free;
  int mover = -1;             ///< its number among the bodies that impulses move; -1 if fixed or prescribed
  int prescribed = -1;        ///< its number among the bodies with prescribed motion; -1 if it has none
  int frame = -1;             ///< its number among the bodies with a frame of their own; -1: centre and principal axes
  std::uint8_t freedoms = 0;  ///< bit k: component k of its velocity is free; 0..2 linear (world), 3..5 angular (body)

  JOSTLE_HD bool is_free(int component) const { return (freedoms >> component & 1) != 0; }
  JOSTLE_HD bool is_prescribed() const { return prescribed >= 0; }
};

struct ShapeModel {
  ShapeType type = ShapeType::sphere;
  int body = 0;
  int rim = -1;                       ///< its number among the cylinders that may stand on a cap, or one of them on it
  int corners = 0, first_corner = 0;  ///< of a polygon or hull, and in ParameterView::corners or ::hull_numbers
  bool is_reversed = false;  ///< the file has its corners clockwise: corner i is its point (corners - i) % corners
  int structure = 0;         ///< of a hull: where it begins in ModelView::hull_structures
  int first_bulge = -1;      ///< of a polygon with arcs: in ParameterView::bulges
  bool is_shared =
      false;  ///< a hull whose numbers are those of all samples: first_corner is in ModelView::shared_hulls
};

/// Two shapes that may touch; type(a) <= type(b). The normal points from a to b.
struct PairModel {
  int shape_a = 0;
  int shape_b = 0;
  int first_mode = 0;  ///< in StateView::modes
  int modes = 0;       ///< that the state keeps: of all feature pairs, or of most_kept_modes
  int first_page = 0;  ///< in ModelView::pages
  int pages = 1;
  bool is_sparse = false;          ///< it has more pages than are kept: PageModel::slot
  bool is_searched_whole = false;  ///< what is close of it is looked for once, not page by page
  int axis_body = -1;  ///< the body that its ParameterView::friction_axis turns with; -1: friction has no axis
};

inline constexpr int most_kept_modes = 16;

/// A page of the feature pairs of a pair of shapes. Sets of feature pairs are kept page by page. Of pairs with a shape
/// that has a tree of boxes some pages are kept, whose first feature pairs follow from the poses (contacts/pages.hpp).
struct PageModel {
  int pair = 0;
  int first = 0;  ///< its first feature pair
  int slot = -1;  ///< its number among those of such pairs; -1: it is none of them
};

/// How many pages a pair has at most whose first feature pairs follow from the poses.
inline constexpr int sparse_pages = 128;

/// A piece of the common instruction array.
struct ProgramModel {
  int first = 0;
  int length = 0;
};

/// A force may depend on time and on the motion of bodies and joints.
struct ForceModel {
  int body = 0;
  int point = -1;          ///< its number in ParameterView::force_point; -1: the centre of mass
  ProgramModel force[3];   ///< N, world; a program of length 0 is zero
  ProgramModel torque[3];  ///< N m, world
  int reaction = -1;       ///< the body on which its opposite acts, at the same point; -1: none
  /// It depends on the position or velocity of a body.
  bool follows_motion = false;
};

/// An external impulse: it acts once, on a body, at a time that is a parameter.
struct BlowModel {
  int body = 0;
};

enum class JointType : std::uint8_t { ball, revolute, prismatic, fixed, distance };

/// The place of the world in JointModel and SpringModel.
inline constexpr int world_body = -1;

/// A body whose motion is given as functions of time.
struct PrescribedModel {
  int body = 0;
  ProgramModel velocity[3];  ///< m/s, world; a program of length 0 is zero
  ProgramModel spin[3];      ///< rad/s, world
};

/// What ties two bodies, or a body and the world. A revolute or prismatic joint has a coordinate: the angle or the way
/// of b relative to a since the start.
struct JointModel {
  JointType type = JointType::ball;
  int body_a = world_body, body_b = world_body;
  int first_row = 0, rows = 0;  ///< of N'
  int group = 0;                ///< its place among the joints in the order of their rows
  /// Its first equations are those of the points along the axes of the world, and nothing prescribes what its bodies
  /// do, or in space locks it.
  bool has_point_equations = false;
  bool has_friction = false, has_motor = false, has_limits = false;
  bool has_ball_friction = false;  ///< of a ball joint, about every axis
  bool in_loop = false;            ///< its bodies are joined in another way, too, or it lies between such bodies
  bool has_wrench = false;         ///< what it gives is kept as a vector (StateView::joint_wrench)
  int first_bound = 0;             ///< its number among Dimensions::joint_bounds: the friction, then the motor
  ProgramModel speed{};            ///< of the motor, rad/s or m/s, a function of time; a program of length 0 is zero
  bool has_armature = false;
  std::uint8_t speed_limits = 0;  ///< those that it has: bit 0 the lower, bit 1 the upper
  /// How many joints each body has, this one included.
  int joints_of_a = 1, joints_of_b = 1;

  JOSTLE_HD bool has_coordinate() const { return type == JointType::revolute || type == JointType::prismatic; }
};

/// A spring with a damper between two bodies, or a body and the world.
struct SpringModel {
  int body_a = world_body, body_b = world_body;
  int joint = -1;  ///< on whose coordinate it acts, with the same bodies; -1: along the line of its points
};

/// A parameter computed from the variables.
struct LoadedModel {
  int parameter = 0;  ///< its index in the memory of the parameters, in doubles
  ProgramModel program;
};

struct OutcomeModel {
  Reducer reducer = Reducer::at_end;
  ProgramModel program;
  ProgramModel condition = {};  ///< only the states at which it holds count; empty: all

  /// Whether it must know how many values it has: there may be none, or the mean needs it.
  JOSTLE_HD bool counts() const { return condition.length > 0 || reducer == Reducer::mean; }
};

// The arrays of a model: X(type, name). Direction i of a polygon has cos and sin of 2 pi i / k, i < k/2; movers are the
// bodies that impulses move; Op::quantity in a parameter's program refers to one of shared_numbers, each of which may
// use those before it; recorded are the quantities of records.
#define JOSTLE_MODEL_ARRAYS(X)    \
  X(double, direction_cosine)     \
  X(double, direction_sine)       \
  X(BodyModel, bodies)            \
  X(int, movers)                  \
  X(ShapeModel, shapes)           \
  X(int, hull_structures)         \
  X(double, shared_hulls)         \
  X(PairModel, pairs)             \
  X(PageModel, pages)             \
  X(ForceModel, forces)           \
  X(BlowModel, blows)             \
  X(PrescribedModel, prescribed)  \
  X(JointModel, joints)           \
  X(SpringModel, springs)         \
  X(Quantity, quantities)         \
  X(OutcomeModel, outcomes)       \
  X(ProgramModel, shared_numbers) \
  X(LoadedModel, loaded)          \
  X(ProgramModel, recorded)       \
  X(Instruction, code)

/// What a model and its view have alike.
struct CommonModel : StepOptions {
  std::int64_t total_steps = 0;
  ImpactLaw impact_law = ImpactLaw::poisson;
  bool planar = false;
  Vec3 plane_normal = Vec3::Zero();  ///< e, planar scenes only
  int stop_outcome = -1;  ///< a first_time: the system ends at the first step where it holds; -1: at the last step
  ProgramModel physical;  ///< whether the parameters are physical; length 0: always
};

/// Plain pointers into a Model, for host and device.
struct ModelView : CommonModel {
  Dimensions dimensions;
  ParameterLayout parameter_layout;
  StateLayout state_layout;
  bool changes_with_time = false;  ///< forces, motors or prescribed motion depend on time
  bool observes_time = false;      ///< outcomes do
  bool has_state_forces = false;   ///< forces depend on positions or velocities
  bool has_speed_forces = false;   ///< expressions of forces, or turning slides of drives, do on velocities
  bool has_joint_springs = false;  ///< some springs act on coordinates of joints
#define JOSTLE_MEMBER(type, name) const type* name = nullptr;
  JOSTLE_MODEL_ARRAYS(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  int forces_count = 0, loaded_count = 0;

  JOSTLE_HD ProgramView program(const ProgramModel& p) const { return {code + p.first, p.length}; }
};

/// Owns the structure. Fill the members, then call `view`, which points into the vectors.
struct Model : CommonModel, GivenDimensions {
#define JOSTLE_MEMBER(type, name) std::vector<type> name;
  JOSTLE_MODEL_ARRAYS(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  int lcp_every = 0;     ///< steps from one recorded LCP to the next; 0: none is
  int corners = 0;       ///< add_polygon counts them
  int bulges = 0;        ///< add_polygon counts them
  int hull_numbers = 0;  ///< add_hull counts them
  int page_slots = 0;    ///< add_pair counts them
  int operands = 0;      ///< most operands that wait in any program; add_program counts them

  /// Adds a body with its free components x, y, z, rx, ry, rz; a fixed body has none. `has_own_frame`: see
  /// BodyModel::frame.
  int add_body(bool fixed, const bool (&freedom)[6], bool has_own_frame = false);
  /// Adds a body with prescribed motion and the components that this may have; `motion.body` is set.
  int add_prescribed_body(PrescribedModel motion, const bool (&freedom)[6]);
  int add_shape(ShapeType type, int body);
  int add_polygon(int body, int its_corners, bool is_reversed = false, bool has_arcs = false);
  /// `structure`, `numbers`: polyhedron.hpp; empty: samples have them (ParameterView::hull_numbers).
  int add_hull(int body, int its_corners, const std::vector<int>& structure, const std::vector<double>& numbers = {});
  /// False for a hull that is no convex one.
  bool is_convex(int shape) const;
  /// How many feature pairs two shapes have, a first in the order of types; 0 if the pair is not supported.
  int features_of(int shape_a, int shape_b) const;
  /// Whether a shape has a tree of boxes.
  bool has_tree(int shape) const;
  /// Two shapes in either order; the pair must be supported.
  int add_pair(int shape, int other);
  /// A joint between two bodies, one of which may be the world. Its rows depend on whether the scene is planar.
  int add_joint(JointModel joint);
  /// Keeps what a joint gives as a vector.
  void keep_wrench(int joint) { has_joint_wrenches = joints[static_cast<std::size_t>(joint)].has_wrench = true; }
  /// Gives the joints of a forest an order of rows in which L' of N' A^-1 N has no more blocks than the matrix: the
  /// next one is the first that has a body without other joints that are left. With loops they keep the order in which
  /// they were added, as it says which equations are redundant. Marks the joints of loops.
  void order_joint_rows();
  /// Whether a force depends on the position or velocity of its body.
  bool follows_motion(const ForceModel& force) const;
  /// Whether wanted(instruction) of any in a program.
  bool has_instruction(const ProgramModel& program, auto wanted) const {
    const auto first = code.begin() + program.first;
    return std::any_of(first, first + program.length, wanted);
  }
  ProgramModel add_program(const std::vector<Instruction>& program);
  /// k directions: planar 2, spatial even and at least 4. Exact at multiples of pi/4.
  void set_directions(int k);

  /// Whether its bodies are coupled by more than contacts (Dimensions::is_coupled).
  bool is_coupled() const { return !joints.empty() || has_mass_matrix() || has_spin_friction || has_rolling_friction; }
  /// Whether two bodies are joined in more than one way; order_joint_rows() has marked their joints.
  bool has_joint_loops() const;
  /// Marks the joints that are left when joints to a body without another one are taken away, one by one; the world and
  /// all bodies that no impulse moves are one.
  void mark_joint_loops();
  /// Whether A is a full matrix: forces are linearly implicit, or coordinates of joints have inertia.
  bool has_mass_matrix() const;
  /// Whether a force depends on other bodies or on joints, or acts on two bodies.
  bool is_far(const ForceModel& force) const;
  bool is_plain() const { return view(0).dimensions.is_plain(); }
  /// Whether more may be recorded of a step than states.
  bool records_steps() const { return records_contacts || lcp_every > 0 || !recorded.empty(); }
  /// Initial capacity of the working memory, in contacts; a step that needs more continues in a larger one.
  int usual_contacts() const;
  ModelView view(int contacts) const;
  /// Dimensions::stiff_rows.
  int most_stiff_rows() const;

  /// visit(vector, pointer) for every array of the structure and the view's pointer to it.
  template <class Visit>
  void for_each_array(ModelView& view, Visit visit) const {
#define JOSTLE_VISIT(type, name) visit(name, view.name);
    JOSTLE_MODEL_ARRAYS(JOSTLE_VISIT)
#undef JOSTLE_VISIT
  }
};

/// Of a sample.
inline const double* numbers_of_hull(const Model& model, const ParameterMemory& parameters, const ShapeModel& hull) {
  return (hull.is_shared ? model.shared_hulls.data() : parameters.hull_numbers) + hull.first_corner;
}

}  // namespace jostle
