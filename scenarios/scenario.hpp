#pragma once
// A scenario as the user wrote it, checked, with every number either constant or an expression of the
// drawn variables. This is what the reader makes and what systems are built from.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/geometry/shape.hpp"
#include "core/model/model.hpp"
#include "core/model/quantity.hpp"
#include "scenarios/distribution.hpp"
#include "scenarios/error.hpp"
#include "scenarios/expression.hpp"

namespace jostle {

struct Location {
  int line = 1;
  int column = 1;
  int set = 0;  ///< 0: in the file; n: in the n-th --set option
};

/// What is wrong with a draw, or with a scenario, in words that begin with what it is: "bodies.rod.mass must be ...".
struct Fault {
  Location where;
  std::string message;
};

/// A number of the file: constant if `code` is empty, else a program of the variables (and of time,
/// in forces). A distribution written in place has become a variable named by its path.
struct Number {
  double constant = 0;
  std::vector<Instruction> code;
  std::string text;  ///< the expression as written; empty for a constant
  Location where;
};

struct Variable {
  std::string name;           ///< "mu", or the path "bodies.rod.spin[2]" of a distribution written in place
  Distribution distribution;  ///< a variable that was given one number is a choice of one value
  bool in_place = false;      ///< written where a number stands, or made by `rotation: uniform`
  Location where;
};

struct RotationSpec {
  enum class Kind { none, axis_angle, quaternion, uniform };
  Kind kind = Kind::none;
  Number axis[3];
  Number angle;                   ///< degrees as written
  Number quaternion[4];           ///< w, x, y, z; normalised when bound
  int uniform[3] = {-1, -1, -1};  ///< variables of a uniform rotation: NAME.rotation[0..2] in (0, 1)
};

struct ShapeSpec {
  ShapeType type = ShapeType::sphere;
  int axis = 2;        ///< capsule, cylinder: 0, 1, 2 for x, y, z (default z)
  Number radius;       ///< sphere, capsule, cylinder, m
  Number length;       ///< capsule: between cap centres; cylinder; m
  Number size[3];      ///< box: full edges, m
  Number normal[3];    ///< half_space; need not be unit length
  Number offset;       ///< half_space: solid where n.x <= offset with n made unit, m
  Number position[3];  ///< in the body, m
  RotationSpec rotation;
  Location where;
};

inline constexpr std::string_view freedom_names[] = {"x", "y", "z", "rx", "ry", "rz"};

struct BodySpec {
  std::string name;
  bool fixed = false;
  bool has_mass = false, has_inertia = false;
  Number mass;                                             ///< kg
  Number inertia[3];                                       ///< principal moments, kg m^2; a scalar stands three times
  bool freedom[6] = {true, true, true, true, true, true};  ///< freedom_names
  std::vector<ShapeSpec> shapes;
  Number position[3];  ///< centre of mass, m
  RotationSpec rotation;
  Number velocity[3];  ///< m/s, world
  Number spin[3];      ///< rad/s, world
  Location where;
};

struct ContactRule {
  std::string first, second;  ///< body names or "any"
  bool any_pair = false;      ///< `between: any`
  bool contact = true;
  Number friction;
  Number restitution;
  Location where;
};

struct ForceSpec {
  int body = 0;
  Number force[3];   ///< N, world; may use t
  Number torque[3];  ///< N m, world; may use t
  Location where;
};

/// What an outcome can look at; the numbering of Op::quantity indexes Scenario::quantities.
using QuantitySpec = Quantity;

struct OutcomeSpec {
  using Reducer = jostle::Reducer;
  std::string name;
  Reducer reducer = Reducer::at_end;
  Expression expression;  ///< over variables and quantities
  std::string text;
  Location where;
};

enum class SampleMethod { sobol, random, table };

struct SampleSpec {
  SampleMethod method = SampleMethod::sobol;
  std::int64_t count = -1;  ///< -1: not given
  std::uint64_t seed = 0;
  std::string table;  ///< path as written, relative to the scenario
};

struct RecordSpec {
  enum class Which { none, first, all, failures };
  Which which = Which::none;
  std::int64_t trajectories = 0;  ///< for Which::first: samples 0 .. trajectories-1
  int stride = 1;
};

struct WorldSpec {
  Number gravity[3];  ///< m/s^2; default 0, 0, -9.81
  double step = 0;    ///< s
  double duration = 0;
  std::int64_t steps = 0;  ///< duration / step
  Method method{};
  Linearisation linearisation = Linearisation::predicted;
  int friction_directions = 4;
  Location friction_directions_where;
};

struct Scenario {
  std::string file;              ///< as given, for messages
  std::vector<std::string> set;  ///< the --set options, for messages
  std::string title;
  std::vector<Variable> variables;  ///< in file order, those written in place included
  WorldSpec world;
  std::vector<BodySpec> bodies;
  std::vector<ContactRule> contacts;
  std::vector<ForceSpec> forces;
  std::vector<QuantitySpec> quantities;
  std::vector<OutcomeSpec> outcomes;
  SampleSpec sample;
  RecordSpec record;
  std::string canonical;  ///< canonical YAML, after --set; its sha256 is the scenario's identity
};

/// The error at a place of the scenario, for checks that need more than the reader knows.
ScenarioError error_at(const Scenario& scenario, const Location& where, const std::string& message);

/// Whether samples differ from each other: some variable can take more than one value, or a table says what they are.
bool draws_anything(const Scenario& scenario);

}  // namespace jostle
