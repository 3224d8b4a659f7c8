#include "drivers/program/options.hpp"

#include <omp.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>

#include "cuda/device.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/text.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader/doubts.hpp"
#include "scenarios/text/number.hpp"

namespace jostle {
namespace {

/// Whether it is one of the files that a sweep wrote; a page can be made again.
bool is_data_of_folder(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code none;
  if (!std::filesystem::is_directory(folder, none) || file.extension() == ".html") return false;
  const auto inner = std::filesystem::canonical(file, none), outer = std::filesystem::canonical(folder, none);
  return !inner.empty() && std::ranges::mismatch(outer, inner).in1 == outer.end();
}

void tell_fault(const std::string& fault) { std::cerr << "the scenario needs work: " << fault << '\n'; }

}  // namespace

void begin_log(bool verbose) {
  auto log = std::make_shared<spdlog::logger>("jostle", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  log->set_pattern("%v");
  log->set_level(verbose ? spdlog::level::debug : spdlog::level::warn);
  log->flush_on(spdlog::level::debug);
  spdlog::set_default_logger(std::move(log));
}

CLI::Option* add_value(CLI::App& command, const std::string& name, std::string& value, const std::string& value_name,
                       const std::string& description) {
  const CLI::Validator not_empty([](const std::string& text) { return text.empty() ? "the value is empty" : ""; }, "");
  return command.add_option(name, value, description)->type_name(value_name)->check(not_empty);
}

CLI::Option* add_values(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                        const std::string& value_name, const std::string& description) {
  return command.add_option(name, values, description)->type_name(value_name)->allow_extra_args(false);
}

void add_device(CLI::App& command, std::string& device, AutoDevice automatic) {
  add_value(command, "--device", device, "NAME",
            automatic == AutoDevice::cpu ? "auto, cpu or cuda[:i] (default auto, which is cpu)"
                                         : "auto, cpu or cuda[:i] (default auto)");
}

void add_scenario_options(CLI::App& command, ScenarioOptions& options, AutoDevice automatic) {
  add_value(command, "file", options.file, "", "scenario file (YAML)")->required();
  add_values(command, "--set", options.set, "PATH=VALUE", "override a value of the scenario file (repeatable)");
  add_value(command, "--seed", options.seed, "N", "overrides sample.seed");
  add_device(command, options.device, automatic);
  add_teams(command, options.teams);
  add_value(command, "--threads", options.threads, "N", "threads (default: one per processor)");
  command.add_flag("--every-step", options.every_step, "compute steps at rest, too (same results)");
  command.add_flag("-v,--verbose", options.verbose, "print progress details on stderr");
}

ReadOptions read_options(const ScenarioOptions& options) {
  ReadOptions read{options.set, {}, {}, options.every_step};
  if (options.seed.empty()) return read;
  read.seed = parsed<std::uint64_t>(options.seed);
  if (!read.seed)
    throw UsageError("--seed: expected a whole number from 0 to 18,446,744,073,709,551,615, not '" + options.seed +
                     "'");
  return read;
}

double positive_number(const std::string& option, const std::string& text) {
  const std::optional<double> value = finite_number_of(text);
  if (!value || !(*value > 0)) throw UsageError(option + " must be a number greater than 0, not '" + text + "'");
  return *value;
}

void warn_of_doubts(const Scenario& scenario) {
  for (const Fault& doubt : doubts_about(scenario))
    spdlog::warn("{}", error_at(scenario, doubt.where, "warning: " + doubt.message).what());
}

void warn_of_faults(const std::string& scenario, const std::string& name) {
  try {
    const Scenario read = parse_scenario(scenario, name);
    const Ensemble ensemble(read);
    warn_of_doubts(read);
  } catch (const ScenarioError& error) {
    tell_fault(error.what());
  }
}

std::vector<std::string> sources_of(const std::string& file, const Scenario& scenario) {
  std::vector<std::string> sources = scenario.mesh_files;
  sources.push_back(file);
  if (!scenario.sample.table.empty()) sources.push_back(table_path(scenario).string());
  return sources;
}

void keep_sources(const std::string& option, const std::string& out, const std::vector<std::string>& sources) {
  std::error_code none;
  for (const std::string& source : sources)
    if (std::filesystem::equivalent(out, source, none) || is_data_of_folder(out, source))
      throw UsageError(option + " " + out + ": this file is read, and would be overwritten; give another name");
}

void keep_apart(const std::string& option, const std::string& out, const std::string& other, const std::string& too) {
  if (out.empty() || too.empty()) return;
  std::error_code none;
  const auto whole = [&](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name, none), none);
  };
  const std::filesystem::path one = whole(out), two = whole(too);
  if (std::filesystem::equivalent(out, too, none) || (!one.empty() && one == two))
    throw UsageError(option + " and " + other + " " + too + ": both would be the same file; give another name");
}

void write_scenario(const std::string& path, const std::string& scenario, std::string_view kind,
                    const std::string& fault) {
  catch_interrupts();
  AtomicFile file(path, kind);  // first: faults of a scenario that cannot be written are nobody's concern
  if (fault.empty())
    warn_of_faults(scenario, path);
  else
    tell_fault(path + ": " + fault);
  file.write(scenario);
  file.commit();
}

void add_teams(CLI::App& command, std::string& teams) {
  add_value(command, "--teams", teams, "KINDS", "GPU only: kinds of teams to use, e.g. warp4,warp8 (default: all)");
}

unsigned allowed_team_kinds(const std::string& list) {
  return list.empty() ? all_team_kinds : team_kinds_of("--teams", list);
}

Machine open_machine(const std::string& device, const std::string& teams, int threads, AutoDevice automatic,
                     int local_rank) {
  const unsigned kinds = allowed_team_kinds(teams);
  try {
    const bool is_cpu = device == "auto" && automatic == AutoDevice::cpu;
    const auto gpu = device == "cuda" && local_rank > 0 ? gpu_of(local_rank) : std::nullopt;
    const std::string name = gpu ? "cuda:" + std::to_string(gpu->index) : device;
    Machine machine = Machine::named(is_cpu ? "cpu" : name, threads);
    if (machine.gpu()) machine.gpu()->allow_team_kinds(kinds);
    return machine;
  } catch (const UsageError& error) {
    throw UsageError("--device: " + std::string(error.what()));
  } catch (const DeviceAbsent& absent) {
    throw DeviceAbsent("--device " + device + ": " + absent.what() + "; use --device cpu");
  }
}

Machine prepare(const ScenarioOptions& options, AutoDevice automatic, int local_rank, int threads) {
  begin_log(options.verbose);
  if (!options.threads.empty()) threads = static_cast<int>(whole_number("--threads", options.threads, 1, most_threads));
  if (threads > 0) omp_set_num_threads(threads);  // for all parallel code
  return open_machine(options.device, options.teams, threads, automatic, local_rank);
}

unsigned team_kinds_of(const std::string& option, const std::string& list) {
  try {
    return team_kinds_named(list);
  } catch (const std::invalid_argument& error) {
    throw UsageError(option + ": " + error.what());
  }
}

std::int64_t whole_number(const std::string& option, const std::string& text, std::int64_t least,
                          std::int64_t largest) {
  if (const auto number = whole_number_of(text); number && least <= *number && *number <= largest) return *number;
  const std::string range = largest == std::numeric_limits<std::int64_t>::max()
                                ? with_commas(least) + " or more"
                                : "from " + with_commas(least) + " to " + with_commas(largest);
  throw UsageError(option + ": expected a whole number, " + range + ", not '" + text + "'");
}

}  // namespace jostle
