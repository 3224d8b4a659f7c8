#pragma once
// report.html: the results of a sweep as one offline page.
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/reports/curves.hpp"
#include "drivers/reports/picture.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// What a page shows beside the samples themselves.
struct PageRequest {
  std::string folder_name;           ///< for commands on the page; empty: where the page is when it is opened
  Picture picture = {};              ///< the mechanism at the start; empty: none
  std::vector<CurveRequest> curves;  ///< before those of the recorded quantities over the time
};

/// The page of the samples of `ranges`, whose statistics are known: a summary with the mechanism, then outcomes with
/// intervals, histograms, rates against variables, maps of two of them, convergence, recorded quantities, statuses with
/// the command that replays the first sample of each. Throws FileError.
std::string report_page(const std::filesystem::path& folder, const DatasetDescription& description,
                        std::span<const ShardRange> ranges, const RunStatistics& statistics,
                        const PageRequest& request = {});

}  // namespace jostle
