#pragma once
// The mixed LCP, the common form of all methods (docs/theory.md (9) to (13)):
//
//     A v - N c_nu - J' p = r                              v: velocities, p: impulses of the rows of blocks
//     N' v = s                                             joints
//     0 <= n' v + b_n             _|_ c_n    >= 0
//     0 <= D' v + E lambda + b_t  _|_ beta   >= 0
//     0 <= mu c_n - E' beta + b_c _|_ lambda >= 0
//
// Its data are in the workspace (core/model/workspace.hpp): sparse rows of J and N', and blocks of rows. To its
// solution blocks may have any order, and so may the rows of a block, except that the tangents of a block are
// consecutive; what methods write has the order of Dimensions::contact_rows. All rows of a block have the same bodies.
//
// The columns of D come in pairs d, -d; only the first of each pair is a row of J, so that the Schur
// complement is formed on half of them and the other half is its exact negative.
#include <cstdint>

#include "core/math/bits.hpp"
#include "core/math/vector.hpp"

namespace jostle {

/// A row of J or N': it belongs to at most two bodies that are not fixed (numbered among themselves), the lower number
/// first, and has six entries for each. Entries of locked freedoms are zero.
struct ConstraintRow {
  int body[2];  ///< the second may be no_body
  Vec6 entry[2];
};
inline constexpr int no_body = -1;

/// One contact (a normal, tangents, mu), one friction with a given bound (no normal), one limit (a normal alone), one
/// bounded multiplier (no normal, no opposites), or the spin or rolling friction of a contact: no normal, and the bound
/// `friction` c_n, in N m s, with the c_n of its partner, the contact.
struct Block {
  int normal = -1;        ///< row of n, or -1
  int tangent = 0;        ///< first row of the tangents
  int tangents = 0;       ///< rows of the tangents; 0: frictionless
  bool opposites = true;  ///< beta also has a column -d for each row d
  double friction = 0;    ///< mu; of moments m
  double bound = 0;       ///< b_c, N s
  int partner = -1;       ///< of a contact: the block of its spin friction; of moments: the contact's; -1: none
  int roller = -1;        ///< of a contact: the block of its rolling friction; -1: none

  /// Whether c_n of its partner bounds it.
  JOSTLE_HD bool is_moment() const { return normal < 0 && partner >= 0; }
  /// The row that with the first tangent spans the tangent plane.
  JOSTLE_HD int second_tangent() const { return tangent + tangents / 2; }
  JOSTLE_HD int betas() const { return opposites ? 2 * tangents : tangents; }
  JOSTLE_HD int normals() const { return normal >= 0 ? 1 : 0; }
  JOSTLE_HD int lambdas() const { return tangents > 0 ? 1 : 0; }
  JOSTLE_HD int variables() const { return betas() + normals() + lambdas(); }
};

/// How much of the workspace a problem takes.
struct MixedLcp {
  int rows = 0;  ///< of J
  int blocks = 0;
  int joints = 0;        ///< rows of N'
  int stiff_groups = 0;  ///< of them, groups behind those of the joints: directions that are stiff
  int stage = 0;         ///< 1 to 4: of accelerations, in this stage of a method that has stages
  /// Equations of joints with larger pivots are independent, whatever the errors of joints.
  double most_dependence = 0x1p-6;
  /// More than this depend on others to rounding errors alone.
  int most_redundant = any_number;
  bool follows = false;  ///< its modes are those of the answer to the LCP before
  /// An island without an answer is solved once more with its overlaps held: b_n := max(b_n, 0).
  bool may_hold = false;
  /// Once more without the errors of joints, if there is no answer: N'v_{l+1} = -N_w'w.
  bool may_hold_joints = false;
  /// And once more with contacts that yield by the errors of joints in loops.
  bool may_yield = false;
  bool may_recover = false;  ///< the method has another problem, if this one has no answer: the last resorts wait
  /// The certificate is relative to the speeds, too: without gaps in b, or where bodies move with one whose motion is
  /// prescribed, q may be nothing but their rounding errors.
  bool relative_to_speeds = false;
};

/// One variable of the LCP and its origin. The order is, island after island, beta (block after block), c_n, lambda.
struct LcpVariable {
  enum class Kind : std::int8_t { beta, normal, lambda };
  Kind kind = Kind::beta;
  std::int8_t sign = 1;  ///< of the column: +1 or -1
  std::int16_t row = 0;  ///< row of J; -1 for lambda
  std::int16_t block = 0;

  /// x times the sign.
  JOSTLE_HD double signed_value(double x) const { return sign < 0 ? -x : x; }
};

/// The first variables of a block.
struct BlockVariables {
  int beta = 0, normal = 0, lambda = 0;
};

/// The row whose bodies are those of a block, and whose response scales it.
JOSTLE_HD inline int scaling_row(const Block& block) { return block.normal >= 0 ? block.normal : block.tangent; }

/// f(r) for the rows of J that a block uses, the normal first.
JOSTLE_HD void for_each_row(const Block& block, auto f) {
  if (block.normal >= 0) f(block.normal);
  for (int i = 0; i < block.tangents; ++i) f(block.tangent + i);
}

/// A part of a mixed LCP that no row ties to the rest (islands.hpp).
struct Island {
  int first_mover = 0, movers = 0;        ///< in work.island_mover()
  int first_block = 0, blocks = 0;        ///< in work.island_block()
  int first_variable = 0, variables = 0;  ///< of the LCP
  BlockVariables next_variables{};        ///< used only while blocks are listed
  double residual = 0;                    ///< of its answer
  bool rests = false;                     ///< used only at the end of a step: whether it begins to rest
};

/// The blocks of a mover, in work.mover_block().
struct MoverBlocks {
  int first, count;
};

}  // namespace jostle
