#pragma once
// The report at the end of a sweep, as text.
#include <string>

#include "drivers/sweeps/sweep.hpp"

namespace jostle {

/// The files that were written, or why none was.
std::string paths_text(const SweepReport& report);

/// Everything a sweep prints at its end, paths included.
std::string sweep_report_text(const SweepReport& report, bool sobol, const std::string& program = "jostle");

}  // namespace jostle
