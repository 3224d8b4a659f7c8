#pragma once
// Steps from the tree of a file to a scenario, and checks that need the whole. All of these throw ScenarioError.
#include <functional>

#include "scenarios/parts/closed_surface.hpp"
#include "scenarios/reader/members.hpp"

namespace jostle {

inline constexpr std::size_t max_contact_rules = 1000;
inline constexpr std::size_t max_joints = 256;
inline constexpr std::size_t max_springs = 256;
/// Of a body; programs that compute its inertia nest as deep.
inline constexpr std::size_t max_shapes = 1000;

/// How many a pattern makes; 1 if `node` has none, or none that can be read.
std::int64_t pattern_count(const SourceNames& sources, const Node& node, const std::string& path);
/// Moves a shape, or a body with its motion, to its place `number` in its pattern. `path`: of the shape or body.
void place_in_pattern(const SourceNames& sources, const std::string& path, ShapeSpec& shape, int number);
void place_in_pattern(const SourceNames& sources, const std::string& path, BodySpec& body, int number);

/// Sorts all variables by their order in the file, which decides their dimensions in a sampler. (Variables written in
/// place are found only when their numbers are read.)
void sort_variables(Reading& reading);

/// Fails if a variable, an outcome and a reserved column have the same name.
void check_names(const SourceNames& sources, const Scenario& scenario);

/// Fails if a recorded quantity cannot have its text as a name in a dataset. `root`: of the file.
void check_names_in_dataset(const SourceNames& sources, const Node& root, const RecordSpec& record);

/// Two points, or none where both sides have a centre of mass.
void check_two_points(const MapReader& map, const JointSides& sides, const JointPoints& at);

/// Polygons are in planar scenes, simple, and know their plane; `axis`: across that of the scene.
void check_polygons(Scenario& scenario, std::optional<int> axis);
/// Points of an outline, with the bulges of its arcs.
std::vector<OutlineCorner> read_corners(Reading& reading, const std::vector<Node>& items, const std::string& path,
                                        const Key& key);
/// Hulls are in scenes in space, enclose a volume, and know their structure.
void check_hulls(Scenario& scenario, bool is_planar);
/// A shape that is a prism becomes a hull, arcs cut into facets: one that is not convex where its outline is not, or
/// has holes.
void make_prism(const Reading& reading, const MapReader& map, ShapeSpec& shape);
/// What is left of a prism's outline with every variable at the middle of its distribution must be convex.
void check_outline(const Scenario& scenario, const ShapeSpec& shape, const std::string& path, const double* draw);
/// Makes a shape the hull that `make` gives; an std::invalid_argument of it is an error of the file at `where`.
void set_closed_surface(const Reading& reading, const Location& where, const std::string& path, ShapeSpec& shape,
                        const std::function<ClosedSurface()>& make);
/// A shape that is a closed surface becomes a hull, convex or not.
void make_surface(const Reading& reading, const MapReader& map, ShapeSpec& shape);
/// A shape that is a mesh becomes the hull of its points, or a surface.
void make_mesh(const Reading& reading, const Location& where, const std::string& path, ShapeSpec& shape);

/// The quantity of a name in an expression, which Scenario::quantities has from then on. Throws ExpressionError.
QuantityUse find_quantity(Scenario& scenario, const QuantityName& name);

/// The same of a name in a force on a body, for which only the motion of bodies and joints counts.
int find_motion(Scenario& scenario, const QuantityName& name, const BodyReference& body);

/// Checks that need the whole scenario: plane, inertia, contact rules and shape pairs. Sets the default of
/// world.friction_directions and the rules of all pairs.
void check_scene(Scenario& scenario);

}  // namespace jostle
