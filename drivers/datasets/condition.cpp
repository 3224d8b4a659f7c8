#include "drivers/datasets/condition.hpp"

#include "core/expression/evaluate.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/errors.hpp"

namespace jostle {
namespace {

std::vector<ConditionName> names_of(const DatasetDescription& description) {
  std::vector<ConditionName> names;
  const ShardData none = make_shard(description, 0, 0);
  for_each_column(description, none, [&](const SummaryColumn& column, const auto&) {
    const bool is_truth = column.outcome && column.outcome->kind == OutcomeInfo::Kind::truth;
    names.push_back({column.name, is_truth ? ValueKind::truth : ValueKind::number});
  });
  names.push_back({"sample"});
  return names;
}

}  // namespace

RowCondition::RowCondition(const std::string& option, const std::string& text,
                           const std::vector<ConditionName>& names) {
  try {
    code_ = parse_condition(text, names).code;
  } catch (const ExpressionError& error) {
    throw UsageError(option + " '" + text + "', column " + std::to_string(error.offset + 1) + ": " + error.what());
  }
}

std::vector<std::int64_t> RowCondition::find(const std::vector<std::function<double(std::size_t)>>& columns,
                                             std::int64_t begin, std::int64_t end, std::int64_t most) const {
  std::vector<std::int64_t> found;
  for (std::int64_t row = begin; row < end && static_cast<std::int64_t>(found.size()) < most; ++row) {
    const auto load = [&](int index) {  // as parse_condition() numbers values and truths
      const auto i = static_cast<std::size_t>(index);
      const double value = columns[i % columns.size()](static_cast<std::size_t>(row));
      return i < columns.size() ? value : static_cast<double>(value == 1);
    };
    if (evaluate({code_.data(), static_cast<int>(code_.size())}, nullptr, 0, load) == 1) found.push_back(row);
  }
  return found;
}

SampleCondition::SampleCondition(const std::string& option, const std::string& text,
                                 const DatasetDescription& description)
    : description_(description), condition_(option, text, names_of(description)) {}

std::vector<std::int64_t> SampleCondition::find(const ShardData& shard, std::int64_t begin, std::int64_t end,
                                                std::int64_t most) const {
  std::vector<std::function<double(std::size_t)>> columns;
  for_each_column(description_, shard, [&](const SummaryColumn&, const auto& values) {
    columns.emplace_back([&values](std::size_t row) { return static_cast<double>(values[row]); });
  });
  columns.emplace_back(
      [&](std::size_t row) { return static_cast<double>(shard.first + static_cast<std::int64_t>(row)); });
  std::vector<std::int64_t> found = condition_.find(columns, begin, end, most);
  for (std::int64_t& sample : found) sample += shard.first;
  return found;
}

}  // namespace jostle
