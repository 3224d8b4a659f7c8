#pragma once
// A scenario as the user wrote it, checked. Every number is either constant or an expression of the variables.
// The reader makes it, and systems are built from it.
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/quantity.hpp"
#include "scenarios/expression/expression.hpp"
#include "scenarios/model/body_spec.hpp"
#include "scenarios/model/contact_rule.hpp"
#include "scenarios/model/force_spec.hpp"
#include "scenarios/model/joint_spec.hpp"
#include "scenarios/model/number.hpp"
#include "scenarios/model/outcome_spec.hpp"
#include "scenarios/model/sample_spec.hpp"
#include "scenarios/model/units.hpp"
#include "scenarios/model/world_spec.hpp"
#include "scenarios/text/error.hpp"

namespace jostle {

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

  /// Whether forces and impulses move the body, which may be world_body.
  bool is_mover(int body) const { return body != world_body && bodies[static_cast<std::size_t>(body)].is_mover(); }
};

/// An error at a place of the scenario, for checks that need more than the reader knows.
ScenarioError error_at(const Scenario& scenario, const Location& where, const std::string& message);

/// The cells of a grid, 1 if there is none.
std::int64_t cells_of(const SampleSpec& sample);

/// Whether samples differ: some variable can take more than one value, or a table has the values.
bool draws_anything(const Scenario& scenario);

}  // namespace jostle
