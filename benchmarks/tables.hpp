#pragma once
// The tables that the benchmark program prints to stdout.
#include <string>
#include <vector>

namespace jostle {

/// Time of one contact LCP by size, ours and the peer's. Each size gets `problems` generated problems, each timed
/// `repetitions` times.
void print_lcp_table(int problems, int repetitions);

/// Steps per second of one thread on library scenarios, each simulated for `seconds`, and the share of each stage.
/// Empty `names`: all of them. Reads scenarios/library in the current folder.
void print_step_table(double seconds, std::vector<std::string> names);

}  // namespace jostle
