// Prints the tables of measured times.
//
//   benchmark                                        both, by their defaults
//   benchmark lcp [PROBLEMS] [REPETITIONS]           200 problems of each size, each timed 9 times
//   benchmark steps [SECONDS] [SCENARIO ...]         2 seconds for each library scenario; in the project's folder
//   benchmark gpu [SYSTEMS] [NAME ...]               at most 100,000 systems and LCPs, as CSV; only these scenarios,
//                                                    "lcp", kinds of teams; in the project's folder
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "benchmarks/tables.hpp"

namespace {

constexpr const char* usage =
    "usage: benchmark [lcp [problems per size] [repetitions] | steps [seconds per scenario] [scenario ...] |\n"
    "                  gpu [systems] [scenario | lcp | kind of team ...]]\n";

/// Argument i as a positive number, `otherwise` if there is none, 0 if it is something else.
double positive(const std::vector<std::string>& arguments, std::size_t i, double otherwise) {
  if (i >= arguments.size()) return otherwise;
  const double value = std::atof(arguments[i].c_str());
  return value > 0 ? value : 0;
}

/// False if the arguments make no sense.
bool print_tables(const std::vector<std::string>& arguments) {
  const std::string table = arguments.empty() ? "" : arguments[0];
  if (table == "gpu") {
    const int systems = static_cast<int>(positive(arguments, 1, 100'000));
    if (systems < 1) return false;
    jostle::print_gpu_table(systems,
                            {arguments.begin() + (arguments.size() > 2 ? 2 : arguments.size()), arguments.end()});
    return true;
  }
  if (!table.empty() && table != "lcp" && table != "steps") return false;
  if (table != "steps") {
    const int problems = static_cast<int>(positive(arguments, 1, 200));
    const int repetitions = static_cast<int>(positive(arguments, 2, 9));
    if (problems < 1 || repetitions < 1 || arguments.size() > 3) return false;
    jostle::print_lcp_table(problems, repetitions);
  }
  if (table.empty()) std::printf("\n");
  if (table != "lcp") {
    const double seconds = positive(arguments, 1, 2);
    if (!(seconds > 0)) return false;
    jostle::print_step_table(seconds,
                             {arguments.begin() + (arguments.size() > 2 ? 2 : arguments.size()), arguments.end()});
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (print_tables({argv + 1, argv + argc})) return 0;
    std::fputs(usage, stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark: %s\n", error.what());
  }
  return 2;
}
