#pragma once
// Owns the working memory of Lemke's method on a CPU.
#include <cstddef>
#include <memory>
#include <vector>

#include "core/lcp/workspace.hpp"

namespace jostle {

/// For one problem after the other. Its doubles begin whole cache lines, so that no vector register lies in two.
class LemkeMemory {
 public:
  /// For a problem of size n; those of smaller ones, and of this one before, are no longer valid.
  LemkeWorkspace workspace(int n) {
    const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(n);
    double* const cells = begin(cells_, sizes.cells);
    if (ints_.size() < sizes.ints) ints_.resize(sizes.ints);
    return LemkeWorkspace::carve(n, cells, begin(vectors_, sizes.vectors), ints_.data());
  }

  /// n numbers for the equilibration of that problem.
  double* scale(int n) { return begin(scale_, static_cast<std::size_t>(n)); }

 private:
  static double* begin(std::vector<double>& memory, std::size_t size) {
    constexpr std::size_t line = 64 / sizeof(double);
    if (memory.size() < size + line) memory.resize(size + line);
    void* first = memory.data();
    std::size_t space = memory.size() * sizeof(double);
    return static_cast<double*>(std::align(line * sizeof(double), size * sizeof(double), first, space));
  }

  std::vector<double> cells_, vectors_, scale_;
  std::vector<int> ints_;
};

}  // namespace jostle
