#pragma once
// The keys of `contacts`.
#include "scenarios/format/map_format.hpp"
#include "scenarios/model/contact_rule.hpp"

namespace jostle {

template <>
inline constexpr MapFormat format_of<ContactRule>{"contact", "contacts[i]"};
template <Is<ContactRule> Spec>
void visit_keys(Spec& rule, auto&& visit) {
  visit(rule.between, Key("between", "[a, b] beats [a, any] beats any").required());
  visit(rule.contact, Key("contact", "false: the two never touch").only_if(!rule.contact));
  visit(rule.friction, Key("friction", "Coulomb's coefficient, 0 or more").not_negative().only_if(rule.contact));
  visit(rule.across, Key("across", "another coefficient across an axis; `friction` is that along it")
                         .only_if(rule.across.given)
                         .no_default());
  visit(rule.spin_friction,
        Key("spin_friction", "radius r: a moment of at most friction r c_n resists a spin about the normal")
            .in("m")
            .not_negative()
            .only_if(rule.contact && !is_zero(rule.spin_friction)));
  visit(rule.rolling_friction, Key("rolling_friction", "radius r: a moment of at most r c_n resists rolling")
                                   .in("m")
                                   .not_negative()
                                   .only_if(rule.contact && !is_zero(rule.rolling_friction)));
  visit(rule.adhesion, Key("adhesion", "largest pull of each contact point while it touches")
                           .in("N")
                           .not_negative()
                           .only_if(rule.contact && !is_zero(rule.adhesion)));
  visit(rule.restitution,
        Key("restitution", "0 to 1; above 0 needs a method with impacts").fraction().only_if(rule.contact));
  visit(
      rule.tangential_restitution,
      Key("tangential_restitution", "of friction, 0 to 1; above 0 needs a method with impacts whose law is not newton")
          .fraction()
          .only_if(rule.contact && !is_zero(rule.tangential_restitution)));
}

template <>
inline constexpr MapFormat format_of<AcrossSpec>{"across", "contacts[i].across"};
template <Is<AcrossSpec> Spec>
void visit_keys(Spec& across, auto&& visit) {
  visit(across.friction, Key("friction", "Coulomb's coefficient across the axis, 0 or more").required().not_negative());
  visit(across.axis, Key("axis", "in the axes of the body; need not have unit length").required().judged_whole());
  visit(across.of,
        Key("of", "the body that the axis turns with, one of the two; or the name of its copies").required());
}

}  // namespace jostle
