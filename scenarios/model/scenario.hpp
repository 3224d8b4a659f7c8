#pragma once
// A scenario as the user wrote it, checked. Every number is either constant or an expression of the variables.
// The reader makes it, and systems are built from it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/geometry/shape.hpp"
#include "core/model/model.hpp"
#include "core/model/quantity.hpp"
#include "scenarios/expression/expression.hpp"
#include "scenarios/model/distribution.hpp"
#include "scenarios/model/recorded_samples.hpp"
#include "scenarios/parts/box_tree.hpp"
#include "scenarios/text/error.hpp"

namespace jostle {

struct Location {
  int line = 1;
  int column = 1;
  int set = 0;  ///< 0: in the file; n: in the n-th --set option

  bool operator==(const Location&) const = default;
};

/// What is wrong with a sample or a scenario, in words that begin with the name: "bodies.rod.mass must be ...".
struct Fault {
  Location where;
  std::string message;
};

/// A number of the file: constant if `code` is empty, else a program of the variables (and of time, in forces and the
/// speeds of motors; and of quantities, in forces). A distribution written in place becomes a variable named by its
/// path.
struct Number {
  double constant = 0;
  std::vector<Instruction> code;
  std::string text;  ///< the expression as written; empty for a constant, unless it is one of `copy`
  Location where;
};

struct Variable {
  std::string name;           ///< "mu", or the path "bodies.rod.spin[2]" of a distribution written in place
  Distribution distribution;  ///< a variable that was given one number is a choice of one value
  bool in_place = false;      ///< written in place of a number, or made by `rotation: uniform`
  Location where;
  std::string unit_in_place = {};  ///< of a number in whose place it is written

  const std::string& unit() const { return in_place ? unit_in_place : distribution.unit; }
};

enum class LengthUnit { m, cm, mm, um };
enum class MassUnit { kg, g, mg, t };
enum class TimeUnit { s, ms, us };
enum class ForceUnit { newton, millinewton, kilonewton };
enum class AngleUnit { rad, deg };
enum class DensityUnit { of_mass_and_length, kg_per_m3, g_per_cm3, g_per_mm3 };

/// The units of the numbers of a file; everything else has SI units.
struct UnitsSpec {
  LengthUnit length = LengthUnit::m;
  MassUnit mass = MassUnit::kg;
  TimeUnit time = TimeUnit::s;
  ForceUnit force = ForceUnit::newton;
  AngleUnit angle = AngleUnit::rad;
  DensityUnit density = DensityUnit::of_mass_and_length;

  bool operator==(const UnitsSpec&) const = default;
};

/// A named expression of variables, `$name` in others.
struct DerivedSpec {
  std::string name;
  Number value;
  Location where;
};

struct RotationSpec {
  enum class Kind { none, axis_angle, quaternion, uniform, sequence };
  Kind kind = Kind::none;
  Number axis[3];
  Number degrees;
  Number quaternion[4];             ///< w, x, y, z; normalised when bound
  int uniform[3] = {-1, -1, -1};    ///< variables of a uniform rotation: NAME.rotation[0..2] in (0, 1)
  std::vector<RotationSpec> turns;  ///< sequence: one after the other, about fixed axes; of the kinds before uniform
};

enum class Axis { x, y, z };

/// Several of one thing at equal angles about an axis, or at equal distances.
struct PatternSpec {
  std::int64_t count = 0;  ///< 0: there is no pattern
  bool has_axis = false, has_degrees = false, has_step = false;
  Axis axis = Axis::z;
  double degrees = 0;  ///< from one to the next
  Number at[3];        ///< a point of the axis, m
  Number step[3];      ///< from one to the next, m
  Location where;
};

struct SphereSpec {
  Number radius;  ///< m
};
struct CapsuleSpec {
  Number length;  ///< between the centres of the caps, m
  Number radius;  ///< m
  Axis axis = Axis::z;
};
struct BoxSpec {
  Number size[3];  ///< full edges, m
};
struct CylinderSpec {
  Number length;  ///< m
  Number radius;  ///< m
  Axis axis = Axis::z;
};
/// A corner of an outline, and the edge that begins there.
struct OutlineCorner {
  Number at[2];         ///< m
  Number bulge;         ///< of an arc: the tangent of a quarter of its angle, above 0 if it runs counter-clockwise
  bool is_arc = false;  ///< a bulge is written
  Location where;

