#pragma once
// The tables that the benchmark program prints to stdout.
#include <string>
#include <vector>

namespace jostle {

inline const std::vector<std::string> library_scenarios = {
    "rod",        "painleve_rod", "sliding_block", "incline",   "rolling_sphere",
    "tossed_box", "two_balls",    "four_balls",    "box_stack", "shapes"};

/// Time of one contact LCP by size, ours and the peer's. Each size gets `problems` generated problems, each timed
/// `repetitions` times.
void print_lcp_table(int problems, int repetitions);

/// Steps per second of one thread on library scenarios, each simulated for `seconds`, and the share of each stage.
/// Empty `names`: all of them. Reads scenarios/library in the current folder.
void print_step_table(double seconds, std::vector<std::string> names);

/// As CSV, of the first GPU: steps per second of `systems` systems of each library scenario, then microseconds of one
/// LCP in batches of as many for each size; by the teams that the placement chooses ("any") and by each kind alone that
/// the build has kernels for, where all of it fits that kind. Fewer systems or problems where as many would take longer
/// than a second. `names`: of scenarios, "lcp", and of kinds; none of a group is all of it. Everything is on the device
/// before the clock starts. Throws DeviceAbsent.
void print_gpu_table(int systems, const std::vector<std::string>& names);

}  // namespace jostle
