#pragma once
// Numbers of a file in other units than SI.
#include <string>
#include <string_view>

#include "scenarios/model/number.hpp"
#include "scenarios/model/units.hpp"

namespace jostle {

/// A number times `times` and over `over` is in SI units; both are exact where units differ by powers of ten.
struct UnitFactor {
  double times = 1, over = 1;
  bool is_one() const { return times == over; }
  double convert(double value) const { return value * times / over; }
};

/// Of "rad or m" the first, or the second if `slides`; another unit itself.
std::string_view one_unit(std::string_view unit, bool slides);

/// Of a key's unit, such as "N s/m". Of two, "rad or m", the first, or the second if `slides`.
UnitFactor factor_of(const UnitsSpec& units, std::string_view unit, bool slides);

/// The number in SI units. An expression is multiplied.
void convert(Number& number, const UnitFactor& factor);
/// A distribution of such numbers; false for one of whole numbers, which has no other unit.
bool convert(Distribution& distribution, const UnitFactor& factor);
/// Whether its numbers are still doubles, and its bounds apart.
bool is_valid(const Distribution& distribution);

/// What this unit is in the file: of "N s/m" with mm "N s/mm".
std::string unit_in_file(const UnitsSpec& units, std::string_view unit, bool slides);

}  // namespace jostle
