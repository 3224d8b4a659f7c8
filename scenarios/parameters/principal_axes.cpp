#include "scenarios/parameters/principal_axes.hpp"

namespace jostle {
namespace {

/// Jacobi's method squares what is left off the diagonal in each sweep; more never change a bit.
constexpr int sweeps = 6;
/// Relative to the trace: what is smaller is 0. Its square is no denormal number.
constexpr double smallest = 1e-60;

/// One rotation in the plane of axes p and q.
struct Rotation {
  Traced tangent, cosine, sine;
};

/// The smaller angle that makes element (p, q) zero; none where it is.
Rotation rotation_against(const Traced& pp, const Traced& qq, const Traced& pq, const Traced& trace) {
  const Traced difference = qq - pp;
  const Traced side = sqrt(difference * difference + 4 * pq * pq);
  const Traced sign = 1 - 2 * (difference < 0);
  const Traced tangent = where(fabs(pq) > smallest * trace, 2 * pq * sign / (fabs(difference) + side));
  const Traced cosine = 1 / sqrt(tangent * tangent + 1);
  return {tangent, cosine, tangent * cosine};
}

/// q followed, in its own axes, by a turn about `axis`; half-angle as cosine and sine.
TracedQuaternion turned_about(const TracedQuaternion& q, int axis, const Traced& c, const Traced& s) {
  const Traced v[3] = {q.x, q.y, q.z};
  const int i = axis, j = (axis + 1) % 3, k = (axis + 2) % 3;
  Traced result[3];
  result[i] = plus(times(v[i], c), times(q.w, s));
  result[j] = plus(times(v[j], c), times(v[k], s));
  result[k] = plus(times(v[k], c), -times(v[j], s));
  return {plus(times(q.w, c), -times(v[i], s)), result[0], result[1], result[2]};
}

/// A := G' A G for the rotation G in the plane of p and q; r is the third axis.
void rotate_matrix(TracedMat3& A, int p, int q, int r, const Rotation& turn) {
  const Traced change = turn.tangent * A(p, q), rp = A(r, p), rq = A(r, q);
  A(p, p) = A(p, p) - change;
  A(q, q) = A(q, q) + change;
  A(p, q) = A(q, p) = 0;
  A(r, p) = A(p, r) = plus(times(turn.cosine, rp), -times(turn.sine, rq));
  A(r, q) = A(q, r) = plus(times(turn.sine, rp), times(turn.cosine, rq));
}

}  // namespace

bool is_known_zero(const Traced& x) { return x.is_known() && x.value() == 0; }

Traced times(const Traced& a, const Traced& b) { return is_known_zero(a) || is_known_zero(b) ? Traced(0) : a * b; }

Traced plus(const Traced& a, const Traced& b) { return is_known_zero(a) ? b : is_known_zero(b) ? a : a + b; }

// Columns p and q of the axes become c p - s q and s p + c q: a turn about the third axis r, by the angle if (p, q, r)
// is (x, z, y), which is left-handed, else by minus the angle.
PrincipalAxes principal_axes(const TracedMat3& symmetric) {
  TracedMat3 A = symmetric;
  const Traced trace = A.trace();
  PrincipalAxes principal;
  constexpr int planes[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const auto& [p, q, r] : planes) {
      if (is_known_zero(A(p, q))) continue;
      const Rotation turn = rotation_against(A(p, p), A(q, q), A(p, q), trace);
      const Traced half_cosine = sqrt(0.5 * (1 + turn.cosine)), half_sine = turn.sine / (2 * half_cosine);
      principal.turn = turned_about(principal.turn, r, half_cosine, r == 1 ? half_sine : -half_sine);
      rotate_matrix(A, p, q, r, turn);
    }
  }
  principal.turn = normalised<Traced>(principal.turn);
  principal.moments = A.diagonal();
  return principal;
}

}  // namespace jostle
