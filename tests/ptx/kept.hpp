#pragma once
// What can be known about the kernels of a build from what nvcc has kept: their machine code, line by line of the
// intermediate code, and the assembler's report.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/ptx/machine_code.hpp"

namespace jostle::test {

/// The assembler and the disassembler of CUDA. The latter is a package of its own.
struct CudaTools {
  std::string ptxas = "ptxas", nvdisasm = "nvdisasm";
};

inline bool runs(const std::string& command) { return std::system(command.c_str()) == 0; }
inline std::string quoted(const std::string& path) { return "'" + path + "'"; }

/// "sm_90"
inline std::string target_of(const std::filesystem::path& code) {
  std::ifstream file(code);
  std::string line;
  while (std::getline(file, line) && !line.starts_with(".target")) {
  }
  return line.substr(std::min(line.size(), std::string(".target ").size()));
}

/// The listing of the machine code, made beside the intermediate code where it is missing or old. Takes half a minute.
/// Nothing if the tools do not succeed.
inline std::optional<ptx::Listing> listing_of(const std::filesystem::path& code, const CudaTools& tools) {
  namespace fs = std::filesystem;
  const fs::path listing = fs::path(code).replace_extension(".listing");
  if (!fs::exists(listing) || fs::last_write_time(listing) < fs::last_write_time(code)) {
    const std::string object = fs::path(code).replace_extension(".with_lines").string();
    const std::string part = listing.string() + ".part";
    if (!runs(quoted(tools.nvdisasm) + " --version > /dev/null 2>&1") ||
        !runs(quoted(tools.ptxas) + " -lineinfo -arch=" + target_of(code) + " -o " + quoted(object) + " " +
              quoted(code.string())) ||
        !runs(quoted(tools.nvdisasm) + " -gp -c " + quoted(object) + " > " + quoted(part)))
      return {};
    fs::rename(part, listing);
    fs::remove(object);
  }
  std::ifstream text(listing);
  return ptx::read_listing(text);
}

/// What the assembler's report says of a kernel, compiled for the architecture of the intermediate code.
struct KernelReport {
  int frame = 0;      ///< bytes of local memory of a lane
  int spills = 0;     ///< bytes that are stored or loaded by spills, in all functions
  int registers = 0;  ///< of a lane
};

inline KernelReport report_of(const std::filesystem::path& log, const std::string& target, const std::string& kernel) {
  KernelReport report;
  std::ifstream file(log);
  bool is_wanted = false;
  for (std::string line; std::getline(file, line);) {
    const auto number_before = [&](const char* words) {
      const std::size_t end = line.find(words);
      if (end == std::string::npos || end < 2) return 0;
      const std::size_t begin = line.find_last_not_of("0123456789", end - 2);
      return std::atoi(line.c_str() + (begin == std::string::npos ? 0 : begin + 1));
    };
    if (line.find("Compiling entry function") != std::string::npos)
      is_wanted = line.find("'" + target + "'") != std::string::npos && line.find(kernel) != std::string::npos;
    if (!is_wanted) continue;
    report.frame = std::max(report.frame, number_before(" bytes cumulative stack size"));
    report.registers = std::max(report.registers, number_before(" registers"));
    report.spills += number_before(" bytes spill stores") + number_before(" bytes spill loads");
  }
  return report;
}

}  // namespace jostle::test
