#pragma once
// The keys of `variables` and `derived`, of what stands in place of a number, and of `sample`.
#include <cmath>

#include "scenarios/format/map_format.hpp"

namespace jostle {

/// An entry of `variables`: a distribution, or one number, which is a choice of one value.
template <>
inline constexpr MapFormat format_of<Variable>{"variable", "variables.NAME", true};

/// An entry of `derived`: one number.
template <>
inline constexpr MapFormat format_of<DerivedSpec>{"derived", "derived.NAME", true};
template <Is<DerivedSpec> Spec>
void visit_keys(Spec& derived, auto&& visit) {
  visit(derived.value, Key("value", "an expression of variables and of names before it"));
}

template <>
inline constexpr MapFormat format_of<Distribution>{"distribution", "instead of a number, and variables.NAME"};
template <Is<Distribution> Spec>
void visit_keys(Spec& drawn, auto&& visit) {
  using enum Distribution::Kind;
  visit(Alternative{drawn.kind, uniform, drawn.bounds}, Key("uniform", "[a, b] with a < b").one_of());
  visit(Alternative{drawn.kind, log_uniform, drawn.bounds}, Key("log_uniform", "[a, b] with 0 < a < b").one_of());
  visit(Alternative{drawn.kind, normal, drawn.bounds}, Key("normal", "[mean, deviation], deviation above 0").one_of());
  visit(Alternative{drawn.kind, integer, drawn.bounds},
        Key("integer", "[a, b], whole numbers, both included").one_of());
  visit(Alternative{drawn.kind, choice, drawn.choice}, Key("choice", "one of a list").one_of());
  visit(drawn.minimum, Key("min", "truncates `normal` from below").only_if(std::isfinite(drawn.minimum)).no_default());
  visit(drawn.maximum, Key("max", "truncates `normal` from above").only_if(std::isfinite(drawn.maximum)).no_default());
  visit(drawn.label, Key("label", "what pages call it").outside_identity().default_is("its name"));
  visit(drawn.unit, Key("unit", "that pages show; under `variables` only").outside_identity());
}

template <>
inline constexpr MapFormat format_of<Choice>{"choice", "choice"};
template <Is<Choice> Spec>
void visit_keys(Spec& choice, auto&& visit) {
  visit(choice.values, Key("values", "at least one number").required());
  visit(choice.weights, Key("weights", "0 or more, with a sum above 0")
                            .not_negative()
                            .only_if(!choice.weights.empty())
                            .default_is("all equal"));
}

template <>
inline constexpr MapFormat format_of<SampleSpec>{"sample", "sample"};
template <Is<SampleSpec> Spec>
void visit_keys(Spec& sample, auto&& visit) {
  visit(sample.method, Key("method", "how random variables are sampled"));
  const Key count = Key("count", "number of samples; -n overrides it").only_if(sample.count > 0).no_default();
  visit(sample.count, sample.method == SampleMethod::latin_hypercube ? count : count.outside_identity());
  visit(sample.seed, Key("seed", "the same seed gives the same samples; --seed overrides it").outside_identity());
  visit(sample.table,
        Key("table",
            "CSV file whose columns name variables (paths of numbers in place: in SI units); the others are "
            "sampled as by `random`"));
  visit(sample.vary, Key("vary", "variables on a grid; the others are sampled as by `random`"));
  visit(sample.repetitions, Key("repetitions", "samples in each cell of a grid, in place of `count`").only_if(false));
}

template <>
inline constexpr MapFormat format_of<VariedSpec>{"varied", "sample.vary.NAME"};
template <Is<VariedSpec> Spec>
void visit_keys(Spec& varied, auto&& visit) {
  using enum VariedSpec::Kind;
  visit(Alternative{varied.kind, grid, varied.grid},
        Key("grid", "[first, last, number]: values at equal distances, both ends included").one_of());
  visit(Alternative{varied.kind, values, varied.values}, Key("values", "a list of values").one_of());
}

}  // namespace jostle
