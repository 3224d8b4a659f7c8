#pragma once
// The mixed LCP that every method is written as (docs/theory.md (9) to (13)):
//
//     A v - N c_nu - J' p = r                              v: velocities, p: impulses of the contact rows
//     N' v = s                                             joints
//     0 <= n' v + b_n             _|_ c_n    >= 0
//     0 <= D' v + E lambda + b_t  _|_ beta   >= 0
//     0 <= mu c_n - E' beta + b_c _|_ lambda >= 0
//
// The columns of D come in pairs d, -d; only the first of each pair is a row of J, so that the Schur
// complement is formed on half of them and the other half is its exact negative.
#include "core/config.hpp"

namespace jostle {

/// One contact, one joint friction (no normal, a given bound) or one bounded multiplier (no opposites).
struct ContactBlock {
  int normal = -1;        ///< row of n, or -1
  int tangent = 0;        ///< first row of the tangents
  int tangents = 0;       ///< rows of the tangents; 0: frictionless
  bool opposites = true;  ///< beta also has a column -d for each row d
  double friction = 0;    ///< mu
  double bound = 0;       ///< b_c, N s

  JOSTLE_HD int betas() const { return opposites ? 2 * tangents : tangents; }
};

/// The data a method supplies. All matrices are row-major.
struct MixedLcp {
  int velocities = 0;
  int joints = 0;
  int rows = 0;
  int blocks = 0;
  const double* inv_mass = nullptr;      ///< velocities: A is the inverse of this diagonal...
  const double* matrix = nullptr;        ///< ...or velocities x velocities, any regular A, if inv_mass is null
  const double* momentum = nullptr;      ///< r, velocities
  const double* joint_rows = nullptr;    ///< N', joints x velocities
  const double* joint_bias = nullptr;    ///< s, joints
  const double* contact_rows = nullptr;  ///< J, rows x velocities
  const double* row_bias = nullptr;      ///< b_n and b_t, rows; a column -d has -b_t
  const ContactBlock* contacts = nullptr;
};

/// One variable of the LCP and where it comes from.
struct LcpVariable {
  enum class Kind : int { beta, normal, lambda };
  Kind kind = Kind::beta;
  int block = 0;
  int row = 0;      ///< row of J; -1 for lambda
  double sign = 1;  ///< of the column: +1 or -1
};

/// What the assembly computes.
struct SchurComplement {
  int size = 0;                      ///< n of the LCP
  double* free_velocity = nullptr;   ///< v0, velocities
  double* response = nullptr;        ///< row r is P J_r, rows x velocities
  double* delassus = nullptr;        ///< J P J', rows x rows
  LcpVariable* variables = nullptr;  ///< n, in the order beta (contact-major), c_n, lambda
  double* lcp_matrix = nullptr;      ///< n x n
  double* lcp_vector = nullptr;      ///< n
  double* scale = nullptr;           ///< n, powers of two
  double* block_scale = nullptr;     ///< blocks: s of each contact
  // Working memory.
  double* factors = nullptr;         ///< velocities^2, used if A is a full matrix
  double* joint_response = nullptr;  ///< A^-1 N, joints x velocities
  double* joint_factors = nullptr;   ///< joints^2
  double* lu_scale = nullptr;        ///< velocities + joints, used if A is a full matrix or there are joints
  double* lane_memory = nullptr;     ///< (rows + joints + 1) x 2 (velocities + joints)
  int* orders = nullptr;             ///< 2 velocities + 2 joints
};

}  // namespace jostle
