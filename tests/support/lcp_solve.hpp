#pragma once
// Solves one LCP with memory of its own, by one thread or by an emulated team, and keeps everything it gives.
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "core/lcp/certificate.hpp"
#include "core/lcp/equilibration.hpp"
#include "core/lcp/lemke.hpp"
#include "emulation/emulated_team.hpp"

namespace jostle {

struct LcpProblem {
  int n = 0;
  std::vector<double> M;  ///< n x n, row-major
  std::vector<double> q;  ///< n

  LcpView view() const { return {n, n, M.data(), q.data()}; }
};

/// Finite data of which a few pivots make infinities.
inline LcpProblem overflowing_problem(std::mt19937& random, int n) {
  const bool huge = random() % 2 != 0;
  const double large = huge ? 1.7e308 : 1e305, other = huge ? 1 : 1e300;
  const double entries[] = {0, 1, -1, large, -large, other, -other};
  const double vector[] = {-1, -2, -3, -0.5, 1};
  LcpProblem problem{n, std::vector<double>(n * n), std::vector<double>(n)};
  for (double& m : problem.M) m = entries[random() % 7];
  for (double& q : problem.q) q = vector[random() % 5];
  for (int i = 0; i < n; ++i) problem.M[i * n + i] = 1;
  return problem;
}

struct LcpAnswer {
  LcpResult result{LcpStatus::not_finite, -1, -1};
  std::vector<double> z, w;
  std::vector<std::uint8_t> basis;
};

/// NaN-filled memory, so that nothing is read before it is written.
struct LcpMemory {
  explicit LcpMemory(int size)
      : n(size),
        cells(LemkeWorkspace::sizes(size).cells, canonical_nan()),
        vectors(LemkeWorkspace::sizes(size).vectors, canonical_nan()),
        ints(LemkeWorkspace::sizes(size).ints, -77),
        scale(size, canonical_nan()) {
    answer.z.assign(size, canonical_nan());
    answer.w.assign(size, canonical_nan());
    answer.basis.assign(size, 7);
  }
  LemkeWorkspace workspace() { return LemkeWorkspace::carve(n, cells.data(), vectors.data(), ints.data()); }

  int n;
  std::vector<double> cells, vectors;
  std::vector<int> ints;
  std::vector<double> scale;
  LcpAnswer answer;
};

/// Equilibrates (unless a scale is given), solves and certifies in equilibrated units.
template <class Team>
LcpResult solve_with(const Team& team, const LcpProblem& problem, LcpMemory& memory, const LemkeOptions& options,
                     const std::uint8_t* start_basis, const std::vector<double>& given_scale) {
  const LcpView lcp = problem.view();
  const double* scale = given_scale.empty() ? memory.scale.data() : given_scale.data();
  if (given_scale.empty()) equilibrate(team, lcp, memory.scale.data());
  LcpAnswer& answer = memory.answer;
  const auto certify = [&] { return certify_equilibrated(team, lcp, scale, answer.z.data(), answer.w.data()); };
  return solve_lcp(team, lcp, scale, memory.workspace(), options, answer.z.data(), certify, start_basis,
                   answer.basis.data());
}

inline LcpAnswer solve_serially(const LcpProblem& problem, const LemkeOptions& options = {},
                                const std::uint8_t* start_basis = nullptr, const std::vector<double>& scale = {}) {
  LcpMemory memory(problem.n);
  memory.answer.result = solve_with(SerialTeam{}, problem, memory, options, start_basis, scale);
  return memory.answer;
}

/// Throws std::logic_error if the lanes return different results.
inline LcpAnswer solve_by_lanes(int lanes, unsigned seed, const LcpProblem& problem, const LemkeOptions& options = {},
                                const std::uint8_t* start_basis = nullptr, const std::vector<double>& scale = {}) {
  LcpMemory memory(problem.n);
  const auto results = run_on_emulated_team(lanes, seed, [&](const EmulatedTeam& team) {
    return solve_with(team, problem, memory, options, start_basis, scale);
  });
  memory.answer.result = results[0];
  for (const LcpResult& result : results) {
    const bool same = result.status == results[0].status && result.pivots == results[0].pivots &&
                      bits_of(result.residual) == bits_of(results[0].residual);
    if (!same) throw std::logic_error("the lanes of a team know different results");
  }
  return memory.answer;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// Status, pivots, residual, basis and every bit of z.
inline bool same_answer(const LcpAnswer& a, const LcpAnswer& b) {
  return a.result.status == b.result.status && a.result.pivots == b.result.pivots &&
         bits_of(a.result.residual) == bits_of(b.result.residual) && a.basis == b.basis && same_bits(a.z, b.z);
}

}  // namespace jostle
