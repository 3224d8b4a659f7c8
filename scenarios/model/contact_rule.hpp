#pragma once
// The rules of contacts, and the pairs of bodies that they leave.
#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/model/number.hpp"

namespace jostle {

/// The bodies that a rule applies to.
struct Between {
  std::string first, second;  ///< names or "any"
  bool any_pair = false;      ///< `between: any`
};

/// Friction across an axis that is fixed in a body.
struct AcrossSpec {
  bool given = false;
  Number friction;
  Number axis[3];  ///< in the body
  std::string of;  ///< its name, or that of its copies
  Location where;
};

struct ContactRule {
  Between between;
  bool contact = true;
  Number friction;  ///< along the axis, if there is one
  AcrossSpec across;
  Number spin_friction;     ///< m
  Number rolling_friction;  ///< m
  Number adhesion;          ///< N
  Number restitution, tangential_restitution;
  Location where;
};

/// Which bodies may touch, and by which rule. Both have shapes, impulses move one of them, and no rule keeps them
/// apart.
class BodyPairs {
 public:
  BodyPairs() = default;
  explicit BodyPairs(std::size_t bodies) : bodies_(bodies), rules_(bodies * bodies, -1) {}

  void set(int a, int b, int rule) { rules_[at(a, b)] = rules_[at(b, a)] = rule; }
  /// Index into Scenario::contacts; -1 if the two never touch.
  int rule(int a, int b) const { return rules_[at(a, b)]; }
  bool may_touch(int a, int b) const { return rule(a, b) >= 0; }

 private:
  std::size_t at(int a, int b) const { return static_cast<std::size_t>(a) * bodies_ + static_cast<std::size_t>(b); }

  std::size_t bodies_ = 0;
  std::vector<int> rules_;
};

}  // namespace jostle
