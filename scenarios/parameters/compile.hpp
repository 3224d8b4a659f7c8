#pragma once
// From traced numbers to programs.
#include <span>
#include <vector>

#include "scenarios/parameters/traced.hpp"

namespace jostle {

using Program = std::vector<Instruction>;

struct Programs {
  std::vector<Program> shared;   ///< what is needed more than once; Op::quantity k is the value of the k-th of these
  std::vector<Program> numbers;  ///< one for each
};

/// Programs that compute `numbers`. Shared values may use those before them.
Programs compile(std::span<const Traced> numbers);

}  // namespace jostle