  /// Whether the edge is one; if that depends on variables, it is.
  bool is_round() const { return is_arc && (bulge.constant != 0 || !bulge.code.empty()); }
};
/// Those of a polygon, in the plane of the scene.
struct CornersSpec {
  std::vector<OutlineCorner> list;
};
inline constexpr std::size_t max_corners = 500;

/// A polygon, convex or not, with all points that are at most `radius` from it.
struct PolygonSpec {
  CornersSpec points;
  Number radius;                    ///< m
  Number thickness{1, {}, {}, {}};  ///< m: what a density counts on
  int axis = 1;                     ///< across the plane of the scene
  bool is_clockwise = false;        ///< the points are written clockwise

  bool has_arcs() const {
    return std::any_of(points.list.begin(), points.list.end(), [](const OutlineCorner& c) { return c.is_round(); });
  }
};
/// A point of a hull.
struct PointSpec {
  Number at[3];  ///< m
  Location where;
  std::size_t item = 0;  ///< in the list of the file
};
struct PointsSpec {
  std::vector<PointSpec> list;
};
inline constexpr std::size_t max_hull_points = 5000, max_hull_corners = 256, max_surface_corners = 50000;
/// Surfaces of more corners have a tree of boxes, and those of more than max_hull_corners do if they are convex.
inline constexpr std::size_t most_corners_without_tree = 128;

/// Numbers of corners, clockwise seen from outside.
struct FaceHole {
  std::size_t face = 0;
  std::vector<int> corners;
};

struct TracedHull;

/// What a hull has of corners and faces, in all samples. One that is not convex has a closed surface with that inside.
struct HullStructure {
  std::vector<int> corners;             ///< the points that are corners, in the order of the file
  std::vector<std::vector<int>> faces;  ///< numbers of corners, counter-clockwise seen from outside
  std::vector<int> packed;              ///< as core has it (polyhedron.hpp)
  bool is_convex = true;
  std::vector<FaceHole> holes;                    ///< of faces of one that is not convex
  int touching_corners = 0;                       ///< of one that is not convex, whose first corners these are
  std::set<std::pair<int, int>> concave_or_flat;  ///< its edges that touch nothing, the lower corner first
  double thickness = 0;                           ///< of it, m
  BoxTree tree;                                   ///< over the faces of one with many corners
  std::shared_ptr<const TracedHull> known;        ///< its numbers, which are the same in all samples
};

/// The convex hull of points, with all points that are at most `radius` from it.
struct HullSpec {
  PointsSpec points;
  Number radius;            ///< m
  HullStructure structure;  ///< follows from the points (check_hulls)
};

/// Those of a prism.
struct OutlineSpec {
  std::vector<OutlineCorner> list;
};

struct HolesSpec {
  std::vector<OutlineSpec> list;
};

/// An outline with holes that extends by half of `height` to both sides of its plane. If it is convex and has no holes,
/// all points that are at most `radius` from it belong to it. Once read it is also a hull.
struct PrismSpec {
  OutlineSpec points;  ///< [x, y], [y, z] for the axis x, [x, z] for the axis y
  HolesSpec holes;
  Number height;  ///< m
  Axis axis = Axis::z;
  double tolerance = 0;  ///< m, of facets from their arc; 0: not given
  Number radius;         ///< m
};

/// Faces by the numbers of their points, counter-clockwise seen from outside: an outline, then holes in it.
struct FacesSpec {
  std::vector<std::vector<std::vector<int>>> list;
};

/// The solid inside of a closed surface. Once read it is a hull, convex or not.
struct SurfaceSpec {
  PointsSpec points;
  FacesSpec faces;
};

/// What a surface of triangles stands for.
enum class MeshForm { hull, surface };

/// A part in a file. Once read it is a hull of its points, or a surface.
struct MeshSpec {
  std::string file;  ///< relative to the scenario
  double scale = 1;  ///< m per unit of the file
  MeshForm form = MeshForm::hull;
  Number radius;  ///< m
  bool any_size = false;
};
struct HalfSpaceSpec {
  Number normal[3];  ///< need not be unit length
  Number offset;     ///< solid where n.x <= offset with n made unit, m
};

struct ShapeSpec {
  ShapeType type = ShapeType::sphere;
  SphereSpec sphere;  ///< `type` selects one of these
  CapsuleSpec capsule;
  BoxSpec box;
  CylinderSpec cylinder;
  PolygonSpec polygon;
  HullSpec hull;
  PrismSpec prism;
  bool is_prism = false;  ///< the hull is that of the prism
  SurfaceSpec surface;
  bool is_surface = false;  ///< the hull is that of the surface
  MeshSpec mesh;
  bool is_mesh = false;  ///< while it is read
  HalfSpaceSpec half_space;
  bool has_density = false;
  Number density;      ///< kg/m^3
  Number position[3];  ///< in the body, m
  RotationSpec rotation;
  PatternSpec pattern;
  int item = 0;           ///< its number in the pattern
  bool display = false;   ///< it is drawn and has no other effect
  std::size_t place = 0;  ///< in the list of the file
  Location where;
};

inline constexpr std::string_view freedom_names[] = {"x", "y", "z", "rx", "ry", "rz"};

/// About the centre of mass along the body's axes, kg m^2; a scalar is stored three times.
struct InertiaSpec {
  bool given = false;
  bool is_full = false;  ///< has products
  Number moments[3];     ///< xx, yy, zz
  Number products[3];    ///< xy, xz, yz: elements of the matrix
};

/// Motion that is given as functions of time.
struct PrescribedSpec {
  bool given = false;
  Number velocity[3];  ///< m/s, world; may use t
  Number spin[3];      ///< rad/s, world; may use t
};

struct BodySpec {
  std::string name;  ///< of a copy: part[3]
  int copies = 0;    ///< how many there are of this body; 0: neither `copies` nor a pattern is given
  int copy = 0;      ///< its number among them
  bool fixed = false;
  PrescribedSpec prescribed;
  bool has_mass = false;     ///< otherwise it follows from densities
  bool has_density = false;  ///< of all shapes that have none of their own
  bool has_centre = false;
  Number mass;       ///< kg
  Number density;    ///< kg/m^3
  Number centre[3];  ///< of mass, in the body, m; else that of the shapes, or the origin if an inertia is given
  InertiaSpec inertia;
  bool freedom[6] = {true, true, true, true, true, true};  ///< freedom_names; of prescribed motion: what it may move
  std::vector<ShapeSpec> shapes;
  std::vector<ShapeSpec> displayed;  ///< shapes that are drawn and have no other effect
  PatternSpec pattern;
  Number position[3];  ///< origin, m
  RotationSpec rotation;
  Number velocity[3];  ///< of the origin, m/s, world
  Number spin[3];      ///< rad/s, world
  Location where;

