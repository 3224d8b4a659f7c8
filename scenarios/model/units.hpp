#pragma once
// The units that a file may have.

namespace jostle {

enum class LengthUnit { m, cm, mm, um };
enum class MassUnit { kg, g, mg, t };
enum class TimeUnit { s, ms, us };
enum class ForceUnit { newton, millinewton, kilonewton };
enum class AngleUnit { rad, deg };
enum class DensityUnit { of_mass_and_length, kg_per_m3, g_per_cm3, g_per_mm3 };

/// The units of the numbers of a file; everything else has SI units.
struct UnitsSpec {
  LengthUnit length = LengthUnit::m;
  MassUnit mass = MassUnit::kg;
  TimeUnit time = TimeUnit::s;
  ForceUnit force = ForceUnit::newton;
  AngleUnit angle = AngleUnit::rad;
  DensityUnit density = DensityUnit::of_mass_and_length;

  bool operator==(const UnitsSpec&) const = default;
};

}  // namespace jostle
