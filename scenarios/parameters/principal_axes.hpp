#pragma once
// Principal axes by Jacobi's method, over numbers that may depend on variables.
#include "scenarios/parameters/traced.hpp"

namespace jostle {

struct PrincipalAxes {
  TracedVec3 moments = TracedVec3::Zero();
  TracedQuaternion turn;  ///< from the principal axes to those of the matrix
};

/// Of a symmetric matrix with a positive trace. Elements that are known to be 0 are never computed with; a matrix that
/// is diagonal has its own axes, exactly.
PrincipalAxes principal_axes(const TracedMat3& symmetric);

/// a b and a + b, known to be 0 or one of the two if an operand is known to be 0 (which must not hide an infinite one).
Traced times(const Traced& a, const Traced& b);
Traced plus(const Traced& a, const Traced& b);
bool is_known_zero(const Traced& x);

}  // namespace jostle
