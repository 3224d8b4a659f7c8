#pragma once
// What `run` and --dry-run print of the masses of a sample, and of what its joints leave free.
#include <string>
#include <vector>

#include "scenarios/ensemble.hpp"

namespace jostle {

/// A body that impulses move, in the frame of the file.
struct BodyMass {
  std::string body;
  double mass = 0;               ///< kg
  double centre[3] = {0, 0, 0};  ///< m
  /// m, of the box around its shapes; empty without shapes.
  std::vector<double> size;
  /// kg m^2, about the centre of mass: xx, yy, zz, xy, xz, yz; of a body that turns about one axis, its moment alone;
  /// empty for one that does not turn.
  std::vector<double> inertia;
};

/// Of a system whose parameters are loaded.
std::vector<BodyMass> masses_of(const Ensemble& ensemble, const ParameterMemory& parameters);

/// A line per body.
std::string text_of(const std::vector<BodyMass>& masses);
/// {"rod": {"mass": 1, "centre_of_mass": [0, 0, 0], "size": [0.5, 0.1, 0.1], "inertia": [1, 1, 1, 0, 0, 0]}}
std::string json_text_of(const std::vector<BodyMass>& masses);

struct Mechanism {
  int equations = 0;               ///< of joints, without those that a planar scene always meets
  int redundant = 0;               ///< of these, those that follow from the others at the start
  int freedoms = 0;                ///< of all bodies, that the joints leave
  std::vector<std::string> stuck;  ///< bodies that the joints do not let move
  bool has_joints() const { return equations > 0; }
};

/// At the start of a system whose parameters are loaded. Friction, limits and contacts do not count.
Mechanism mechanism_of(const Ensemble& ensemble, const System& system);

/// A line; empty without joints.
std::string text_of(const Mechanism& mechanism);
/// {"equations": 10, "degrees_of_freedom": 0, "redundant": 4, "cannot_move": ["arm"]}
std::string json_text_of(const Mechanism& mechanism);

}  // namespace jostle
