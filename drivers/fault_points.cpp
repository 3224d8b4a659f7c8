#include "drivers/fault_points.hpp"

#include <csignal>
#include <cstdlib>
#include <string>

namespace jostle {
namespace {

struct Fault {
  std::string name;
  long passages = 1;  ///< the process dies at this passage, counted from 1
};

Fault read_fault() {
  const char* text = std::getenv("JOSTLE_FAULT");
  if (!text) return {};
  const std::string fault = text;
  const std::size_t colon = fault.find(':');
  if (colon == std::string::npos) return {fault, 1};
  return {fault.substr(0, colon), std::strtol(fault.c_str() + colon + 1, nullptr, 10)};
}

}  // namespace

void fault_point(std::string_view file, std::string_view step) {
  static Fault fault = read_fault();
  if (fault.name.empty()) return;
  const std::string_view name = fault.name;
  const bool here = name.size() == file.size() + 1 + step.size() && name.starts_with(file) &&
                    name[file.size()] == '.' && name.ends_with(step);
  if (here && --fault.passages == 0) std::raise(SIGKILL);
}

}  // namespace jostle
