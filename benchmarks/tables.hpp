#pragma once
// The tables that the benchmark program prints to stdout.
#include <string>
#include <vector>

namespace jostle {

inline const std::vector<std::string> library_scenarios = {"rod",       "painleve_rod",   "sliding_block",
                                                           "incline",   "rolling_sphere", "tossed_box",
                                                           "two_balls", "four_balls",     "box_stack"};

/// Time of one contact LCP by size, ours and the peer's. Each size gets `problems` generated problems, each timed
/// `repetitions` times.
void print_lcp_table(int problems, int repetitions);

/// Steps per second of one thread on library scenarios, each simulated for `seconds`, and the share of each stage.
/// Empty `names`: all of them. Reads scenarios/library in the current folder.
void print_step_table(double seconds, std::vector<std::string> names);

/// As CSV, of the first GPU, for every lane count that the build has kernels for: microseconds of one LCP in batches of
/// `systems` for each size, then steps per second of as many systems of each library scenario. Everything is on the
/// device before the clock starts; the first call, which warms up, is not timed. Throws DeviceAbsent.
void print_gpu_table(int systems);

}  // namespace jostle
