#pragma once

namespace jostle {

/// Raised when results change in any bit.
inline constexpr int results_version = 17;

}  // namespace jostle
