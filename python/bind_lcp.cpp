// jostle._core.solve_lcps
#include "drivers/lcps.hpp"
#include "python/module.hpp"

namespace jostle::python {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string name_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved: return "solved";
    case LcpStatus::ray: return "ray";
    case LcpStatus::pivot_limit: return "pivot_limit";
    case LcpStatus::uncertified: return "uncertified";
    case LcpStatus::not_finite: return "not_finite";
  }
  return "unknown";
}

nb::tuple tuple_of(DenseLcpSolution solution) {
  const std::size_t n = solution.z.size();
  if (solution.status != LcpStatus::solved) {
    solution.z.assign(n, canonical_nan());
    solution.w.assign(n, canonical_nan());
  }
  if (solution.ray.empty()) solution.ray.assign(n, canonical_nan());
  return nb::make_tuple(new_array(std::move(solution.z), {n}), new_array(std::move(solution.w), {n}),
                        new_array(std::move(solution.basis), {n}), solution.residual, name_of(solution.status),
                        solution.pivots, new_array(std::move(solution.ray), {n}));
}

/// A list of (z, w, basis, residual, status, pivots, ray).
nb::list solve(const std::vector<std::tuple<Matrix, Vector>>& problems, int threads) {
  std::vector<LcpView> views;
  for (const auto& [M, q] : problems) {
    const int n = static_cast<int>(q.shape(0));
    views.push_back({n, n, M.data(), q.data()});
  }
  Interrupt interrupt;
  std::vector<DenseLcpSolution> answers;
  {
    const nb::gil_scoped_release release;
    answers = solve_lcps(views, threads, [&, left = 0]() mutable { return ++left % 64 == 0 && interrupt.is_set(); });
  }
  interrupt.rethrow();
  nb::list list;
  for (DenseLcpSolution& answer : answers) list.append(tuple_of(std::move(answer)));
  return list;
}

}  // namespace

void bind_lcp(nb::module_& module) {
  module.def("solve_lcps", &solve, nb::arg("problems"), nb::arg("threads"),
             "(z, w, basis, residual, status, pivots, ray) of each (M, q); M must be square, with as many rows as q.");
}

}  // namespace jostle::python