  bool has_shape_densities() const {
    return std::any_of(shapes.begin(), shapes.end(), [](const ShapeSpec& shape) { return shape.has_density; });
  }
  /// The name in the file: part for part[3].
  std::string name_in_file() const { return name.substr(0, name.find('[')); }
  /// Whether a name of the file stands for it, as its own or as that of its copies.
  bool is_called(std::string_view other) const { return name == other || (copies > 0 && name_in_file() == other); }
  /// Whether forces and impulses move it.
  bool is_mover() const { return !fixed && !prescribed.given; }
};

/// Whether it is the constant 0.
inline bool is_zero(const Number& number) { return number.code.empty() && number.constant == 0; }

/// The bodies that a rule applies to.
struct Between {
  std::string first, second;  ///< names or "any"
  bool any_pair = false;      ///< `between: any`
};

/// Friction across an axis that is fixed in a body.
struct AcrossSpec {
  bool given = false;
  Number friction;
  Number axis[3];  ///< in the body
  std::string of;  ///< its name, or that of its copies
  Location where;
};

struct ContactRule {
  Between between;
  bool contact = true;
  Number friction;  ///< along the axis, if there is one
  AcrossSpec across;
  Number spin_friction;     ///< m
  Number rolling_friction;  ///< m
  Number adhesion;          ///< N
  Number restitution, tangential_restitution;
  Location where;
};

/// A body by its name.
struct BodyReference {
  int index = 0;
  std::string name;
};

/// What a joint or spring ties: two bodies, or a body and the world.
struct JointSides {
  std::string names[2];
  int bodies[2] = {world_body, world_body};
};

/// One point or two, world, at the start.
struct JointPoints {
  int count = 0;        ///< 0: not given
  Number points[2][3];  ///< m
};

struct MotorSpec {
  bool given = false;
  Number speed;  ///< rad/s or m/s, may use t
  Number limit;  ///< N m or N
};

/// Bounds of a speed, either of which may be absent.
struct SpeedLimits {
  bool has[2] = {false, false};  ///< lower, upper
  Number bounds[2];              ///< rad/s or m/s

