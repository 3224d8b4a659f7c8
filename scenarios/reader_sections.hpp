#pragma once
// From the tree of a file to a scenario, and what only the whole shows. All of these throw ScenarioError.
#include "scenarios/reader_members.hpp"

namespace jostle {

/// No honest scenario of small systems has more; checks of pairs are quadratic in it.
inline constexpr std::size_t max_bodies = 256;
inline constexpr std::size_t max_contact_rules = 1000;

/// Variables written in place are known when the number is read: puts all of them into the order of the file, which
/// decides the dimension that a sampler gives each of them.
void sort_variables(Reading& reading);

/// Fails if a variable, an outcome and a reserved column have the same name.
void check_names(const SourceNames& sources, const Scenario& scenario);

/// What only the whole shows: the plane, inertia, contact rules and shape pairs. Sets the default of
/// world.friction_directions and the rules of all pairs.
void check_scene(Scenario& scenario);

}  // namespace jostle
