#pragma once
// The keys of `outcomes` and `record`.
#include <limits>

#include "scenarios/format/map_format.hpp"
#include "scenarios/model/outcome_spec.hpp"
#include "scenarios/model/sample_spec.hpp"

namespace jostle {

template <>
inline constexpr MapFormat format_of<OutcomeSpec>{"outcome", "outcomes.NAME"};
template <Is<OutcomeSpec> Spec>
void visit_keys(Spec& outcome, auto&& visit) {
  using enum Reducer;
  visit(Alternative{outcome.reducer, at_end, outcome.expression}, Key("at_end", "value after the last step").one_of());
  visit(Alternative{outcome.reducer, minimum, outcome.expression},
        Key("minimum", "least value, initial state included").one_of());
  visit(Alternative{outcome.reducer, maximum, outcome.expression},
        Key("maximum", "largest value, initial state included").one_of());
  visit(Alternative{outcome.reducer, first_time, outcome.expression},
        Key("first_time", "end of the first step in which it holds, s").one_of());
  visit(Alternative{outcome.reducer, mean, outcome.expression},
        Key("mean", "mean over all states, initial state included").one_of());
  visit(Alternative{outcome.reducer, at_first, outcome.at_first},
        Key("at_first", "a value after the first step in which something holds, or at the start").one_of());
  visit(outcome.category, Key("category", "conditions after the last step of which exactly one holds, by their names")
                              .one_of()
                              .only_if(false));
  visit(outcome.shares, Key("shares", "of the categories, to test against; a sum of 1").only_if(false).no_default());
  visit(outcome.during, Key("while", "only states in which it holds count; not for `at_end` and `at_first`")
                            .only_if(!outcome.during.code.empty())
                            .no_default());
  visit(outcome.label, Key("label", "what pages call it; not of a category").outside_identity().default_is("its name"));
  visit(outcome.unit, Key("unit", "that pages show; of numbers").outside_identity());
}

template <>
inline constexpr MapFormat format_of<AtFirstSpec>{"at_first", "outcomes.NAME.at_first"};
template <Is<AtFirstSpec> Spec>
void visit_keys(Spec& first, auto&& visit) {
  visit(first.when, Key("when", "a condition").required());
  visit(first.value, Key("value", "the value that is taken then").required());
}

template <>
inline constexpr MapFormat format_of<RecordSpec>{"record", "record"};
template <Is<RecordSpec> Spec>
void visit_keys(Spec& record, auto&& visit) {
  visit(record.trajectories,
        Key("trajectories", "which samples: 0 .. N-1, all, those that failed, or your own choice"));
  visit(record.samples, Key("samples", "the same as `trajectories`").only_if(false).no_default());
  visit(record.stride,
        Key("stride", "steps from one recorded state to the next").to(std::numeric_limits<std::int32_t>::max()));
  visit(record.every, Key("every", "time from one recorded state to the next, in place of `stride`")
                          .in("s")
                          .positive()
                          .only_if(false)
                          .no_default());
  visit(record.last, Key("last", "whether the last state is recorded if `stride` leaves it out").only_if(!record.last));
  visit(record.contacts,
        Key("contacts", "contacts, impulses and parameters of these samples").only_if(record.contacts));
  visit(record.quantities,
        Key("quantities", "expressions that are also stored for these samples, named by their text"));
  visit(record.dtype, Key("dtype", "of the numbers in records").only_if(record.dtype != RecordType::f8));
  visit(record.lcp, Key("lcp", "complementarity problems, with their answers").only_if(record.lcp.every > 0));
}

template <>
inline constexpr MapFormat format_of<RecordedLcps>{"recorded_lcps", "record.lcp"};
template <Is<RecordedLcps> Spec>
void visit_keys(Spec& lcp, auto&& visit) {
  visit(lcp.every, Key("every", "records the LCPs of steps whose number is a multiple of this")
                       .to(std::numeric_limits<std::int32_t>::max())
                       .required());
}

template <>
inline constexpr MapFormat format_of<RecordedWhere>{"record_where", "record.trajectories"};
template <Is<RecordedWhere> Spec>
void visit_keys(Spec& where, auto&& visit) {
  visit(where.condition,
        Key("where", "condition on outcomes, variables and `status`, such as `jam and $mu < 0.4`").required());
  visit(where.first,
        Key("first", "only the first so many samples for which it holds").only_if(where.first > 0).default_is("all"));
}

}  // namespace jostle