  bool given() const { return has[0] || has[1]; }
};

struct JointSpec {
  std::string name;
  JointType type = JointType::ball;
  JointSides sides;
  JointPoints at;
  bool has_axis = false, has_length = false, has_limits = false;  ///< given
  Number axis[3];                                                 ///< world, at the start
  Number length;                                                  ///< m
  Number friction;                                                ///< N m or N; of a ball joint about every axis
  Number limits[2];                                               ///< rad or m
  Number restitution;
  MotorSpec motor;
  Number stiffness;  ///< N m/rad or N/m
  bool has_rest = false;
  Number rest;      ///< rad or m
  Number damping;   ///< N m s/rad or N s/m
  Number armature;  ///< kg m^2 or kg
  SpeedLimits speed_limits;
  Location where;

  bool has_spring() const { return !is_zero(stiffness) || !is_zero(damping); }
  bool has_coordinate() const { return type == JointType::revolute || type == JointType::prismatic; }
  bool has_friction() const { return !friction.code.empty() || friction.constant != 0; }
  bool has_ball_friction() const { return type == JointType::ball && has_friction(); }
};

struct SpringSpec {
  std::string name;
  JointSides sides;
  JointPoints at;
  Number stiffness;  ///< N/m
  Number damping;    ///< N s/m
  bool has_rest = false;
  Number rest;  ///< m
  Location where;
};

struct ForceSpec {
  BodyReference body;
  bool has_point = false;
  Number at[3];      ///< m, world, at the start
  Number force[3];   ///< N, world; may use t and the motion of bodies and joints
  Number torque[3];  ///< N m, world; the same
  bool has_reaction = false;
  BodyReference reaction;  ///< the body on which the opposite acts
  Location where;
};

/// An external impulse.
struct ImpulseSpec {
  BodyReference body;
  bool has_point = false;
  Number at[3];               ///< m, world, at the start
  Number impulse[3];          ///< N s, world
  Number angular_impulse[3];  ///< N m s, world
  Number time;                ///< s
  Location where;
};

/// A value at the first state in which something holds.
struct AtFirstSpec {
  Expression when, value;
};

/// Conditions of which exactly one holds, and the shares that are expected of them.
struct CategorySpec {
  std::vector<std::pair<std::string, Expression>> conditions;
  Location where;
};
struct SharesSpec {
  std::vector<std::pair<std::string, double>> shares;
};

struct OutcomeSpec {
  using Reducer = jostle::Reducer;
  std::string name;
  Reducer reducer = Reducer::at_end;
  Expression expression;  ///< over variables and quantities; not of at_first
  AtFirstSpec at_first;
  Expression during;  ///< `while`: only the states in which it holds count; without code: all
  /// What the file says of a categorical outcome, before it becomes one truth value for each of its categories.
  CategorySpec category;
  SharesSpec shares;
  std::string category_name;    ///< of the outcome that it is a category of; empty: of none
  std::optional<double> share;  ///< the share that is expected of it
  std::string label, unit;      ///< for pages; empty: the name, and none
  Location where;

  const Expression& value() const { return reducer == Reducer::at_first ? at_first.value : expression; }
  /// The states that count; without code: all.
  const Expression& condition() const { return reducer == Reducer::at_first ? at_first.when : during; }
  ValueKind kind() const {
    return reducer == Reducer::first_time || reducer == Reducer::mean ? ValueKind::number : value().kind;
  }
};

enum class SampleMethod { sobol, random, table, latin_hypercube, grid };

/// The values of a variable on a grid.
struct VariedSpec {
  enum class Kind { grid, values };
  std::string name;
  Kind kind = Kind::grid;
  std::vector<double> grid;    ///< first, last, number
  std::vector<double> values;  ///< all, whichever kind
  int variable = -1;           ///< its number, once the variables are sorted
  Location where;
};

struct SampleSpec {
  SampleMethod method = SampleMethod::sobol;
  std::int64_t count = -1;  ///< -1: not given
  std::uint64_t seed = 0;
  std::vector<VariedSpec> vary;  ///< SampleMethod::grid; the last one changes from sample to sample
  std::int64_t repetitions = 1;  ///< of the grid; decides the count unless that is given
  std::string table;             ///< path as written, relative to the scenario
  std::string table_place;       ///< where it is, if not there; empty: it is
};

struct RecordSpec {
  using Which = RecordedSamples::Which;
  RecordedSamples trajectories;
  RecordedSamples samples;  ///< the same by another name, until it is read
  int stride = 1;
  bool contacts = false;               ///< contacts, impulses and parameters of the same samples
  std::vector<Expression> quantities;  ///< of each recorded step; each has its text as a name
  RecordType dtype = RecordType::f8;
  RecordedLcps lcp;

