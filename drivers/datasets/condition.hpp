#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "scenarios/expression/expression.hpp"

namespace jostle {

/// A condition on the columns of a summary, such as `jam and mu < 0.4` or `status != 0`. What is undefined, such as an
/// outcome of an invalid sample, is false, and so is every comparison with it.
class SampleCondition {
 public:
  /// The description must outlive it. Throws UsageError, which begins with `option`.
  SampleCondition(const std::string& option, const std::string& text, const DatasetDescription& description);

  /// The numbers of the samples of shard[begin, end) for which it holds, at most `most`; rows count from 0.
  std::vector<std::int64_t> find(const ShardData& shard, std::int64_t begin, std::int64_t end, std::int64_t most) const;

 private:
  const DatasetDescription& description_;
  std::vector<Instruction> code_;
};

}  // namespace jostle
