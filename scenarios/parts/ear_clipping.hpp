#pragma once
// Polygons in space as triangles.
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/math/vector.hpp"

namespace jostle {

/// Looking for ears takes the second power of the number of corners, at worst the third.
inline constexpr std::size_t most_corners = 1000;

/// Triangles, as numbers of corners, of a polygon whose corners lie in a plane, or nearly: the fan of its first corner
/// where that covers it once, as in every convex polygon; else by cutting off ears, the corners whose triangle has no
/// other corner in it [Meisters, 1975, Polygons have ears]. Of an outline that crosses itself, or that is not convex
/// and has more than `most_corners`, the fan.
std::vector<std::array<std::size_t, 3>> triangles_of(std::span<const Vec3> corners);

}  // namespace jostle
