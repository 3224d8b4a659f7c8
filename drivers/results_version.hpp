#pragma once

namespace jostle {

/// Raised when results change in any bit.
inline constexpr int results_version = 18;

}  // namespace jostle
