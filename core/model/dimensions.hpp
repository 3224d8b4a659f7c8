#pragma once
// The numbers that every size follows from.
#include "core/config.hpp"

namespace jostle {

struct Dimensions {
  int bodies = 0;
  int movers = 0;  ///< bodies that are not fixed
  int shapes = 0;
  int pairs = 0;
  int variables = 0;
  int outcomes = 0;
  int operands = 0;                 ///< that an expression needs at the most
  int shared_numbers = 0;           ///< that several parameters follow from
  int directions = 4;               ///< k, friction directions of a contact
  int contacts = 0;                 ///< capacity of the working memory, in contacts of one LCP
  int joints = 0;                   ///< rows of N', the equations of joints
  bool has_contact_tallies = true;  ///< impulses and contacts of each body are added up
  bool has_mass_matrix = false;     ///< A is a full matrix, as implicit springs make it

  JOSTLE_HD int rows_per_contact() const { return 1 + directions / 2; }
  JOSTLE_HD int rows() const { return contacts * rows_per_contact(); }
  JOSTLE_HD int lcp_size() const { return contacts * (directions + 2); }
  JOSTLE_HD int velocities() const { return 6 * movers; }

  /// Expressions that lanes evaluate at the same time.
  JOSTLE_HD int evaluations() const {
    const int most = movers > outcomes ? movers : outcomes;
    return most > 0 ? most : 1;
  }

  JOSTLE_HD int tallied_bodies() const { return has_contact_tallies ? bodies : 0; }

  /// Whether bodies act on each other by more than the rows of J: then J P J' is a full matrix.
  JOSTLE_HD bool is_coupled() const { return joints > 0 || has_mass_matrix; }
  /// Numbers that each lane of the assembly works with then; 0 if it is not so.
  JOSTLE_HD int lane_numbers() const { return is_coupled() ? 3 * velocities() + 2 * joints : 0; }
};

}  // namespace jostle
