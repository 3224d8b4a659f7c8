#pragma once
// The random numbers of a sample as people read them.
#include <string>
#include <utility>
#include <vector>

namespace jostle {

using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// The variables; in place of the three numbers in (0, 1) of a random rotation, its PATH.rotation.roll, .pitch and .yaw
/// in rad and its quaternion .qw, .qx, .qy and .qz.
NamedNumbers shown_variables(const std::vector<std::string>& names, const std::vector<double>& values);

}  // namespace jostle
