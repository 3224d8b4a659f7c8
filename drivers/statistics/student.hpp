#pragma once
#include <cstdint>

namespace jostle {

/// The 0.975 quantile of Student's t distribution with n - 1 degrees of freedom: a 95 % interval of the mean of n
/// numbers is mean -+ student95(n) s / sqrt(n). n >= 2. Right to 1e-12; Abramowitz and Stegun (1964), 26.7.
double student95(std::int64_t n);

}  // namespace jostle