  /// Whether more is recorded of a step than states.
  bool has_steps() const { return contacts || lcp.every > 0 || !quantities.empty(); }
  double every = 0;  ///< s, in place of the stride; 0: not given
  bool last = true;  ///< the last state is recorded, even if the stride leaves it out
};

inline constexpr double standard_gravity = 9.81;  ///< m/s^2

/// What happens where bodies collide.
struct ImpactSpec {
  ImpactLaw law = ImpactLaw::poisson;
  Number threshold{0.01, {}, {}, {}};  ///< m/s
};

struct WorldSpec : StepOptions {
  Number gravity[3] = {{}, {}, {-standard_gravity, {}, {}, {}}};  ///< m/s^2
  double duration = 0;                                            ///< s
  double rate = 0;                                                ///< 1/s, in place of the step; 0: not given
  std::int64_t steps = 0;  ///< duration / step, or as given in place of the duration
  Number stabilisation{1, {}, {}, {}};
  ImpactSpec impact;
  std::optional<Location> geometric_stiffness_where;  ///< if the file has it
  int friction_directions = 0;                        ///< 0 until check_scene() if the file leaves it out
  Location friction_directions_where;
};

/// Which bodies may touch, and by which rule. Both have shapes, impulses move one of them, and no rule keeps them
/// apart.
class BodyPairs {
 public:
  BodyPairs() = default;
  explicit BodyPairs(std::size_t bodies) : bodies_(bodies), rules_(bodies * bodies, -1) {}

  void set(int a, int b, int rule) { rules_[at(a, b)] = rules_[at(b, a)] = rule; }
  /// Index into Scenario::contacts; -1 if the two never touch.
  int rule(int a, int b) const { return rules_[at(a, b)]; }
  bool may_touch(int a, int b) const { return rule(a, b) >= 0; }

 private:
  std::size_t at(int a, int b) const { return static_cast<std::size_t>(a) * bodies_ + static_cast<std::size_t>(b); }

  std::size_t bodies_ = 0;
  std::vector<int> rules_;
};

struct Scenario {
  std::string file;                     ///< as given, for messages
  std::vector<std::string> set;         ///< the --set options, for messages
  std::vector<std::string> mesh_files;  ///< that were read, with their folders; their points are in the bodies
  std::string title;
  UnitsSpec units;                  ///< of the file; all numbers here are in SI units
  std::vector<Variable> variables;  ///< in file order, those written in place included
  std::vector<DerivedSpec> derived;
  WorldSpec world;
  std::vector<BodySpec> bodies;
  std::vector<ContactRule> contacts;
  BodyPairs pairs;  ///< from check_scene() on
  std::vector<JointSpec> joints;
  std::vector<SpringSpec> springs;
  std::vector<ForceSpec> forces;
  std::vector<ImpulseSpec> impulses;
  std::vector<Quantity> quantities;  ///< used by forces and outcomes; Op::quantity has the index
  std::vector<OutcomeSpec> outcomes;
  Expression stop_when;  ///< ends a sample at the first step where it holds; without code: at the last step
  SampleSpec sample;
  RecordSpec record;
  std::string canonical;  ///< canonical YAML, after --set; its sha256 is the scenario's identity
};

/// An error at a place of the scenario, for checks that need more than the reader knows.
ScenarioError error_at(const Scenario& scenario, const Location& where, const std::string& message);

/// The cells of a grid, 1 if there is none.
std::int64_t cells_of(const SampleSpec& sample);

/// Whether samples differ: some variable can take more than one value, or a table has the values.
bool draws_anything(const Scenario& scenario);

}  // namespace jostle
