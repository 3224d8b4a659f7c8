#pragma once
// How a thing is turned, and how several of it are placed.
#include <cstdint>
#include <vector>

#include "scenarios/model/number.hpp"

namespace jostle {

struct RotationSpec {
  enum class Kind { none, axis_angle, quaternion, uniform, sequence };
  Kind kind = Kind::none;
  Number axis[3];
  Number degrees;
  Number quaternion[4];             ///< w, x, y, z; normalised when bound
  int uniform[3] = {-1, -1, -1};    ///< variables of a uniform rotation: NAME.rotation[0..2] in (0, 1)
  std::vector<RotationSpec> turns;  ///< sequence: one after the other, about fixed axes; of the kinds before uniform
};

enum class Axis { x, y, z };

/// Several of one thing at equal angles about an axis, or at equal distances.
struct PatternSpec {
  std::int64_t count = 0;  ///< 0: there is no pattern
  bool has_axis = false, has_degrees = false, has_step = false;
  Axis axis = Axis::z;
  double degrees = 0;  ///< from one to the next
  Number at[3];        ///< a point of the axis, m
  Number step[3];      ///< from one to the next, m
  Location where;
};

}  // namespace jostle
