#pragma once
// report.html: the results of a sweep as one offline page.
#include <filesystem>
#include <span>
#include <string>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// The page of the samples of `ranges`, whose statistics are known: outcomes with intervals, histograms, rates against
/// variables, maps of two of them, convergence, statuses with the command that replays the first sample of each, for
/// which `folder_name` is the folder; empty: where the page is when it is opened. Throws FileError.
std::string report_page(const std::filesystem::path& folder, const DatasetDescription& description,
                        std::span<const ShardRange> ranges, const RunStatistics& statistics,
                        const std::string& folder_name = "");

}  // namespace jostle
