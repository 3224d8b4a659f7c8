#pragma once
// Mass, centre of mass and inertia of a body, as the file gives them or as they follow from shapes and densities.
#include "scenarios/parameters/inertia.hpp"
#include "scenarios/parameters/requirements.hpp"

namespace jostle {

/// In the frame of the file, unless it says otherwise.
struct TracedMass {
  Traced mass = 0;                           ///< kg
  TracedVec3 moments = TracedVec3::Zero();   ///< kg m^2, principal; 0 for a body that does not turn
  bool has_own_frame = false;                ///< in some sample, the engine's frame may not be that of the file
  TracedVec3 centre = TracedVec3::Zero();    ///< m
  TracedQuaternion turn;                     ///< from the principal axes to those of the file
  TracedMat3 axes = TracedMat3::Identity();  ///< the same; columns are the principal axes

  /// Of the frame of the file in the principal axes, from the centre of mass.
  TracedVec3 frame_position() const;
  TracedQuaternion frame_orientation() const { return {turn.w, -turn.x, -turn.y, -turn.z}; }
};

/// `require` gets what a sample must meet. A body that no impulse moves has no mass, one that does not turn keeps its
/// frame.
TracedMass mass_of(const BodySpec& body, Draw draw, Requirements& require);
TracedMass mass_of(const BodySpec& body, Draw draw);

/// Requires that mass and inertia are physical, as far as this is known before anything is drawn.
void require_known_mass(const BodySpec& body, Requirements& require);

}  // namespace jostle
