#pragma once
// Two datasets, sample by sample. A sample's draws depend on its number alone, so two variants of a scenario are
// compared on the same draws (common random numbers), and differences are those of pairs.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// A dataset to compare.
struct DatasetSide {
  std::filesystem::path folder;
  const DatasetDescription& description;
  std::span<const ShardRange> ranges;  ///< that are there, one or more
};

/// A setting that two datasets do not have in common; an empty text: one of them does not have it.
struct SettingDifference {
  std::string name, first, second;
};

/// Of the samples that are valid in both datasets.
struct OutcomeDifference {
  std::string name;
  bool is_rate = true;
  std::int64_t count = 0;
  std::optional<double> first, second;  ///< rate or mean; empty without samples
  double difference = 0;                ///< second - first
  std::optional<Interval> interval;     ///< of the difference, 95 %; empty for a mean of less than two samples
  std::int64_t changed = 0;             ///< samples whose values differ
  std::int64_t first_changed = -1;      ///< the first of them
};

struct DatasetDifference {
  std::int64_t samples = 0;                  ///< in both
  std::int64_t of_first = 0, of_second = 0;  ///< in each
  std::vector<SettingDifference> settings;
  std::vector<std::pair<std::string, std::int64_t>>
      columns;                                       ///< of the summary: in how many samples they differ, if any
  std::int64_t differing = 0, first_differing = -1;  ///< samples that differ in any of them
  std::int64_t differing_records = 0;  ///< shards of equal scenarios and summaries, but with other records
  std::int64_t invalid_in_first = 0, invalid_in_second = 0;
  std::vector<OutcomeDifference> outcomes;           ///< that both have
  std::vector<std::string> only_first, only_second;  ///< columns that one of them has
  bool of_sobol = false;                             ///< samples of one of them are not independent
  bool is_equal() const { return differing == 0 && differing_records == 0; }
};

/// The 95 % interval of a difference of rates of `count` pairs, of which `gained` have the second alone and `lost` the
/// first alone: Wald's with half a pair more of each of the four sorts (Agresti and Min 2005). Within [-1, 1].
Interval paired_interval(std::int64_t gained, std::int64_t lost, std::int64_t count);

/// Throws UsageError if no sample is in both, FileError.
DatasetDifference compare_datasets(const DatasetSide& first, const DatasetSide& second);

std::string text_of(const DatasetDifference& difference);
nlohmann::ordered_json json_of(const DatasetDifference& difference);

}  // namespace jostle
