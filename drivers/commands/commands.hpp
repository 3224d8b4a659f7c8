#pragma once
// The commands of the `jostle` program. Each adds itself to the command line and runs when chosen.
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "drivers/exit_status.hpp"
#include "scenarios/reader.hpp"

namespace jostle {

/// The options that every command with a scenario shares.
struct ScenarioOptions {
  std::string file;
  std::vector<std::string> set;
  std::string device = "auto";
  int threads = 0;
};

void add_scenario_options(CLI::App& command, ScenarioOptions& options);

/// Throws UsageError or DeviceError unless the device is there: this build has the CPU alone.
void check_device(const std::string& device);

void add_sweep(CLI::App& app, ExitStatus& status);
void add_run(CLI::App& app, ExitStatus& status);
void add_lcp(CLI::App& app, ExitStatus& status);
void add_info(CLI::App& app, ExitStatus& status);
void add_schema(CLI::App& app, ExitStatus& status);

}  // namespace jostle
