#pragma once
// The format of scenario files: the only list of the keys of each struct, one line per key, in the headers that this
// one includes. A visitor is called with the member and the key. Readers, canonical text and identity, JSON schema,
// manual, suggestions, --set, and all code that needs every number of a scenario are visitors. check_read()
// (scenarios/reader/members.hpp) has the rules that involve more than one key.
#include "scenarios/format/body_keys.hpp"
#include "scenarios/format/contact_keys.hpp"
#include "scenarios/format/force_keys.hpp"
#include "scenarios/format/joint_keys.hpp"
#include "scenarios/format/outcome_keys.hpp"
#include "scenarios/format/shape_keys.hpp"
#include "scenarios/format/variable_keys.hpp"
#include "scenarios/format/world_keys.hpp"

namespace jostle {

template <>
inline constexpr MapFormat format_of<Scenario>{"scenario", "the file", true};
template <Is<Scenario> Spec>
void visit_keys(Spec& file, auto&& visit) {
  visit(FormatVersion{},
        Key("jostle", "format version").required().or_else("; write 'jostle: 1', the version of the format"));
  visit(file.title, Key("title", "one line for reports"));
  visit(file.units,
        Key("units", "units of the numbers in this file; results are in SI units").only_if(false).default_is("SI"));
  visit(file.variables, Key("variables", "a random or fixed number per sample; `$name` in any expression"));
  visit(file.derived, Key("derived", "named expressions of variables; used as `$name`"));
  visit(file.world, Key("world", "gravity, time and method").required());
  visit(file.bodies, Key("bodies", "the bodies, in the order of all results").required());
  visit(file.contacts, Key("contacts", "a rule for every pair of bodies that may touch"));
  visit(file.joints, Key("joints", "connections between bodies, or to the world"));
  visit(file.springs, Key("springs", "springs and dampers between bodies, or to the world"));
  visit(file.forces, Key("forces", "applied forces, functions of time and of the motion of bodies and joints"));
  visit(file.impulses, Key("impulses", "external impulses, each at its time"));
  visit(file.sample, Key("sample", "how random variables are sampled"));
  visit(file.outcomes, Key("outcomes", "what is evaluated in each sample"));
  visit(file.stop_when, Key("stop_when", "ends a sample at the first step where it holds")
                            .only_if(!file.stop_when.code.empty())
                            .no_default());
  visit(file.record, Key("record", "which samples and what of them are stored"));
}

}  // namespace jostle
