#pragma once
// Options that commands share. Their values are read strictly, and every message names the option.
#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/devices/machine.hpp"
#include "drivers/parallel.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {

/// Of one call.
inline constexpr std::int64_t most_samples = 10'000'000'000;

/// The options of every command with a scenario, as typed; an empty text: the option was not given.
struct ScenarioOptions {
  std::string file;
  std::vector<std::string> set;
  std::string seed, device = "auto", teams, threads;
  bool verbose = false, every_step = false;
};

/// What `--device auto` means for a command. A sweep asks for the CPU and, when it knows the scenario, for
/// open_checked_gpu().
enum class AutoDevice { gpu_if_there, cpu };

/// Adds them. `automatic`: what help says of --device.
void add_scenario_options(CLI::App& command, ScenarioOptions& options, AutoDevice automatic = AutoDevice::gpu_if_there);

/// Adds an option that takes one value, which help calls `value_name`.
CLI::Option* add_value(CLI::App& command, const std::string& name, std::string& value, const std::string& value_name,
                       const std::string& description);

/// The same of one that may be given several times, with one value each.
CLI::Option* add_values(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                        const std::string& value_name, const std::string& description);

/// The value of an option, a number greater than 0. Throws UsageError.
double positive_number(const std::string& option, const std::string& text);

/// --set and --seed for the reader. Throws UsageError.
ReadOptions read_options(const ScenarioOptions& options);

/// Warns on stderr about values that the user probably did not mean.
void warn_of_doubts(const Scenario& scenario);

/// The same of the text of a scenario that a command writes, and what is wrong with it as it stands, such as bodies
/// that overlap. `name`: its file.
void warn_of_faults(const std::string& scenario, const std::string& name);

/// The file or folder of a command, and the meshes and the table of its scenario.
std::vector<std::string> sources_of(const std::string& file, const Scenario& scenario);

/// Throws UsageError if `out`, the file that `option` names, is one of those that the command reads, or a file of a
/// folder that it reads, but for pages.
void keep_sources(const std::string& option, const std::string& out, const std::vector<std::string>& sources);

/// Throws UsageError if both files, which the options name, are the same one; empty: there is none.
void keep_apart(const std::string& option, const std::string& out, const std::string& other, const std::string& too);

/// Writes the file, and warns as warn_of_faults() does once it can be written: of `fault`, if what wrote the scenario
/// knows one. `kind`: as AtomicFile has it.
void write_scenario(const std::string& path, const std::string& scenario, std::string_view kind,
                    const std::string& fault = {});

/// The machine of --device, which may use the kinds of teams of --teams. `local_rank`: of ranks on one host, each takes
/// another GPU where --device is "cuda" or "auto". Throws UsageError or DeviceAbsent.
Machine open_machine(const std::string& device, const std::string& teams, int threads, AutoDevice automatic,
                     int local_rank = 0);

/// The kinds that --teams allows; an empty list: all.
unsigned allowed_team_kinds(const std::string& list);

/// Adds --device.
void add_device(CLI::App& command, std::string& device, AutoDevice automatic);

/// Adds --teams.
void add_teams(CLI::App& command, std::string& teams);

/// Logs plain lines to stderr; if not `verbose` only warnings.
void begin_log(bool verbose);

/// Checks --device and --threads and begins to log if -v was given. `threads`: without --threads; 0: one per processor.
/// Throws UsageError or DeviceAbsent.
Machine prepare(const ScenarioOptions& options, AutoDevice automatic, int local_rank = 0, int threads = 0);

/// The set of kinds of teams that a list such as "warp4,warp8" names. Throws UsageError naming the option.
unsigned team_kinds_of(const std::string& option, const std::string& list);

/// The whole number that `text` is, least <= number <= largest. Throws UsageError naming the option.
std::int64_t whole_number(const std::string& option, const std::string& text, std::int64_t least, std::int64_t largest);

/// The first GPU that the build has code for, if a check, now or stored, found no difference for scenarios of this
/// structure; else none: the CPU. Warns if there is a GPU that is not used. Another process (`jostle check-device`)
/// executes the check, so that this one does not hang or crash; it does not touch the GPU before. None also once `stop`
/// is set. `local_rank`: of ranks on one host, each takes another GPU.
std::optional<Machine> open_checked_gpu(const ScenarioOptions& options, const Model& model, int threads,
                                        const std::atomic<bool>& stop, int local_rank = 0);

}  // namespace jostle
