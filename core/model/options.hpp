#pragma once
// How a system is stepped, as a scenario states it: the same members in a scenario's world, a Model and its view.
#include "core/lcp/lcp.hpp"
#include "core/model/method.hpp"

namespace jostle {

/// How velocities are restored in an impact.
enum class ImpactLaw : std::uint8_t { poisson, newton, simplified };

enum class Linearisation : std::uint8_t { predicted, fixed_point };

/// How the gyroscopic torque enters a step.
enum class Gyroscopic : std::uint8_t { implicitly, explicitly };

/// How an LCP is answered: by the modes of the step before if the certificate accepts them, else by Lemke's method; or
/// always by Lemke's method.
enum class Solver : std::uint8_t { guess_first, lemke };
/// Which answer is taken where redundant contacts allow several: the one of least norm, or the vertex that Lemke's
/// method finds.
enum class Multipliers : std::uint8_t { least_norm, vertex };

/// What bounds the friction impulse of a contact in space: a regular polygon, or Coulomb's circle.
enum class FrictionCone : std::uint8_t { polygon, circle };

/// What divides a step, of methods with impacts.
struct EventOptions {
  bool collisions = true;     ///< contacts that close, with an impact
  bool transitions = true;    ///< linearly implicit methods: see Dimensions::has_transitions
  double active_gap = 1e-10;  ///< m: contacts nearer than this, or than active_gap_h3 h^3, are in the step
  double active_gap_h3 = 0;   ///< m/s^3
  int limit = 10000;          ///< in a step
};

struct StepOptions {
  double step = 0;  ///< h, s
  Method method{};
  Linearisation linearisation = Linearisation::predicted;
  Solver solver = Solver::guess_first;
  Multipliers multipliers = Multipliers::least_norm;
  Gyroscopic gyroscopic = Gyroscopic::implicitly;
  EventOptions events;
  bool geometric_stiffness = true;                     ///< of joints, where a step needs it
  FrictionCone friction_cone = FrictionCone::polygon;  ///< circle: in space, and with a multiple of 4 directions
  bool filter = true;  ///< contacts that others of their pair make redundant are left out of LCPs (contacts/filter.hpp)
  bool every_step = false;  ///< steps that repeat the one before are computed all the same; the results are the same
  LemkeOptions lemke;       ///< limits and tolerances for every LCP
};

}  // namespace jostle
