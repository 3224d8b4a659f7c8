#pragma once
// A banded matrix of square blocks: its factors, and the solution of its systems. Loops within a block have constant
// bounds.
#include <cmath>

#include "core/math/six.hpp"
#include "core/math/unrolled.hpp"

namespace jostle {

namespace detail {

/// a . x, of N numbers.
template <int N, class Numbers>
JOSTLE_HD double dot_of(const Numbers& a, const Numbers& x) {
  static_assert(N == 3 || N == 6);
  if constexpr (N == 3) {
    return std::fma(a[2], x[2], std::fma(a[1], x[1], a[0] * x[0]));
  } else {
    return dot(six(a), six(x));
  }
}

/// row -= y block, a block of N x N numbers.
template <class Numbers>
JOSTLE_HD void subtract_product(const double (&y)[6], const Numbers& block, const Numbers& row) {
  Six sum = six(row);
  for (int i = 0; i < 6; ++i) sum = fused(-y[i], six(block.from(6 * i)), sum);
  store(sum, row);
}
template <class Numbers>
JOSTLE_HD void subtract_product(const double (&y)[3], const Numbers& block, const Numbers& row) {
  for (int j = 0; j < 3; ++j)
    row[j] = std::fma(-y[2], block[6 + j], std::fma(-y[1], block[3 + j], std::fma(-y[0], block[j], row[j])));
}

/// LU in place of N x N numbers, the inverse pivots on the diagonal.
template <int N>
JOSTLE_HD void factorise_square(const auto& a) {
  unrolled<N>([&](auto pivot) {
    constexpr int k = decltype(pivot)::value;
    const double inverse = a[N * k + k] = 1 / a[N * k + k];
    unrolled<N - 1 - k>([&](auto below) {
      constexpr int i = k + 1 + decltype(below)::value;
      const double factor = a[N * i + k] *= inverse;
      unrolled<N - 1 - k>([&](auto right) {
        constexpr int j = k + 1 + decltype(right)::value;
        a[N * i + j] = std::fma(-factor, a[N * k + j], a[N * i + j]);
      });
    });
  });
}

/// y = row LU^-1.
template <int N>
JOSTLE_HD void divide_by_square(const auto& row, const auto& lu, double (&y)[N]) {
  for (int j = 0; j < N; ++j) y[j] = row[j];
  for (int j = 0; j < N; ++j) {
    y[j] *= lu[N * j + j];
    for (int i = j + 1; i < N; ++i) y[i] = std::fma(-y[j], lu[N * j + i], y[i]);
  }
  for (int j = N - 1; j > 0; --j)
    for (int i = 0; i < j; ++i) y[i] = std::fma(-y[j], lu[N * j + i], y[i]);
}

/// x = LU^-1 x.
template <int N>
JOSTLE_HD void solve_square(const auto& lu, auto&& x) {
  double y[N];
  unrolled<N>([&](auto row) {
    constexpr int i = decltype(row)::value;
    y[i] = x[i];
    unrolled<i>([&](auto j) { y[i] = std::fma(-lu[N * i + j], y[j], y[i]); });
  });
  unrolled<N>([&](auto from_last) {
    constexpr int i = N - 1 - decltype(from_last)::value;
    unrolled<N - 1 - i>([&](auto right) {
      constexpr int j = i + 1 + decltype(right)::value;
      y[i] = std::fma(-lu[N * i + j], y[j], y[i]);
    });
    y[i] *= lu[N * i + i];
    x[i] = y[i];
  });
}

}  // namespace detail

/// The entries of a block are contiguous, row by row; so are the blocks of a row. A Form has
///
///     size                    rows of a block, 3 or 6
///     blocks()                of the matrix, along each side
///     band(i)                 MatrixBand of block row i; the pattern is symmetric, and neither end moves back with i
///     write_rows(i, r, to)    writes rows r, r + 1 and r + 2 of the block to(j) = (i, j) for every j of band i
template <class Numbers, class Form>
class BlockMatrix {
  static constexpr int N = Form::size;

 public:
  JOSTLE_HD BlockMatrix(Numbers numbers, const Form& form) : numbers_(numbers), form_(form), blocks_(form.blocks()) {}

  /// Ends synced.
  template <class Team>
  JOSTLE_HD void write(const Team& team) const {
    constexpr int parts = N / 3;
    team.for_each(parts * blocks_, [&](int part) {
      const int i = part / parts;
      form_.write_rows(i, 3 * (part % parts), [&](int j) { return block(i, j); });
    });
    team.sync();
  }

  /// With D_k the diagonal blocks that are left: A_ik becomes Y_ik = A_ik D_k^-1 for i > k, A_kk the factors of D_k,
  /// A_kj stays for j > k. There are no exchanges: the caller knows that none are needed, or checks what comes of it.
  /// Ends synced.
  template <class Team>
  JOSTLE_HD void factorise(const Team& team) const {
    for (int k = 0; k < blocks_; ++k) {
      team.once([&] { detail::factorise_square<N>(block(k, k)); });
      team.sync();
      const int last = form_.band(k).last;
      team.for_each(N * (last - k), [&](int below) {
        const int i = k + 1 + below / N, r = below % N;
        double y[N];
        const Numbers own = block(i, k).from(N * r);
        detail::divide_by_square(own, block(k, k), y);
        for (int c = 0; c < N; ++c) own[c] = y[c];
        for (int j = k + 1; j <= last; ++j) detail::subtract_product(y, block(k, j), block(i, j).from(N * r));
      });
      team.sync();
    }
  }

  /// x = A^-1 x with the factors. Begins and ends synced.
  template <class Team>
  JOSTLE_HD void solve(const Team& team, Numbers x) const {
    for (int k = 0; k + 1 < blocks_; ++k) {
      team.for_each(N * (form_.band(k).last - k), [&](int below) {
        const int i = k + 1 + below / N, r = below % N;
        x[N * i + r] -= detail::dot_of<N>(block(i, k).from(N * r), x.from(N * k));
      });
      team.sync();
    }
    for (int k = blocks_ - 1; k >= 0; --k) {
      const int last = form_.band(k).last;
      if (last > k) {
        team.for_each(N, [&](int r) {
          double sum = x[N * k + r];
          for (int j = k + 1; j <= last; ++j) sum -= detail::dot_of<N>(block(k, j).from(N * r), x.from(N * j));
          x[N * k + r] = sum;
        });
        team.sync();
      }
      team.once([&] { detail::solve_square<N>(block(k, k), x.from(N * k)); });
      team.sync();
    }
  }

 private:
  JOSTLE_HD Numbers block(int i, int j) const { return numbers_.from(N * N * (i * blocks_ + j)); }

  Numbers numbers_;
  const Form& form_;
  int blocks_;
};

}  // namespace jostle
