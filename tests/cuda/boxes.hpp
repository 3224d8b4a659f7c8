#pragma once
// Boxes of different fates in one batch.
#include <vector>

#include "scenarios/reader/reader.hpp"
#include "tests/cuda/batches.hpp"

namespace jostle {

inline constexpr int box_steps = 400;

// What becomes of a box: it lies from the start, falls for all of the time, ends in the first step or in a later one,
// or slides for all of the time.
enum Fate { lies, falls, overlaps, gains_energy, slides, fates };

inline const Ensemble& boxes() {
  static const Ensemble ensemble(parse_scenario(R"(
jostle: 1
world: {step: 0.01, duration: 4, friction_directions: 4, gyroscopic: explicit}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, inertia: [1e-3, 2e-3, 3e-3], shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05]}
contacts: [{between: any, friction: 0.5}]
outcomes:
  way: {at_end: box.position.x}
  top: {maximum: box.position.z}
)",
                                                "boxes.yaml"));
  return ensemble;
}

inline Batch boxes_with(const std::vector<Fate>& all) {
  const auto count = static_cast<int>(all.size());
  Batch batch = loaded(boxes(), count);
  for (int i = 0; i < count; ++i) {
    const Fate fate = all[static_cast<std::size_t>(i)];
    const ParameterMemory p = batch.parameters(i);
    double &height = p.start_position[3 + 2], &velocity = p.start_velocity[3];
    if (fate == falls || fate == gains_energy) height = 100;
    if (fate == overlaps) height = 0.02;
    if (fate == gains_energy)
      for (int k = 0; k < 3; ++k) p.start_spin[3 + k] = 60;
    if (fate == slides) velocity = 30;
  }
  return batch;
}

inline const std::vector<Fate> mixed = {falls, lies, slides, overlaps, lies, falls, gains_energy, slides, falls, lies};

}  // namespace jostle
