// jostle._core.solve_lcps
#include <algorithm>

#include "drivers/datasets/record_array.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/lcps.hpp"
#include "drivers/watch.hpp"
#include "python/module.hpp"

namespace jostle::python {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Matrices = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Basis = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bases = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Of what name_of says, behind the statuses of Lemke's method the verdicts of the further search.
std::uint8_t number_of(const DenseLcpSolution& solution) {
  const int last_status = static_cast<int>(LcpStatus::not_finite);
  const int verdict = static_cast<int>(solution.verdict);
  return static_cast<std::uint8_t>(verdict > 0 ? last_status + verdict : static_cast<int>(solution.status));
}

/// [number_of(solution)]
std::vector<std::string> status_names() {
  std::vector<std::string> names;
  DenseLcpSolution solution;
  for (int i = 0; i <= static_cast<int>(LcpStatus::not_finite); ++i)
    solution.status = static_cast<LcpStatus>(i), names.emplace_back(name_of(solution));
  for (const LcpVerdict verdict : {LcpVerdict::infeasible, LcpVerdict::exhausted})
    solution.verdict = verdict, names.emplace_back(name_of(solution));
  return names;
}

Tuple tuple_of(DenseLcpSolution solution) {
  const std::size_t n = solution.z.size();
  if (solution.status != LcpStatus::solved) {
    solution.z.assign(n, canonical_nan());
    solution.w.assign(n, canonical_nan());
  }
  const char* const name = name_of(solution);
  if (solution.ray.empty()) solution.ray.assign(n, canonical_nan());
  if (solution.proof.empty()) solution.proof.assign(n, canonical_nan());
  return nb::make_tuple(new_array(std::move(solution.z), {n}), new_array(std::move(solution.w), {n}),
                        new_array(std::move(solution.basis), {n}), solution.residual, name, solution.pivots,
                        new_array(std::move(solution.ray), {n}), new_array(std::move(solution.proof), {n}),
                        solution.attempts);
}

/// Without the GIL; Ctrl-C interrupts between problems. One of a few rows takes a microsecond.
void solve_all(const std::vector<LcpView>& views, LcpsOptions options, const TakeLcp& take) {
  Interrupt interrupt;
  const std::function<bool()> is_set = [&] { return interrupt.is_set(); };
  Watch watch(is_set);
  const bool are_long = std::ranges::any_of(views, [](const LcpView& view) { return view.n > 32; });
  options.is_stopped = [&] {
    watch.look(are_long);
    return watch.is_stopped();
  };
  {
    const WithoutGil unlocked;
    solve_lcps(views, options, take);
  }
  interrupt.rethrow();
}

/// A list of (z, w, basis, residual, status, pivots, ray, proof, attempts).
List solve(const std::vector<std::tuple<Matrix, Vector, std::optional<Basis>>>& problems, int threads,
           bool exhaustive) {
  std::vector<LcpView> views;
  std::vector<const std::uint8_t*> bases;
  for (const auto& [M, q, basis] : problems) {
    const int n = static_cast<int>(q.shape(0));
    views.push_back({n, n, M.data(), q.data()});
    bases.push_back(basis ? basis->data() : nullptr);
  }
  std::vector<DenseLcpSolution> answers(views.size());
  solve_all(views, {.threads = threads, .search = {.exhaustive = exhaustive}, .start_bases = bases},
            [&](int i, DenseLcpSolution&& answer) { answers[static_cast<std::size_t>(i)] = std::move(answer); });
  nb::list list;
  for (DenseLcpSolution& answer : answers) list.append(tuple_of(std::move(answer)));
  return list;
}

/// The same of k problems of one size, each part as one array. M: one for each, or one for all.
Tuple solve_stack(const Matrices& M, const Matrix& q, const std::optional<Bases>& start, int threads, bool exhaustive) {
  const std::size_t k = q.shape(0), n = q.shape(1), numbers = k * n, pitch = M.shape(0) == 1 ? 0 : n * n;
  std::vector<LcpView> views;
  std::vector<const std::uint8_t*> bases;
  views.reserve(k);
  for (std::size_t i = 0; i < k; ++i) {
    views.push_back({static_cast<int>(n), static_cast<int>(n), M.data() + i * pitch, q.data() + i * n});
    if (start) bases.push_back(start->data() + i * n);
  }
  // The threads are the first to touch them.
  RecordArray<double> z(numbers), w(numbers), ray(numbers), proof(numbers), residual(k);
  RecordArray<std::uint8_t> basis(numbers), status(k);
  RecordArray<std::int32_t> pivots(k), attempts(k);
  const LcpsOptions options{.threads = threads, .search = {.exhaustive = exhaustive}, .start_bases = bases};
  solve_all(views, options, [&](int problem, const DenseLcpSolution& answer) {
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
    put(answer.proof, !answer.proof.empty(), proof);
    std::ranges::copy(answer.basis, basis.begin() + static_cast<std::ptrdiff_t>(i * n));
    residual[i] = answer.residual, pivots[i] = answer.pivots, attempts[i] = answer.attempts;
    status[i] = number_of(answer);
  });
  return nb::make_tuple(
      new_array(std::move(z), {k, n}), new_array(std::move(w), {k, n}), new_array(std::move(basis), {k, n}),
      new_array(std::move(residual), {k}), new_array(std::move(status), {k}), new_array(std::move(pivots), {k}),
      new_array(std::move(ray), {k, n}), new_array(std::move(proof), {k, n}), new_array(std::move(attempts), {k}));
}

}  // namespace

void bind_lcp(nb::module_& module) {
  module.def("solve_lcps", &solve, nb::arg("problems"), nb::arg("threads"), nb::arg("exhaustive"),
             "(z, w, basis, residual, status, pivots, ray, proof, attempts) of each (M, q, basis or None); M must be "
             "square, with as many rows as q.");
  module.def(
      "solve_stack", &solve_stack, nb::arg("M"), nb::arg("q"), nb::arg("basis").none(), nb::arg("threads"),
      nb::arg("exhaustive"),
      "The same of M (k, n, n) or (1, n, n) and q (k, n), each part as one array; status: a place in lcp_statuses.");
  module.def("lcp_statuses", &status_names);
}

}  // namespace jostle::python
