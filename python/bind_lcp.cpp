// jostle._core.solve_lcps
#include <algorithm>

#include "drivers/datasets/record_array.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/lcps.hpp"
#include "python/module.hpp"

namespace jostle::python {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrices = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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

/// Without the GIL; Ctrl-C interrupts.
void solve_all(const std::vector<LcpView>& views, int threads, const TakeLcp& take) {
  Interrupt interrupt;
  {
    const nb::gil_scoped_release release;
    solve_lcps(
        views, threads, [&, left = 0]() mutable { return ++left % 64 == 0 && interrupt.is_set(); }, take);
  }
  interrupt.rethrow();
}

/// A list of (z, w, basis, residual, status, pivots, ray).
nb::list solve(const std::vector<std::tuple<Matrix, Vector>>& problems, int threads) {
  std::vector<LcpView> views;
  for (const auto& [M, q] : problems) {
    const int n = static_cast<int>(q.shape(0));
    views.push_back({n, n, M.data(), q.data()});
  }
  std::vector<DenseLcpSolution> answers(views.size());
  solve_all(views, threads,
            [&](int i, DenseLcpSolution&& answer) { answers[static_cast<std::size_t>(i)] = std::move(answer); });
  nb::list list;
  for (DenseLcpSolution& answer : answers) list.append(tuple_of(std::move(answer)));
  return list;
}

/// The same of k problems of one size, each part as one array.
nb::tuple solve_stack(const Matrices& M, const Matrix& q, int threads) {
  const std::size_t k = q.shape(0), n = q.shape(1), numbers = k * n;
  std::vector<LcpView> views;
  views.reserve(k);
  for (std::size_t i = 0; i < k; ++i)
    views.push_back({static_cast<int>(n), static_cast<int>(n), M.data() + i * n * n, q.data() + i * n});
  RecordArray<double> z(numbers), w(numbers), ray(numbers), residual(k);  // the threads are the first to touch them
  RecordArray<std::uint8_t> basis(numbers), status(k);
  RecordArray<std::int32_t> pivots(k);
  solve_all(views, threads, [&](int problem, const DenseLcpSolution& answer) {
    const auto i = static_cast<std::size_t>(problem);
    const auto put = [&](const auto& values, bool is_known, auto& all) {
      const auto place = all.begin() + static_cast<std::ptrdiff_t>(i * n);
      if (is_known)
        std::ranges::copy(values, place);
      else
        std::fill_n(place, n, canonical_nan());
    };
    const bool is_solved = answer.status == LcpStatus::solved;
    put(answer.z, is_solved, z), put(answer.w, is_solved, w), put(answer.ray, !answer.ray.empty(), ray);
    std::ranges::copy(answer.basis, basis.begin() + static_cast<std::ptrdiff_t>(i * n));
    residual[i] = answer.residual, pivots[i] = answer.pivots;
    status[i] = static_cast<std::uint8_t>(answer.status);
  });
  return nb::make_tuple(new_array(std::move(z), {k, n}), new_array(std::move(w), {k, n}),
                        new_array(std::move(basis), {k, n}), new_array(std::move(residual), {k}),
                        new_array(std::move(status), {k}), new_array(std::move(pivots), {k}),
                        new_array(std::move(ray), {k, n}));
}

}  // namespace

void bind_lcp(nb::module_& module) {
  module.def("solve_lcps", &solve, nb::arg("problems"), nb::arg("threads"),
             "(z, w, basis, residual, status, pivots, ray) of each (M, q); M must be square, with as many rows as q.");
  module.def("solve_stack", &solve_stack, nb::arg("M"), nb::arg("q"), nb::arg("threads"),
             "The same of M (k, n, n) and q (k, n), each part as one array; status: as lcp_status_name has it.");
  module.def("lcp_status_name", [](int status) { return name_of(static_cast<LcpStatus>(status)); });
}

}  // namespace jostle::python
