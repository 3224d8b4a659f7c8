#pragma once
// Motions of bodies that touch whose solution is known.
#include "tests/laws/known_motions.hpp"

namespace jostle::orders {

// A ball on a spring at the height of its centre: (7/5) m x'' = -k x.
inline Motion rolling_on_a_plane() {
  constexpr double x0 = 0.15, r = 0.1;
  const double w = std::sqrt(40 / 1.4);
  return {
      0.02,
      1.2,
      "",
      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 1, shape: {sphere: "
      "{radius: 0.1}}, position: [1.15, 0, 0.1]}\ncontacts: [{between: any, friction: 2}]\nsprings: {s: {between: "
      "[world, ball], at: [[0, 0, 0.1], [1.15, 0, 0.1]], stiffness: 40, rest: 1}}\n",
      [](Simulation& s) { return Seen{s.position("ball", 0)}; },
      [=](double t) { return Seen{1 + x0 * std::cos(w * t) + 0 * r}; }};
}

// A ball on a turntable circles with 2/7 of its speed: x' = (2/7) W x (x - c) with c from the start.
inline Motion rolling_on_a_turntable() {
  constexpr double W = 7, r = 0.1, x0 = 0.4, v0 = 0.3;
  // v + w x (-r z) = W x x at the contact: v_x - w_y r = 0, v_y + w_x r = W x0
  return {0.005,
          1,
          "",
          with_numbers("bodies:\n  table: {prescribed: {spin: [0, 0, 7]}, shape: {half_space: {normal: [0, 0, 1]}}}\n  "
                       "ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0.4, 0, 0.1], velocity: [0, %g, 0], "
                       "spin: [%g, 0, 0]}\ncontacts: [{between: any, friction: 2}]\n",
                       v0, (W * x0 - v0) / r),
          [](Simulation& s) {
            return Seen{s.position("ball", 0), s.position("ball", 1)};
          },
          [](double t) {
            const double R = v0 / 2;  // 2 W/7 = 2
            return Seen{x0 - R + R * std::cos(2 * t), R * std::sin(2 * t)};
          }};
}

inline Motion on_a_dome(double friction) {
  // rolling: a'' = (5/7) g sin a / 1.1; without friction: g sin a / 1.1
  const double share = friction > 0 ? 5.0 / 7 : 1, v = 1.1 * 0.4;
  const std::array<double, 2> start = {0.2, 0.4};
  return {
      friction > 0 ? 0.01 : 0.0025,  // where nothing rolls, the midpoint is of an order above 2 at first
      0.4,
      "",
      with_numbers("bodies:\n  dome: {fixed: true, shape: {sphere: {radius: 1}}}\n  ball: {mass: 1, freedom: [x, z, "
                   "ry], shape: {sphere: {radius: 0.1}}, position: [%g, 0, %g], velocity: [%g, 0, %g], spin: [0, %g, "
                   "0]}\ncontacts: [{between: any, friction: %g}]\n",
                   1.1 * std::sin(0.2), 1.1 * std::cos(0.2), v * std::cos(0.2), -v * std::sin(0.2),
                   friction > 0 ? v / 0.1 : 0, friction),
      [](Simulation& s) { return xz(s, "ball"); },
      solution_of(
          start,
          [=](double, const std::array<double, 2>& a) {
            return std::array<double, 2>{a[1], share * g * std::sin(a[0]) / 1.1};
          },
          [](double, const auto& y) {
            return Seen{1.1 * std::sin(y[0]), 1.1 * std::cos(y[0])};
          }),
      friction > 0 ? 1 : 4};
}

// A spring moves 1 kg against a friction of 2 N, which reverses whenever the speed does, every pi/w.
inline Motion braked(const char* bodies_and_joints, int variant, double z) {
  const double x0 = 0.14, stiffness = 100 - 3 * variant;
  return {0.01,
          0.8,
          "",
          with_numbers(bodies_and_joints, 1 + x0) +
              with_numbers("springs: {s: {between: [world, b], at: [[0, 0, %g], [%g, 0, %g]], stiffness: %g, rest: "
                           "1}}\n",
                           z, 1 + x0, z, stiffness),
          [](Simulation& s) { return Seen{s.position("b", 0)}; },
          [=](double t) { return Seen{1 + braked_oscillation(std::sqrt(stiffness), 2 / stiffness, x0, t)}; }};
}
inline std::vector<Motion> friction_of_contacts() {
  std::vector<Motion> motions;
  for (int i = 0; i < phases; ++i) {
    motions.push_back(
        braked("bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  b: {mass: 1, freedom: [x, "
               "z], shape: {sphere: {radius: 0.1}}, position: [%g, 0, 0.1]}\ncontacts: [{between: any, friction: "
               "0.20387359836901118}]\n",
               i, 0.1));
  }
  return motions;
}
inline std::vector<Motion> friction_of_joints() {
  std::vector<Motion> motions;
  for (int i = 0; i < phases; ++i) {
    motions.push_back(
        braked("bodies: {b: {mass: 1, inertia: 1, position: [%g, 0, 0]}}\njoints: {j: {prismatic: "
               "[world, b], axis: [1, 0, 0], friction: 2}}\n",
               i, 0));
  }
  return motions;
}

// 2 kg on a spring strike what is at 0, with e = .8, several times.
inline std::vector<Motion> striking(const char* bodies_and_more, double radius) {
  constexpr double w = 9, e = 0.8, centre = 0.05;
  std::vector<Motion> motions;
  for (int i = 0; i < phases; ++i) {
    const double x0 = 0.2 + 0.006 * i, x = x0 + radius;
    motions.push_back(
        {0.01, 0.8, floats,
         with_numbers(bodies_and_more, x) +
             with_numbers("springs: {s: {between: [world, b], at: [[-1, 0, 0], [%g, 0, 0]], stiffness: 162, "
                          "rest: %g}}\n",
                          x, 1 + radius + centre),
         [=](Simulation& s) { return Seen{s.position("b", 0) - radius}; },
         [=](double t) { return Seen{bouncing_oscillation(w, centre, e, x0, 0, t)}; }});
  }
  return motions;
}
inline std::vector<Motion> impacts() {
  return striking(
      "bodies:\n  wall: {fixed: true, shape: {half_space: {normal: [1, 0, 0]}}}\n  b: {mass: 2, freedom: [x], shape: "
      "{sphere: {radius: 0.1}}, position: [%g, 0, 0]}\ncontacts: [{between: any, restitution: 0.8}]\n",
      0.1);
}
inline std::vector<Motion> limits() {
  std::vector<Motion> motions;
  for (int i = 0; i < phases; ++i) {
    const double x0 = 0.2 + 0.006 * i;
    motions.push_back(striking("", 0)[i]);
    motions.back().text = with_numbers(
                              "bodies: {b: {mass: 2, inertia: 1, position: [%g, 0, 0]}}\njoints: {j: "
                              "{prismatic: [world, b], axis: [1, 0, 0], limits: [%g, 9], restitution: 0.8}}\n",
                              x0, -x0) +
                          motions.back().text;
  }
  return motions;
}

// A force m g (t/.3)^2 lifts a ball off the floor at .3 s.
inline std::vector<Motion> contact_that_opens() {
  std::vector<Motion> motions;
  for (int i = 0; i < phases; ++i) {
    const double leaves = 0.31 + 0.0023 * i;
    motions.push_back(
        {0.02, 0.6, "",
         with_numbers(
             "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  b: {mass: 2, "
             "freedom: [x, z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: [1, 0, 0]}\ncontacts: "
             "[{between: any}]\nforces: [{body: b, force: [0, 0, \"2*9.81*(t/%g)^2\"]}]\n",
             leaves),
         [](Simulation& s) { return Seen{s.position("b", 2)}; },
         [=](double t) {
           const double T = leaves;
           if (t < T) return Seen{0.1};
           // z'' = g (t^2/T^2 - 1)
           return Seen{0.1 + g * (std::pow(t, 4) / (12 * T * T) - t * t / 2 + 2.0 / 3 * T * t - T * T / 4)};
         }});
  }
  return motions;
}

}  // namespace jostle::orders
