#pragma once
// The parameters of a system from the variables of one sample.
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/model/fields.hpp"
#include "scenarios/key.hpp"
#include "scenarios/plane.hpp"
#include "scenarios/scenario.hpp"

namespace jostle {

/// What loading needs to know about a scenario; the same for all samples.
struct ParameterPlan {
  struct Shape {
    int body = 0, shape = 0;  ///< shape: among those of the body
    int number = 0;           ///< among all
  };
  /// A number that a sample can make invalid by itself.
  struct Check {
    Number number;
    Sign sign = Sign::any;
    std::string path;
  };
  std::vector<Check> checks;         ///< of numbers that depend on variables
  std::vector<std::byte> constants;  ///< the parameters of a system; those that are the same in all samples are set
  std::optional<Fault> fault;        ///< in a constant
  bool gravity_is_drawn = false;
  std::vector<Shape> drawn_shapes;  ///< shapes that depend on a variable
  std::vector<int> drawn_bodies;
  std::vector<int> drawn_pairs;
  std::vector<int> rule_of_pair;      ///< per pair of the model: index into Scenario::contacts
  std::optional<Plane> plane;         ///< of a planar scene
  std::vector<Shape> placed_by_draw;  ///< shapes of a planar scene that a sample can move out of the plane
};

ParameterPlan plan_parameters(const Scenario& scenario, const Model& model);

/// Writes the parameters of a sample. Returns the first number that is not physical, if there is one: not finite, a
/// mass or size that is not positive, impossible moments of inertia, a direction of zero length, or a shape of a planar
/// scene out of the plane.
std::optional<Fault> load_parameters(const Scenario& scenario, const Model& model, const ParameterPlan& plan,
                                     std::span<const double> variables, const ParameterMemory& parameters);

}  // namespace jostle
