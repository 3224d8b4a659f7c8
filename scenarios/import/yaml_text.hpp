#pragma once
// Numbers and names of a scenario that is imported, as a person would write them.
#include <set>
#include <string>
#include <string_view>

#include "core/math/vector.hpp"

namespace jostle {

/// 15 digits: what is computed from rounded numbers has no noise behind them. More where 15 round to infinity.
std::string yaml(double x);
/// [x, y, z]
std::string yaml(const Vec3& v);
/// xx, yy, zz, xy, xz, yz as `inertia` has them, without rounding errors in place of zeros.
std::string yaml_inertia(const Mat3& J);
/// In quotes.
std::string yaml_quoted(std::string_view text);
/// A file as a scenario in `folder` names it, in quotes. Throws ScenarioError if none can.
std::string quoted_file(const std::string& file, const std::string& folder);

/// A name for a body or joint that is like `name`, and not yet in `taken`, to which it is added.
std::string name_like(std::string_view name, std::set<std::string>& taken);

/// The name of a file without its folders.
std::string file_name_of(const std::string& path);

}  // namespace jostle
