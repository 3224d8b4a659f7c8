#pragma once
// One number over 3000 LCPs: status, pivots and every bit of z. The problems are built of integers, exactly, so
// that the number depends on the solver alone; whatever compiler, flags or machine must give the same.
#include <cstdint>
#include <random>
#include <vector>

#include "core/lcp/certificate.hpp"
#include "core/lcp/equilibration.hpp"
#include "core/lcp/lemke.hpp"

namespace jostle {

class LcpDigest {
 public:
  std::uint64_t compute() {
    std::mt19937 random(1);
    for (int sample = 0; sample < 3000; ++sample) {
      const int n = 1 + int(random() % 40);
      if (sample % 3 == 0) {
        random_matrix(random, n);
      } else {
        delassus(random, n, sample % 3 == 1 ? 6 : n);
      }
      solve(n);
    }
    return hash_;
  }

 private:
  // J J' of multiples of 1/64 with J of few columns and repeated rows: exact, singular, degenerate.
  void delassus(std::mt19937& random, int n, int freedoms) {
    std::vector<int> J(n * freedoms), v(freedoms);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < freedoms; ++k) {
        J[i * freedoms + k] = i % 3 == 2 ? J[(i - 1) * freedoms + k] : int(random() % 201) - 100;
      }
    }
    for (int& x : v) x = int(random() % 201) - 100;
    M_.assign(n * n, 0);
    q_.assign(n, 0);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < freedoms; ++k) {
        const int* const row = J.data() + i * freedoms;
        q_[i] += double(row[k] * v[k]) / 4096;
        for (int j = 0; j < n; ++j) M_[i * n + j] += double(row[k] * J[j * freedoms + k]) / 4096;
      }
    }
  }

  void random_matrix(std::mt19937& random, int n) {
    M_.resize(n * n);
    q_.resize(n);
    for (double& m : M_) m = double(int(random() % 2001) - 700) / 1024;
    for (double& q : q_) q = double(int(random() % 2001) - 1000) / 1024;
  }

  void solve(int n) {
    const SerialTeam team;
    const LcpView lcp{n, n, M_.data(), q_.data()};
    std::vector<double> cells(LemkeWorkspace::sizes(n).cells), vectors(LemkeWorkspace::sizes(n).vectors), scale(n),
        z(n), w(n);
    std::vector<int> ints(LemkeWorkspace::sizes(n).ints);
    equilibrate(team, lcp, scale.data());
    const auto certify = [&] { return certify_equilibrated(team, lcp, scale.data(), z.data(), w.data()); };
    const LcpResult result =
        solve_lcp(team, lcp, scale.data(), LemkeWorkspace::carve(n, cells.data(), vectors.data(), ints.data()), {},
                  z.data(), certify);
    mix(std::uint64_t(result.status));
    mix(std::uint64_t(result.pivots));
    for (const double x : z) mix(bits_of(x));
  }

  // FNV-1a, byte by byte.
  void mix(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) hash_ = (hash_ ^ (word >> 8 * byte & 0xFF)) * 1099511628211u;
  }

  std::vector<double> M_, q_;
  std::uint64_t hash_ = 14695981039346656037u;
};

}  // namespace jostle
