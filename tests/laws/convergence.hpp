#pragma once
// The order of a method, measured.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {

inline std::string loetstedt(const std::string& more = "") {
  return "method: loetstedt" + (more.empty() ? "" : ", " + more);
}

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Positions and velocities of all bodies at the end.
inline std::vector<double> final_state(Simulation simulation) {
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  const StateView s = simulation.state();
  const std::size_t numbers = 3 * simulation.ensemble().scenario().bodies.size();
  std::vector<double> all;
  for (const double* field : {s.position, s.velocity, s.spin}) all.insert(all.end(), field, field + numbers);
  return all;
}

/// |x(h) - x(h/2)| / |x(h/2) - x(h/4)| for halved steps: 16 for a method of order 4.
template <class MakeScenario>
std::vector<double> ratios(double h, int count, MakeScenario make) {
  std::vector<std::vector<double>> ends;
  for (int i = 0; i < count + 2; ++i) ends.push_back(final_state(Simulation(make(h / (1 << i)))));
  std::vector<double> found;
  for (std::size_t i = 0; i + 2 < ends.size(); ++i)
    found.push_back(distance(ends[i], ends[i + 1]) / distance(ends[i + 1], ends[i + 2]));
  return found;
}

inline void expect_order_four(const std::vector<double>& found, double tolerance) {
  for (const double ratio : found) EXPECT_NEAR(ratio, 16, tolerance);
}

}  // namespace jostle
