#include "scenarios/model/range.hpp"

#include <algorithm>

namespace jostle {

Range range_of(const Distribution& distribution) {
  switch (distribution.kind) {
    case Distribution::Kind::normal: return {distribution.minimum, distribution.maximum};
    case Distribution::Kind::choice: {
      const std::vector<double>& values = distribution.choice.values;
      const auto [least, largest] = std::minmax_element(values.begin(), values.end());
      return {*least, *largest};
    }
    default: return {distribution.bounds.first, distribution.bounds.second};
  }
}

Range range_of(const Number& number, const std::vector<Variable>& variables) {
  if (number.code.empty()) return {number.constant, number.constant};
  if (number.code.size() > 1 || number.code[0].op != Op::variable) return {};
  return range_of(variables[static_cast<std::size_t>(number.code[0].index)].distribution);
}

}  // namespace jostle
