#pragma once
// What the joints of a sample leave free.
#include <string>
#include <vector>

#include "scenarios/ensemble.hpp"

namespace jostle {

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
