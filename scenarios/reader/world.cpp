// `world` and `sample`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

/// duration / step, which must be a whole number up to 1e-9, or up to the rounding of the quotient if that is more:
/// step, duration and their quotient are each off by up to half a unit in the last place.
std::int64_t read_steps(const SourceNames& sources, const MapReader& world, double step, double duration) {
  const Location& where = world.at("duration").where;
  const double steps = duration / step;
  if (!(steps <= most_steps)) sources.fail(where, fmt::format("world.duration is more than {} steps", most_steps));
  const double tolerance = std::max(1e-9, 4 * std::numeric_limits<double>::epsilon() * steps);
  if (std::fabs(steps - std::round(steps)) > tolerance || std::round(steps) < 1) {
    char text[32];
    int decimals = 6;  // or more, until they show that it is not whole
    do std::snprintf(text, sizeof text, "%.*f", decimals++, steps);
    while (decimals <= 17 && std::strtod(text, nullptr) == std::round(steps));
    const double below = std::max(std::floor(steps), 1.0);
    char proposal[96];
    std::snprintf(proposal, sizeof proposal, "; %.0f steps take %.12g s, %.0f take %.12g s", below, below * step,
                  below + 1, (below + 1) * step);
    sources.fail(where, std::string("world.duration must be a whole number of steps, not ") + text + proposal);
  }
  return static_cast<std::int64_t>(std::round(steps));
}

/// Of two keys that say the same, exactly one must be there: whether it is the second.
bool is_second_given(const SourceNames& sources, const MapReader& map, std::string_view first,
                     std::string_view second) {
  const Node* const other = map.find(second);
  if (!other) map.at(first);
  if (other && map.find(first))
    sources.fail(other->where, map.path() + " has both " + std::string(first) + " and " + std::string(second));
  return other != nullptr;
}

}  // namespace

void check_read(const Reading& reading, const MapReader& map, ImpactSpec& impact) {
  if (!facts_of(reading.scenario.world.method).has_stages) return;
  if (map.find("law") && impact.law != ImpactLaw::newton)
    map.fail("law", " must be newton with world.method: loetstedt");
  impact.law = ImpactLaw::newton;
}

void check_read(const Reading& reading, const MapReader& map, WorldSpec& world) {
  if (is_second_given(reading.sources, map, "step", "rate")) world.step = 1 / world.rate;
  if (!std::isfinite(world.step)) map.fail("rate", " is so small that a step has no end");
  if (is_second_given(reading.sources, map, "duration", "steps")) {
    world.duration = static_cast<double>(world.steps) * world.step;
    if (!std::isfinite(world.duration)) map.fail("steps", " are so long that they have no end");
  } else
    world.steps = read_steps(reading.sources, map, world.step, world.duration);
  for (const std::string_view key : {"stabilisation", "impact", "events"})
    if (map.find(key) && !facts_of(world.method).has_impacts) map.fail(key, " " + needs_impacts(reading.scenario));
  if (facts_of(world.method).has_stages) {
    for (const std::string_view key : {"linearisation", "gyroscopic", "friction_cone", "friction_directions"})
      if (map.find(key)) map.fail(key, " has no meaning with world.method: loetstedt");
    world.impact.law = ImpactLaw::newton;
  }
  if (world.linearisation == Linearisation::fixed_point && facts_of(world.method).end_weight < 1)
    map.fail("linearisation", ": fixed_point needs the world.method stewart_trinkle, " +
                                  std::string(name_of(world.method)) + " has no such iteration");
  if (const Node* events = map.find("events"); events && !facts_of(world.method).is_implicit) {
    for (const Node::Entry& entry : read_map(reading.sources, *events, map.path("events")))
      if (entry.key == "transitions")
        reading.sources.fail(entry.value.where, map.path("events.transitions") +
                                                    " needs the world.method trapezoidal or "
                                                    "trapezoidal_midpoint, " +
                                                    name_of(world.method) + " has none");
  }
  if (const Node* stiffness = map.find("geometric_stiffness")) world.geometric_stiffness_where = stiffness->where;
  if (const Node* directions = map.find("friction_directions")) world.friction_directions_where = directions->where;
}

}  // namespace jostle
