#pragma once
// The stages of a step, and a hook called when each of them ends: a benchmark reads its clock there.
#include "core/config.hpp"

namespace jostle {

enum class Stage { collide, assemble, pivot, integrate, record };
inline constexpr int stage_count = 5;

/// The hook that does nothing.
struct NoClock {
  JOSTLE_HD void operator()(Stage) const {}
};

}  // namespace jostle
