#pragma once
// Words of a scenario file that stand for the values of an enumeration. Readers, canonical text, schema, manual,
// datasets and reports use these.
#include <string>
#include <string_view>
#include <vector>

#include "core/model/method.hpp"
#include "scenarios/model/placement.hpp"
#include "scenarios/model/sample_spec.hpp"
#include "scenarios/model/shape_spec.hpp"
#include "scenarios/model/units.hpp"

namespace jostle {

/// All words, in the order of the values.
template <class Enum>
std::vector<std::string_view> words();

template <>
inline std::vector<std::string_view> words<LengthUnit>() {
  return {"m", "cm", "mm", "um"};
}
template <>
inline std::vector<std::string_view> words<MassUnit>() {
  return {"kg", "g", "mg", "t"};
}
template <>
inline std::vector<std::string_view> words<TimeUnit>() {
  return {"s", "ms", "us"};
}
template <>
inline std::vector<std::string_view> words<ForceUnit>() {
  return {"N", "mN", "kN"};
}
template <>
inline std::vector<std::string_view> words<AngleUnit>() {
  return {"rad", "deg"};
}
template <>
inline std::vector<std::string_view> words<DensityUnit>() {
  return {"mass/length^3", "kg/m^3", "g/cm^3", "g/mm^3"};
}
template <>
inline std::vector<std::string_view> words<Axis>() {
  return {"x", "y", "z"};
}
template <>
inline std::vector<std::string_view> words<Linearisation>() {
  return {"predicted", "fixed_point"};
}
template <>
inline std::vector<std::string_view> words<Gyroscopic>() {
  return {"implicit", "explicit", "trapezoidal"};
}
template <>
inline std::vector<std::string_view> words<Solver>() {
  return {"guess_first", "lemke"};
}
template <>
inline std::vector<std::string_view> words<Multipliers>() {
  return {"least_norm", "vertex"};
}
template <>
inline std::vector<std::string_view> words<ImpactLaw>() {
  return {"poisson", "newton", "simplified"};
}
template <>
inline std::vector<std::string_view> words<FrictionCone>() {
  return {"polygon", "circle"};
}
template <>
inline std::vector<std::string_view> words<Method>() {
  return method_names();
}
template <>
inline std::vector<std::string_view> words<SampleMethod>() {
  return {"sobol", "random", "table", "latin_hypercube", "grid"};
}
template <>
inline std::vector<std::string_view> words<VariedSpec::Kind>() {
  return {"grid", "values"};
}
template <>
inline std::vector<std::string_view> words<RecordType>() {
  return {"f8", "f4"};
}
template <>
inline std::vector<std::string_view> words<Reducer>() {
  return {"at_end", "minimum", "maximum", "first_time", "mean", "at_first"};
}
template <>
inline std::vector<std::string_view> words<ShapeType>() {
  return {"sphere", "capsule", "box", "cylinder", "polygon", "hull", "half_space"};
}
template <>
inline std::vector<std::string_view> words<MeshForm>() {
  return {"hull", "surface"};
}
template <>
inline std::vector<std::string_view> words<JointType>() {
  return {"ball", "revolute", "prismatic", "fixed", "distance"};
}
template <>
inline std::vector<std::string_view> words<Distribution::Kind>() {
  return {"uniform", "log_uniform", "normal", "integer", "choice"};
}

/// Of values that have several words, the one whose word comes first.
template <class Enum>
Enum standard(Enum value) {
  return value;
}
/// A step with the implicit torque is one of the trapezoidal rule.
inline Gyroscopic standard(Gyroscopic value) {
  return value == Gyroscopic::explicitly ? value : Gyroscopic::implicitly;
}

/// The word of one value.
template <class Enum>
std::string word_for(Enum value) {
  return std::string(words<Enum>()[static_cast<std::size_t>(value)]);
}

}  // namespace jostle
