#pragma once
// The standard normal distribution function and its inverse, below 4 ulp.
//
//   Phi(-x) = exp(-x^2/2) M(x) / sqrt(2 pi) for x >= 0, M the Mills ratio; M(x) (x + 1) is a
//   polynomial in (x - 4) / (x + 4).
//   Phi^-1(u) is q times a polynomial in q^2 for q = u - 1/2 in [-0.3, 0.3]. In the tails
//   Phi^-1(u) = -(s - h(s)), s = sqrt(-2 log u), h in three pieces, each a polynomial in
//   (s - a) / (s + a).
//
// Coefficients: tools/fit_functions.py.
#include "core/math/exponential.hpp"

namespace jostle {

namespace detail {

/// h(s) for s in [1.78, 38.7], which is every u in [2^-1074, 0.2].
JOSTLE_HD inline double normal_tail_correction(double s) {
  constexpr double near[] = {0x1.8597314d830aep-1, -0x1.c4056c370a054p-1, 0x1.567c3326a47b7p-2, -0x1.03ad179c1f4d2p-2,
                             0x1.3a2df7ce56b4ep-3, -0x1.16bde8a9b55bcp-3, 0x1.99781497e2c91p-4, -0x1.786eb417bd923p-4,
                             0x1.2a0f215fcd73fp-4, -0x1.18e5ef27fa5e9p-4, 0x1.d2d13933c6966p-5, -0x1.bd6a561274be0p-5,
                             0x1.7dfbe1833ed54p-5, -0x1.6fcabca4ea55fp-5, 0x1.3e22e0e9b7844p-5, -0x1.342db4b8490dbp-5,
                             0x1.4812053fd20a4p-5, -0x1.3f7c546073415p-5};
  constexpr double middle[] = {0x1.ac920595d3981p-2, -0x1.2178a03a52040p-1, 0x1.3e8dcdf9f0b6cp-2, -0x1.fabfd2f73931fp-3,
                               0x1.7181688443dbbp-3, -0x1.33370fa5d2b1ap-3, 0x1.e4c5e139e9becp-4, -0x1.a2e272bacaeebp-4,
                               0x1.5d0cb401ef2fep-4, -0x1.38512d2ef2fbdp-4, 0x1.0eb8b30bfc320p-4, -0x1.eff981db4576cp-5,
                               0x1.b8e87d25d6f43p-5, -0x1.9b4b47ab33b64p-5, 0x1.73eb485ccdc70p-5, -0x1.4b578b172349fp-5,
                               0x1.2f1cc3baccc90p-5, -0x1.9b6f30f48c18dp-5, 0x1.7d716232c7b4dp-5};
  constexpr double far[] = {0x1.7ccfde1d2d0c9p-3, -0x1.1f008e87efce1p-2, 0x1.8626b637ce48ap-3, -0x1.4e45dba4ea695p-3,
                            0x1.1677c1daac14dp-3, -0x1.efdb3695f9eaep-4, 0x1.b24b6645e4dedp-4, -0x1.89fcdf3b299e5p-4,
                            0x1.612cb02ffba55p-4, -0x1.43ff3df24342ep-4, 0x1.265d32c4aebcfp-4, -0x1.10235509a5dcep-4,
                            0x1.f55f6470d881fp-5, -0x1.d26461a60c8edp-5, 0x1.952cb0b9abc58p-5, -0x1.7aa9f577a46a7p-5,
                            0x1.044b39f3ae2b3p-4, -0x1.ea211526ef0b8p-5};
  if (s < 4) return polynomial(near, (s - 2.6875) / (s + 2.6875));
  if (s < 12) return polynomial(middle, (s - 6.9375) / (s + 6.9375));
  return polynomial(far, (s - 21.5) / (s + 21.5));
}

/// Phi^-1(0.5 + q) for |q| <= 0.3.
JOSTLE_HD inline double normal_quantile_near_median(double q) {
  constexpr double c[] = {0x1.40d931ff62706p+1,  0x1.4ffddeaa22d91p+1,   0x1.71713082e0dafp+2,  0x1.f55d0d730eaa8p+3,
                          0x1.78494c38888a4p+5,  0x1.2ba8b0ad603a5p+7,   0x1.f04d4e5de006ep+8,  0x1.a6092f9d78696p+10,
                          0x1.73cc83707a556p+12, 0x1.1f13c5ed814ccp+14,  0x1.fb2f569fd892fp+16, -0x1.53ae649a04317p+19,
                          0x1.932bf3359182cp+23, -0x1.9a218da94b9f6p+26, 0x1.4f1d093842250p+29, -0x1.376da09c965f9p+31,
                          0x1.3703e0e2ed56ap+32};
  return q * polynomial(c, q * q);
}

/// Phi(-x) for x >= 0.
JOSTLE_HD inline double normal_upper_tail(double x) {
  // M(x) (x + 1) / sqrt(2 pi) as a function of (x - 4) / (x + 4)
  constexpr double c[] = {0x1.e361ea6fba141p-2,  -0x1.8c18f2086e349p-4,  0x1.cabd72a60f8f7p-7,   0x1.d4969f10dfda0p-6,
                          -0x1.07c3c2582bf83p-5, 0x1.25dd7206073a9p-6,   -0x1.47d5fc746eaefp-8,  -0x1.2b7f5e222283cp-12,
                          0x1.6c53831055ab1p-11, -0x1.8c11ab809e010p-14, -0x1.707bb531a57cep-14, 0x1.648346040cff0p-16,
                          0x1.c9400678555fdp-17, -0x1.cc8bad4902264p-19, -0x1.5ec5c3ec4dcadp-19, 0x1.afffee5ed5ed5p-22,
                          0x1.28b56b11caefap-21, 0x1.5694b3b083a28p-28,  -0x1.dd7b14eb4fccep-24, -0x1.947d691fb447ep-26,
                          0x1.252e9ad38e38bp-26, 0x1.2085d13dac1aap-27,  -0x1.ca770e69d00c4p-31, -0x1.7217db5ad243cp-30,
                          -0x1.1ce0301d9fd70p-32};
  if (x > 38.6) return 0;  // below half of the smallest double
  const DoubleDouble square = two_product(x, x);
  const double density = exponential_of_sum(-0.5 * square.high, -0.5 * square.low);
  return density * (polynomial(c, (x - 4) / (x + 4)) / (x + 1));
}

}  // namespace detail

/// Phi(x), the probability that a standard normal variable is at most x.
JOSTLE_HD inline double normal_cumulative(double x) {
  if (is_nan(x)) return canonical_nan();
  const double tail = detail::normal_upper_tail(std::fabs(x));
  return x > 0 ? 1 - tail : tail;
}

/// Phi^-1(u): -infinity at 0, infinity at 1, NaN outside [0, 1].
JOSTLE_HD inline double normal_quantile(double u) {
  if (!(u >= 0 && u <= 1)) return canonical_nan();
  if (u == 0 || u == 1) return u == 0 ? -infinity() : infinity();
  const double q = u - 0.5;
  if (std::fabs(q) <= 0.3) return detail::normal_quantile_near_median(q);

  // s with its rounding error, because x = s - h(s) is as sensitive as s.
  const DoubleDouble log_tail = detail::logarithm(u < 0.5 ? u : 1 - u);
  const double square = -2 * log_tail.high;
  const double s = std::sqrt(square);
  const double s_rest = (std::fma(-s, s, square) - 2 * log_tail.low) / (2 * s);
  const double x = s - (detail::normal_tail_correction(s) - s_rest);
  return u < 0.5 ? -x : x;
}

}  // namespace jostle
