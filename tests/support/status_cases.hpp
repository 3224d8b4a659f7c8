#pragma once
// Systems that end with every status, beside healthy ones.
#include <functional>
#include <ostream>
#include <string>

#include "core/model/model.hpp"
#include "core/status.hpp"

namespace jostle {

/// A ball bounces about in every sample. What `thing` does depends on $bad, which is 0 or 1.
struct StatusCase {
  const char* name;
  Status status;
  int good_steps;          ///< of a bad system
  const char* thing;       ///< the bodies besides floor and ball
  const char* more = "";   ///< further lines of the scenario
  const char* world = "";  ///< further lines of its world
  std::function<void(Model&)> change = [](Model&) {};
  int first_contacts = 0;  ///< RunOptions
};

inline void PrintTo(const StatusCase& test, std::ostream* out) { *out << test.name; }

inline constexpr const char* flying_thing = R"(
  thing: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1]})";

inline constexpr const char* sliding_box = R"(
  thing:
    mass: 1
    shape: {box: {size: [0.2, 0.3, 0.1]}}
    position: [3, 0, 4.05 - 4*$bad]
    velocity: [1, 0.3, 0])";

// Cancellation where a tonne falls on 1 kg costs the certificate digits that it keeps with the ball.
inline constexpr const char* truck_on_a_ball = R"(
  low: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [3, 0, 0.1 + 3*(1 - $bad)]}
  thing:
    mass: 1e3
    shape: {box: {size: [1, 1, 0.1]}}
    position: [3, 0, 0.25 + 8*(1 - $bad)]
    velocity: [1, 0.3, -1])";

inline const StatusCase status_cases[] = {
    {"Ray", Status::ray, 0, sliding_box, "", "",
     [](Model& model) { model.solver = Solver::lemke, model.lemke.attempts = 1, model.lemke.slope_tolerance = 0.99; }},
    {"PivotLimit", Status::pivot_limit, 0, sliding_box, "", "",
     [](Model& model) { model.solver = Solver::lemke, model.lemke.max_pivots = 3; }},
    {"Uncertified", Status::uncertified, 0, truck_on_a_ball, "", "",
     [](Model& model) { model.lemke.certificate_tolerance = 1e-14, model.multipliers = Multipliers::vertex; }},
    {"Capacity", Status::capacity, 1, R"(
  thing: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [3, 0, 4.052 - 4*$bad]}
  other: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [4, 0, 4.052 - 4*$bad]})",
     "", "", [](Model& model) { model.set_directions(2048), model.total_steps = 4; }, 1},
    {"ForceIsNotANumber", Status::not_finite, 5, flying_thing,
     "forces: [{body: thing, force: [0, sqrt(0.051 - t*$bad), 0]}]"},
    {"ForceOverflows", Status::not_finite, 8, flying_thing,
     "forces: [{body: thing, force: [exp(10000*(t - 0.0051)*$bad), 0, 0]}]"},
    {"ForceOverflowsAmongFixedPoints", Status::not_finite, 8, flying_thing,
     "forces: [{body: thing, force: [exp(10000*(t - 0.0051)*$bad), 0, 0]}]", "linearisation: fixed_point"},
    {"TurnOverflows", Status::not_finite, 0, R"(
  thing: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1], spin: [1e200*$bad, 0, 0]})"},
    {"NotConverged", Status::not_converged, 6, R"(
  thing:
    mass: 1
    shape: {capsule: {length: 0.2, radius: 0.01, axis: x}}
    position: [3, 0, 10.3 - 10*$bad]
    velocity: [0, 0, -5]
    spin: [0, 600, 0])",
     "", "linearisation: fixed_point"},
    {"EnergyGrowth", Status::energy_growth, 4, R"(
  thing: {mass: 1, inertia: [1e-3, 2e-3, 3e-3], shape: {sphere: {radius: 0.1}}, position: [0, 0, 1], spin: [60*$bad, 60*$bad, 60*$bad]})",
     "", "gyroscopic: explicit"},
    {"TooFast", Status::too_fast, 6, R"(
  wall: {fixed: true, shape: {box: {size: [1, 1, 0.2]}}, position: [5, 0, 0.5]}
  thing: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1]})",
     "forces: [{body: thing, force: ['2e12*max(0, t - 0.055)*$bad', 0, 0]}]"},
    {"Overlap", Status::overlap, 0, R"(
  thing: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [3, 0, 1 - 0.95*$bad]})"},
    {"NegativeMass", Status::bad_parameters, 0, R"(
  thing: {mass: 1 - 2*$bad, shape: {sphere: {radius: 0.1}}, position: [3, 0, 1]})"},
    {"InfiniteMass", Status::bad_parameters, 0, R"(
  thing: {mass: 1/(1 - $bad), shape: {sphere: {radius: 0.1}}, position: [3, 0, 1]})"},
    {"NegativeRadius", Status::bad_parameters, 0, R"(
  thing: {mass: 1, inertia: 1, shape: {sphere: {radius: 0.1*(1 - 2*$bad)}}, position: [3, 0, 1]})"},
};

inline std::string scenario_text(const StatusCase& test) {
  return std::string(R"(
jostle: 1
variables:
  bad: {choice: {values: [0, 1]}}
  height: {uniform: [0.1, 0.103]}
world:
  step: 0.01
  duration: 0.2
  )") + test.world +
         R"(
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [-3, 0, $height], velocity: [1, 0, 0]})" +
         test.thing + R"(
contacts:
  - {between: any, friction: 0.3}
  - {between: [ball, floor], friction: 0}
  - {between: [ball, thing], contact: false}
outcomes:
  path: {at_end: ball.position.x}
  top: {maximum: thing.position.z}
)" + test.more +
         "\n";
}

}  // namespace jostle
