// `--device auto` starts this in another process; help does not show it, because it is not for users.
#include <sys/prctl.h>

#include <csignal>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "drivers/devices/device_check.hpp"
#include "drivers/errors.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/recorded_run.hpp"

namespace jostle {
namespace {

DeviceFinding check(const ScenarioOptions& options) {
  try {
    const Ensemble ensemble = open_ensemble(options.file, read_options(options), 0);
    const Machine machine = prepare(options, AutoDevice::gpu_if_there);
    if (!machine.gpu()) throw DeviceAbsent("there is no GPU to check");
    const auto begins = [](const char* who) { std::cout << who << std::endl; };  // read if there is no end
    return check_device(*machine.gpu(), ensemble, machine.threads(), begins);
  } catch (const std::exception& error) {
    return finding_of(error);
  }
}

}  // namespace

void add_check_device(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<ScenarioOptions>();
  CLI::App* command = app.add_subcommand("check-device", "64 samples on a GPU and the CPU")->group("");
  add_scenario_options(*command, *options);
  command->callback([options, &invocation] {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // if this process hangs, it does not outlive its parent
    std::cout << json_of(check(*options)) << '\n';
    invocation.status = ExitStatus::ok;
  });
}

}  // namespace jostle
