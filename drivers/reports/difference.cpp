#include "drivers/reports/difference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string_view>

#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/errors.hpp"
#include "drivers/reports/bins.hpp"
#include "drivers/statistics/exact_sum.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

/// "0.5" of "[0.5]"; empty for a list of more.
std::string only_value(const std::string& list) {
  return list.find(',') == std::string::npos ? list.substr(1, list.size() - 2) : std::string();
}

/// A variable that is a number, `mu: 0.5`, is a choice of one value in canonical scenarios: names what the file says.
void name_constant(SettingDifference& setting) {
  constexpr std::string_view section = "variables.", values = ".choice.values";
  if (!setting.name.starts_with(section) || !setting.name.ends_with(values)) return;
  std::string first, second;
  if (!setting.first.empty() && (first = only_value(setting.first)).empty()) return;
  if (!setting.second.empty() && (second = only_value(setting.second)).empty()) return;
  setting = {setting.name.substr(0, setting.name.size() - values.size()), first, second};
}

/// Of two scenarios without their samples, in the order of the first one.
void compare_scenarios(const std::string& first, const std::string& second, std::vector<SettingDifference>& found) {
  const auto ours = settings_of(first), theirs = settings_of(second);
  const std::map<std::string, std::string> in_first(ours.begin(), ours.end()), in_second(theirs.begin(), theirs.end());
  for (const auto& [path, text] : ours) {
    const auto other = in_second.find(path);
    if (other == in_second.end() || other->second != text)
      found.push_back({path, text, other == in_second.end() ? "" : other->second});
  }
  for (const auto& [path, text] : theirs)
    if (!in_first.contains(path)) found.push_back({path, "", text});
  std::ranges::for_each(found, name_constant);
}

std::vector<SettingDifference> differing_settings(const DatasetDescription& first, const DatasetDescription& second) {
  std::vector<SettingDifference> found;
  const auto compare = [&](const char* name, const std::string& ours, const std::string& theirs) {
    if (ours != theirs) found.push_back({name, ours, theirs});
  };
  compare("results_version", std::to_string(first.results_version), std::to_string(second.results_version));
  compare("sample.seed", std::to_string(first.seed), std::to_string(second.seed));
  compare("SHA-256 of the table", first.table_sha256, second.table_sha256);
  compare_scenarios(first.scenario, second.scenario, found);
  return found;
}

/// Pairs of values of an outcome.
class PairsOfValues {
 public:
  explicit PairsOfValues(OutcomeInfo::Kind kind) : kind_(kind) {}

  struct Value {
    double number, status;
  };

  void add(std::int64_t sample, const Value& one, const Value& other) {
    const Validity ours = validity_of(kind_, one.number, static_cast<std::uint8_t>(one.status)),
                   theirs = validity_of(kind_, other.number, static_cast<std::uint8_t>(other.status));
    if (ours == Validity::invalid || theirs == Validity::invalid) return;
    double first = one.number, second = other.number;
    const bool is_alike = ours == theirs && (ours == Validity::never_reached || first == second);
    changed_ += !is_alike;
    if (!is_alike && first_changed_ < 0) first_changed_ = sample;
    if (kind_ == OutcomeInfo::Kind::first_time) first = ours == Validity::number, second = theirs == Validity::number;
    first_.add(first), second_.add(second);
    changes_.add(second - first);
    gained_ += second > first, lost_ += second < first;
  }

  OutcomeDifference finish(const std::string& name) const {
    OutcomeDifference result;
    result.name = name, result.is_rate = kind_ != OutcomeInfo::Kind::number;
    result.count = changes_.valid, result.changed = changed_, result.first_changed = first_changed_;
    if (result.count == 0) return result;
    const auto n = static_cast<double>(result.count);
    result.first = first_.value() / n, result.second = second_.value() / n;
    result.difference = result.is_rate ? static_cast<double>(gained_ - lost_) / n : changes_.mean;
    result.interval = result.is_rate ? paired_interval(gained_, lost_, result.count) : changes_.interval(false);
    return result;
  }

 private:
  OutcomeInfo::Kind kind_;
  std::int64_t changed_ = 0, first_changed_ = -1, gained_ = 0, lost_ = 0;
  ExactSum first_, second_;
  Tally changes_;
};

using Values = std::vector<double>;

/// The shards of a dataset, each of which is read once.
class Shards {
 public:
  explicit Shards(const DatasetSide& side) : side_(side) { read(side.ranges.front()); }

  void read(const ShardRange& range) {
    if (index_ == range.index) return;
    const ShardReader reader(side_.folder, range);
    index_ = range.index, first_ = range.first, digest_ = reader.digest();
    columns_.clear();
    const ShardData names = make_shard(side_.description, 0, 0);
    for_each_column(side_.description, names, [&](const SummaryColumn& column, const auto&) {
      if (reader.has(column.name)) columns_.emplace_back(column.name, reader.numbers(column.name));
    });
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, values] : columns_) names.push_back(name);
    return names;
  }
  bool has(const std::string& name) const {
    return std::ranges::find(columns_, name, &Column::first) != columns_.end();
  }
  const OutcomeInfo* outcome(const std::string& name) const {
    const auto found = std::ranges::find(side_.description.outcomes, name, &OutcomeInfo::name);
    return found == side_.description.outcomes.end() ? nullptr : &*found;
  }
  /// Of samples first .. first+count-1, all of which the shard has.
  std::span<const double> values(const std::string& name, std::int64_t first, std::int64_t count) const {
    const auto found = std::ranges::find(columns_, name, &Column::first);
    if (found == columns_.end()) throw FileError(side_.folder, "its shards have different columns");
    return std::span(found->second).subspan(static_cast<std::size_t>(first - first_), static_cast<std::size_t>(count));
  }
  const std::string& digest() const { return digest_; }

 private:
  using Column = std::pair<std::string, Values>;

  const DatasetSide& side_;
  std::int64_t index_ = -1, first_ = 0;
  std::vector<Column> columns_;
  std::string digest_;
};

