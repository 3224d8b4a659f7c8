#pragma once
#include <utility>

#include "scenarios/model/number.hpp"

namespace jostle {

/// A sum of numbers with constant factors.
class NumberSum {
 public:
  explicit NumberSum(const Location& where) { sum_.where = where; }

  void add(double factor, const Number& number) {
    if (factor == 0) return;
    if (number.code.empty()) {
      sum_.constant += factor * number.constant;
      return;
    }
    std::vector<Instruction>& code = sum_.code;
    const bool is_first = code.empty();
    code.insert(code.end(), number.code.begin(), number.code.end());
    if (factor != 1) code.insert(code.end(), {{Op::constant, 0, factor}, {Op::multiply}});
    if (!is_first) code.push_back({Op::add});
  }

  Number take() {
    if (!sum_.code.empty() && sum_.constant != 0) {
      sum_.code.insert(sum_.code.end(), {{Op::constant, 0, sum_.constant}, {Op::add}});
      sum_.constant = 0;
    }
    return std::move(sum_);
  }

 private:
  Number sum_;
};

}  // namespace jostle
