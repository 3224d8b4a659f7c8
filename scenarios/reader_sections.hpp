#pragma once
// The sections of a scenario file, one function each, and the checks of the whole. All of them throw ScenarioError.
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/reader_numbers.hpp"
#include "scenarios/reader_values.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

/// No honest scenario of small systems has more; checks of pairs are quadratic in it.
inline constexpr std::size_t max_bodies = 256;
inline constexpr std::size_t max_contact_rules = 1000;

/// All variables in file order: those under `variables` and those written in place anywhere in the tree.
std::vector<Variable> read_variables(const SourceNames& sources, const Node& root);

/// Everything of `world` but friction_directions if they are left out (0): the default depends on the bodies.
WorldSpec read_world(const NumberReader& numbers, const Node& node);

std::vector<BodySpec> read_bodies(const NumberReader& numbers, const Node& node);
RotationSpec read_rotation(const NumberReader& numbers, const Node& node, const std::string& path);
std::vector<ShapeSpec> read_shapes(const NumberReader& numbers, const MapReader& body);

/// Fails if all numbers are constant and the vector has no direction.
void check_direction(const SourceNames& sources, const Location& where, const std::string& path, const Number* vector,
                     std::size_t length);

std::vector<ContactRule> read_contacts(const NumberReader& numbers, const Node& node,
                                       const std::vector<BodySpec>& bodies);
std::vector<ForceSpec> read_forces(const NumberReader& numbers, const Node& node, const std::vector<BodySpec>& bodies);

/// Number of the body called by `node`; fails with a suggestion.
int read_body_name(const SourceNames& sources, const Node& node, const std::string& path,
                   const std::vector<BodySpec>& bodies);

SampleSpec read_sample(const SourceNames& sources, const Node& node);
RecordSpec read_record(const SourceNames& sources, const Node& node);

/// Reads `outcomes` into scenario.outcomes and scenario.quantities.
void read_outcomes(const NumberReader& numbers, const Node& node, Scenario& scenario);

/// Fails if a variable, an outcome and a reserved column have the same name.
void check_names(const SourceNames& sources, const Scenario& scenario);

/// What only the whole shows: the plane, inertia, contact rules and shape pairs. Sets the default of
/// world.friction_directions.
void check_scene(Scenario& scenario);

}  // namespace jostle
