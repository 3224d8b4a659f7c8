#include "scenarios/reader/units.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/format/words.hpp"

namespace jostle {
namespace {

constexpr UnitFactor length_units[] = {{}, {1, 100}, {1, 1000}, {1, 1e6}};
constexpr UnitFactor mass_units[] = {{}, {1, 1000}, {1, 1e6}, {1000, 1}};
constexpr UnitFactor time_units[] = {{}, {1, 1000}, {1, 1e6}};
constexpr UnitFactor force_units[] = {{}, {1, 1000}, {1000, 1}};
constexpr UnitFactor angle_units[] = {{}, {std::numbers::pi, 180}};

template <class Unit, std::size_t N>
UnitFactor of(const UnitFactor (&table)[N], Unit unit) {
  return table[static_cast<std::size_t>(unit)];
}

UnitFactor factor_of_symbol(const UnitsSpec& units, std::string_view symbol) {
  if (symbol == "m") return of(length_units, units.length);
  if (symbol == "kg") return of(mass_units, units.mass);
  if (symbol == "s") return of(time_units, units.time);
  if (symbol == "N") return of(force_units, units.force);
  if (symbol == "rad") return of(angle_units, units.angle);
  return {};
}

void multiply_by(UnitFactor& product, UnitFactor one, int power, bool is_divided) {
  if (is_divided) std::swap(one.times, one.over);
  for (int i = 0; i < power; ++i) product.times *= one.times, product.over *= one.over;
}

/// As few roundings as possible: 1e9/1000 is 1e6.
UnitFactor in_lowest_terms(const UnitFactor& factor) {
  if (std::fmod(factor.times, factor.over) == 0) return {factor.times / factor.over, 1};
  if (std::fmod(factor.over, factor.times) == 0) return {1, factor.over / factor.times};
  return factor;
}

/// Of one unit: symbols with powers, those after a '/' divide.
UnitFactor factor_of_product(const UnitsSpec& units, std::string_view unit) {
  UnitFactor product;
  bool is_divided = false;
  while (!unit.empty()) {
    if (unit[0] == '/') is_divided = true;
    if (unit[0] == '/' || unit[0] == ' ') {
      unit.remove_prefix(1);
      continue;
    }
    const std::string_view symbol = unit.substr(0, unit.find_first_of(" /^"));
    unit.remove_prefix(symbol.size());
    int power = 1;
    if (unit.starts_with('^')) power = unit[1] - '0', unit.remove_prefix(2);
    multiply_by(product, factor_of_symbol(units, symbol), power, is_divided);
  }
  return in_lowest_terms(product);
}

UnitFactor factor_of_density(const UnitsSpec& units) {
  switch (units.density) {
    case DensityUnit::of_mass_and_length: break;
    case DensityUnit::kg_per_m3: return {};
    case DensityUnit::g_per_cm3: return {1000, 1};
    case DensityUnit::g_per_mm3: return {1e6, 1};
  }
  return factor_of_product(units, "kg/m^3");
}

}  // namespace

std::string_view one_unit(std::string_view unit, bool slides) {
  constexpr std::string_view between = " or ";
  const std::size_t either = unit.find(between);
  if (either == std::string_view::npos) return unit;
  return slides ? unit.substr(either + between.size()) : unit.substr(0, either);
}

UnitFactor factor_of(const UnitsSpec& units, std::string_view unit, bool slides) {
  return unit == "kg/m^3" ? factor_of_density(units) : factor_of_product(units, one_unit(unit, slides));
}

std::string unit_in_file(const UnitsSpec& units, std::string_view unit, bool slides) {
  if (unit == "kg/m^3" && units.density != DensityUnit::of_mass_and_length) return word_for(units.density);
  constexpr std::string_view ends = " /^";
  std::string text;
  for (std::string_view rest = one_unit(unit, slides); !rest.empty();) {
    const std::string_view symbol = rest.substr(0, rest.find_first_of(ends));
    if (symbol == "m")
      text += word_for(units.length);
    else if (symbol == "kg")
      text += word_for(units.mass);
    else if (symbol == "s")
      text += word_for(units.time);
    else if (symbol == "N")
      text += word_for(units.force);
    else if (symbol == "rad")
      text += word_for(units.angle);
    else
      text += symbol;
    rest.remove_prefix(symbol.size());
    for (; !rest.empty() && (ends.find(rest[0]) != ends.npos || (rest[0] >= '0' && rest[0] <= '9'));
         rest.remove_prefix(1))
      text += rest[0];
  }
  return text;
}

void convert(Number& number, const UnitFactor& factor) {
  if (factor.is_one()) return;
  number.constant = factor.convert(number.constant);
  if (number.text.empty()) return;
  number.text = "(" + number.text + ")*" + shortest(factor.times) + "/" + shortest(factor.over);
  if (number.code.empty()) return;
  number.code.insert(number.code.end(),
                     {{Op::constant, 0, factor.times}, {Op::multiply}, {Op::constant, 0, factor.over}, {Op::divide}});
}

bool is_valid(const Distribution& distribution) {
  const auto [first, second] = distribution.bounds;
  const bool is_finite = std::isfinite(first) && std::isfinite(second) &&
                         std::ranges::all_of(distribution.choice.values, [](double x) { return std::isfinite(x); });
  switch (distribution.kind) {
    case Distribution::Kind::log_uniform: return is_finite && first > 0 && first < second;
    case Distribution::Kind::uniform: return is_finite && first < second;
    case Distribution::Kind::normal: return is_finite && second > 0 && distribution.minimum < distribution.maximum;
    default: return is_finite;
  }
}

bool convert(Distribution& distribution, const UnitFactor& factor) {
  if (factor.is_one()) return true;
  if (distribution.kind == Distribution::Kind::integer) return false;
  distribution.bounds.first = factor.convert(distribution.bounds.first);
  distribution.bounds.second = factor.convert(distribution.bounds.second);
  for (double& value : distribution.choice.values) value = factor.convert(value);
  if (std::isfinite(distribution.minimum)) distribution.minimum = factor.convert(distribution.minimum);
  if (std::isfinite(distribution.maximum)) distribution.maximum = factor.convert(distribution.maximum);
  return true;
}

}  // namespace jostle