/// A column of the summary that both have.
struct CommonColumn {
  std::string name;
  std::int64_t differing = 0;
  std::optional<PairsOfValues> pairs = {};  ///< of an outcome
};

/// Numbers, or whole numbers as such.
bool differ(double first, double second) {
  return std::bit_cast<std::uint64_t>(first) != std::bit_cast<std::uint64_t>(second);
}

class Comparison {
 public:
  Comparison(const DatasetSide& first, const DatasetSide& second)
      : same_scenario_(first.description.scenario == second.description.scenario), ours_(first), theirs_(second) {
    result_.settings = differing_settings(first.description, second.description);
    result_.of_first = samples_of(first.ranges), result_.of_second = samples_of(second.ranges);
    result_.of_sobol = first.description.sampler == "sobol" || second.description.sampler == "sobol";
    for (const std::string& name : ours_.names()) {
      if (!theirs_.has(name)) {
        result_.only_first.push_back(name);
        continue;
      }
      columns_.push_back({name});
      const OutcomeInfo *const mine = ours_.outcome(name), *const other = theirs_.outcome(name);
      if (mine && other && mine->kind == other->kind) columns_.back().pairs.emplace(mine->kind);
    }
    for (const std::string& name : theirs_.names())
      if (!ours_.has(name)) result_.only_second.push_back(name);
  }

  /// Samples that are in both of these shards, one or more.
  void add(const ShardRange& ours, const ShardRange& theirs) {
    ours_.read(ours), theirs_.read(theirs);
    const std::int64_t first = std::max(ours.first, theirs.first),
                       count = std::min(ours.first + ours.count, theirs.first + theirs.count) - first;
    std::vector<bool> differs(static_cast<std::size_t>(count));
    const auto status = ours_.values("status", first, count), other_status = theirs_.values("status", first, count);
    for (CommonColumn& column : columns_) {
      const auto mine = ours_.values(column.name, first, count), other = theirs_.values(column.name, first, count);
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (differ(mine[i], other[i])) ++column.differing, differs[i] = true;
        if (column.pairs)
          column.pairs->add(first + static_cast<std::int64_t>(i), {mine[i], status[i]}, {other[i], other_status[i]});
      }
    }
    result_.samples += count;
    constexpr auto ok = static_cast<double>(Status::ok);
    result_.invalid_in_first += count - std::ranges::count(status, ok);
    result_.invalid_in_second += count - std::ranges::count(other_status, ok);
    const auto first_of_part = std::ranges::find(differs, true);
    if (first_of_part != differs.end() && result_.differing == 0)
      result_.first_differing = first + (first_of_part - differs.begin());
    result_.differing += std::ranges::count(differs, true);
    const bool same_samples = ours.first == theirs.first && ours.count == theirs.count;
    if (first_of_part == differs.end() && same_scenario_ && same_samples)
      result_.differing_records += ours_.digest() != theirs_.digest();
  }

  DatasetDifference finish() {
    if (result_.samples == 0) throw UsageError("the two folders have no sample in common");
    for (const CommonColumn& column : columns_) {
      if (column.differing > 0) result_.columns.emplace_back(column.name, column.differing);
      if (column.pairs) result_.outcomes.push_back(column.pairs->finish(column.name));
    }
    return std::move(result_);
  }

 private:
  bool same_scenario_;
  Shards ours_, theirs_;
  std::vector<CommonColumn> columns_;
  DatasetDifference result_;
};

}  // namespace

Interval paired_interval(std::int64_t gained, std::int64_t lost, std::int64_t count) {
  const double more = static_cast<double>(gained) + 0.5, less = static_cast<double>(lost) + 0.5,
               n = static_cast<double>(count) + 2;
  const double middle = (more - less) / n;
  const double half_width = z95 * std::sqrt((more + less - (more - less) * middle) / (n * n));
  return {std::max(-1.0, middle - half_width), std::min(1.0, middle + half_width)};
}

DatasetDifference compare_datasets(const DatasetSide& first, const DatasetSide& second) {
  Comparison comparison(first, second);
  const auto end_of = [](const ShardRange& range) { return range.first + range.count; };
  auto other = second.ranges.begin();
  for (const ShardRange& range : first.ranges) {
    while (other != second.ranges.end() && end_of(*other) <= range.first) ++other;
    for (auto next = other; next != second.ranges.end() && next->first < end_of(range); ++next)
      comparison.add(range, *next);
  }
  return comparison.finish();
}

}  // namespace jostle
