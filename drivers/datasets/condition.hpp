#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "scenarios/expression/condition.hpp"

namespace jostle {

/// A condition on the columns of a table, such as `jam and mu < 0.4` or `status != 0`. What is undefined, such as an
/// outcome of an invalid sample, is false, and so is every comparison with it.
class RowCondition {
 public:
  /// Throws UsageError, which begins with `option`.
  RowCondition(const std::string& option, const std::string& text, const std::vector<ConditionName>& names);

  /// The rows of [begin, end) for which it holds, at most `most`. columns[i](row) is the value under name i.
  std::vector<std::int64_t> find(const std::vector<std::function<double(std::size_t)>>& columns, std::int64_t begin,
                                 std::int64_t end, std::int64_t most) const;

 private:
  std::vector<Instruction> code_;
};

/// The same on the columns of a summary.
class SampleCondition {
 public:
  /// The description must outlive it. Throws UsageError, which begins with `option`.
  SampleCondition(const std::string& option, const std::string& text, const DatasetDescription& description);

  /// The numbers of the samples of shard[begin, end) for which it holds, at most `most`; rows count from 0.
  std::vector<std::int64_t> find(const ShardData& shard, std::int64_t begin, std::int64_t end, std::int64_t most) const;

 private:
  const DatasetDescription& description_;
  RowCondition condition_;
};

}  // namespace jostle
