#pragma once
// What must hold for any bytes taken as a file of LCPs: shared by the fuzzer and by the replay of its corpus.
#include "drivers/errors.hpp"
#include "drivers/lcp_files/lcp_file.hpp"
#include "tests/fuzz/messages.hpp"

namespace jostle::test {

/// They are refused with one line that names the file, or are square problems of finite numbers.
inline std::string fault_of_lcps(std::string_view bytes) {
  try {
    const std::vector<NamedLcp> problems = lcps_of(std::string(bytes), "fuzz.json");
    if (problems.empty()) return "no problem, and no error";
    for (const NamedLcp& problem : problems) {
      const std::size_t n = problem.lcp.q.size();
      if (problem.lcp.M.size() != n * n) return "a matrix that is not square";
      for (const double x : problem.lcp.M)
        if (!(x - x == 0)) return "a number of M is not finite";
      for (const double x : problem.lcp.q)
        if (!(x - x == 0)) return "a number of q is not finite";
    }
  } catch (const UsageError& error) {
    return fault_of_message(error.what(), "fuzz.json");
  }
  return {};
}

}  // namespace jostle::test
