#pragma once
// The mixed LCP of a step out of the workspace, where masses, forces and rows have been written.
#include "core/model/system.hpp"

namespace jostle {

/// The problem whose masses, momentum and contact rows stand in the workspace.
JOSTLE_HD inline MixedLcp mixed_lcp(const System& system, const Workspace& work, int contacts) {
  MixedLcp mixed;
  mixed.velocities = system.model.dimensions.freedoms;
  mixed.rows = contacts * system.model.dimensions.rows_per_contact();
  mixed.blocks = contacts;
  mixed.inv_mass = work.inv_mass;
  mixed.momentum = work.momentum;
  mixed.contact_rows = work.contact_rows;
  mixed.row_bias = work.row_bias;
  mixed.contacts = work.block;
  return mixed;
}

}  // namespace jostle
