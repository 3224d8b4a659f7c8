#pragma once
// Some outcomes of a dataset: `jostle report --only jam,rest_x`.
#include <string>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// Keeps the outcomes with these names, and all categories of a categorical outcome that is named. Some of the
/// categories alone are plain rates, without their common test. Throws UsageError if there is no such outcome.
void keep_only(const std::string& names, DatasetDescription& description, RunStatistics& statistics);

}  // namespace jostle
