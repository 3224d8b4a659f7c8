#include "scenarios/parameters/must_be_zero.hpp"

#include "scenarios/format/words.hpp"

namespace jostle {

std::vector<MustBeZero> must_be_zero(const Scenario& scenario, const ContactRule& rule) {
  std::vector<MustBeZero> numbers;
  const MethodFacts method = facts_of(scenario.world.method);
  if (method.has_stages) {
    const std::string reason = "must be 0 with world.method: loetstedt, whose contacts have no friction";
    numbers = {{"friction", &rule.friction, reason},
               {"spin_friction", &rule.spin_friction, reason},
               {"rolling_friction", &rule.rolling_friction, reason},
               {"tangential_restitution", &rule.tangential_restitution, reason}};
  } else if (scenario.world.impact.law == ImpactLaw::newton) {
    numbers.push_back({"tangential_restitution", &rule.tangential_restitution,
                       "above 0 needs world.impact.law: poisson or simplified, newton has none"});
  }
  if (scenario.world.friction_cone == FrictionCone::circle) {
    const std::string reason = "above 0 needs world.friction_cone: polygon";
    numbers.push_back({"spin_friction", &rule.spin_friction, reason});
    numbers.push_back({"rolling_friction", &rule.rolling_friction, reason});
  }
  if (!method.has_impacts) {
    const std::string reason = "above 0 " + needs_impacts(scenario);
    numbers.push_back({"restitution", &rule.restitution, reason});
    numbers.push_back({"tangential_restitution", &rule.tangential_restitution, reason});
  }
  return numbers;
}

std::vector<MustBeZero> must_be_zero(const Scenario& scenario, const JointSpec& joint) {
  if (facts_of(scenario.world.method).has_impacts) return {};
  return {{"restitution", &joint.restitution, "above 0 " + needs_impacts(scenario)}};
}

std::string needs_impacts(const Scenario& scenario) {
  std::string methods;
  for (const std::string_view name : words<Method>())
    if (facts_of(method_named(name)).has_impacts) methods += (methods.empty() ? "" : ", ") + std::string(name);
  return "needs a world.method with impacts (" + methods + "), " + name_of(scenario.world.method) + " has none";
}

}  // namespace jostle
