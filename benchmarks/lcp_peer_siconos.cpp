#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include "benchmarks/lcp_peer.hpp"

namespace jostle {
namespace {

class Siconos final : public LcpPeer {
 public:
  Siconos() : options_(solver_options_create(SICONOS_LCP_LEMKE)) {}
  Siconos(const Siconos&) = delete;
  Siconos& operator=(const Siconos&) = delete;
  ~Siconos() override {
    if (matrix_) NM_free_not_dense(matrix_);
    solver_options_delete(options_);
  }

  void set_problem(int n, const std::vector<double>& M, const std::vector<double>& q) override {
    if (matrix_) NM_free_not_dense(matrix_);
    column_major_.resize(M.size());
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) column_major_[j * n + i] = M[i * n + j];
    }
    q_ = q;
    z_.assign(n, 0);
    w_.assign(n, 0);
    matrix_ = NM_create_from_data(NM_DENSE, n, n, column_major_.data());
    problem_ = {n, matrix_, q_.data()};
  }

  void solve() override {
    int info = 0;
    lcp_lexicolemke(&problem_, z_.data(), w_.data(), &info, options_);
  }

  const std::vector<double>& z() const override { return z_; }

 private:
  SolverOptions* options_;
  NumericsMatrix* matrix_ = nullptr;
  LinearComplementarityProblem problem_{};
  std::vector<double> column_major_, q_, z_, w_;
};

}  // namespace

std::unique_ptr<LcpPeer> LcpPeer::find() { return std::make_unique<Siconos>(); }
const char* LcpPeer::name() { return "Siconos lcp_lexicolemke, as the distribution ships it (an SSE2 build)"; }

}  // namespace jostle
