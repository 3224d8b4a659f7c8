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

using Words = std::vector<std::string_view>;

inline Words words_of_all(LengthUnit) { return {"m", "cm", "mm", "um"}; }
inline Words words_of_all(MassUnit) { return {"kg", "g", "mg", "t"}; }
inline Words words_of_all(TimeUnit) { return {"s", "ms", "us"}; }
inline Words words_of_all(ForceUnit) { return {"N", "mN", "kN"}; }
inline Words words_of_all(AngleUnit) { return {"rad", "deg"}; }
inline Words words_of_all(DensityUnit) { return {"mass/length^3", "kg/m^3", "g/cm^3", "g/mm^3"}; }
inline Words words_of_all(Axis) { return {"x", "y", "z"}; }
inline Words words_of_all(Linearisation) { return {"predicted", "fixed_point"}; }
inline Words words_of_all(Gyroscopic) { return {"implicit", "explicit", "trapezoidal"}; }
inline Words words_of_all(Solver) { return {"guess_first", "lemke"}; }
inline Words words_of_all(Multipliers) { return {"least_norm", "vertex"}; }
inline Words words_of_all(ImpactLaw) { return {"poisson", "newton", "simplified"}; }
inline Words words_of_all(FrictionCone) { return {"polygon", "circle"}; }
inline Words words_of_all(Method) { return method_names(); }
inline Words words_of_all(SampleMethod) { return {"sobol", "random", "table", "latin_hypercube", "grid"}; }
inline Words words_of_all(VariedSpec::Kind) { return {"grid", "values"}; }
inline Words words_of_all(RecordType) { return {"f8", "f4"}; }
inline Words words_of_all(Reducer) { return {"at_end", "minimum", "maximum", "first_time", "mean", "at_first"}; }
inline Words words_of_all(ShapeType) {
  return {"sphere", "capsule", "box", "cylinder", "polygon", "hull", "half_space"};
}
inline Words words_of_all(MeshForm) { return {"hull", "surface"}; }
inline Words words_of_all(JointType) { return {"ball", "revolute", "prismatic", "fixed", "distance"}; }
inline Words words_of_all(Distribution::Kind) { return {"uniform", "log_uniform", "normal", "integer", "choice"}; }

/// All words, in the order of the values.
template <class Enum>
Words words() {
  return words_of_all(Enum());
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
