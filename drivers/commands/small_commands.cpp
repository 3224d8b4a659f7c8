#include <thread>

#include <iostream>
#include <memory>

#include "drivers/commands/commands.hpp"
#include "drivers/errors.hpp"
#include "scenarios/schema.hpp"

namespace jostle {

void add_scenario_options(CLI::App& command, ScenarioOptions& options) {
  command.add_option("file", options.file, "scenario file (YAML)")->required();
  command.add_option("--set", options.set, "path=value, as if the file said so; repeatable")->allow_extra_args(false);
  command.add_option("--device", options.device, "auto or cpu (default auto)");
  command.add_option("--threads", options.threads, "threads; 0: all (default)")->check(CLI::NonNegativeNumber);
}

void check_device(const std::string& device) {
  if (device == "auto" || device == "cpu") return;
  if (device == "cuda" || device.starts_with("cuda:")) throw DeviceError("this build of jostle has no CUDA: use --device cpu");
  throw UsageError("--device " + device + ": expected auto or cpu");
}

void add_info(CLI::App& app, ExitStatus& status) {
  CLI::App* info = app.add_subcommand("info", "version, build and devices");
  info->footer("Example: jostle info");
  info->callback([&status] {
    std::cout << "jostle " JOSTLE_VERSION "\ncompiler: " __VERSION__ "\ndevices: cpu (" << std::thread::hardware_concurrency()
              << " threads)\n";
    status = ExitStatus::ok;
  });
}

void add_schema(CLI::App& app, ExitStatus& status) {
  CLI::App* schema = app.add_subcommand("schema", "JSON Schema of scenario files");
  schema->footer("Example: jostle schema > scenario.schema.json");
  schema->callback([&status] {
    std::cout << json_schema() << '\n';
    status = ExitStatus::ok;
  });
}

}  // namespace jostle
