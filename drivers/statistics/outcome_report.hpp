#pragma once
// Outcomes and statuses as text.
#include <filesystem>
#include <optional>
#include <string>

#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// A rate, or a number with six digits; "-" if there is none that is finite.
std::string value_text(const std::optional<double>& value, bool rate);

/// Of intervals of Sobol samples.
inline constexpr const char* sobol_note =
    "Intervals assume independent samples; for Sobol samples they are conservative.\n";

/// A row per outcome: rate or mean, 95 % interval, worst-case bounds, range, invalid samples.
/// `sobol` adds that the intervals are those of independent samples.
std::string outcome_table(const RunStatistics& statistics, bool sobol);

/// A text histogram for every outcome that has numbers.
std::string outcome_histograms(const RunStatistics& statistics);

/// A line per status except ok: how many samples, and the command that replays the first of them, ready to paste into
/// a shell. Empty if all samples are valid. `program`: how this program was called.
std::string invalid_samples(const RunStatistics& statistics, const std::filesystem::path& folder,
                            const std::string& program = "jostle");

/// The table, the worst values, how steps were solved, histograms, and invalid samples.
std::string results_text(const RunStatistics& statistics, bool sobol, const std::filesystem::path& folder,
                         const std::string& program = "jostle");

}  // namespace jostle
