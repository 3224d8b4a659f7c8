#pragma once
// The parameters of a system from one draw of the variables.
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/model/fields.hpp"
#include "scenarios/key.hpp"
#include "scenarios/plane.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

/// What loading needs to know of a scenario and no draw changes.
struct ParameterPlan {
  struct Shape {
    int body = 0, shape = 0;  ///< shape: among those of the body
    int number = 0;           ///< among all
  };
  /// A number that a draw can make wrong by itself.
  struct Check {
    Number number;
    Sign sign = Sign::any;
    std::string path;
  };
  std::vector<Check> checks;         ///< of what is drawn
  std::vector<std::byte> constants;  ///< the parameters of a system, with what no draw changes
  std::optional<Fault> fault;        ///< of what no draw changes
  bool gravity_is_drawn = false;
  std::vector<Shape> drawn_shapes;  ///< what depends on a variable
  std::vector<int> drawn_bodies;
  std::vector<int> drawn_pairs;
  std::vector<int> rule_of_pair;      ///< per pair of the model: index into Scenario::contacts
  std::optional<Plane> plane;         ///< of a planar scene
  std::vector<Shape> placed_by_draw;  ///< shapes of a planar scene that a draw can take out of the plane
};

ParameterPlan plan_parameters(const Scenario& scenario, const Model& model);

/// Writes the parameters of the draw. Returns the first number that is not physical, if there is one: not finite, a
/// mass or size that is not above 0, moments of inertia that no body has, a direction of no length, a planar scene's
/// shape out of the plane.
std::optional<Fault> load_parameters(const Scenario& scenario, const Model& model, const ParameterPlan& plan,
                                     std::span<const double> variables, const ParameterMemory& parameters);

}  // namespace jostle
