#pragma once
// The commands of the `jostle` program. Each adds itself to the command line and runs when chosen. Data go to
// stdout, logs and progress to stderr.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "drivers/exit_status.hpp"
#include "drivers/ranks/ranks.hpp"

namespace jostle {

/// How the program was called, and the command's exit status. Commands throw what `exit_status_of` knows.
struct Invocation {
  std::vector<std::string> words;  ///< as typed; the first one names the program
  ExitStatus status = ExitStatus::ok;
  std::unique_ptr<Ranks> ranks = {};  ///< of a command that ranks share (program_ranks.hpp)
  bool has_returned = false;          ///< the command has not thrown
};

void add_sweep(CLI::App& app, Invocation& invocation);
void add_generate(CLI::App& app, Invocation& invocation);
void add_run(CLI::App& app, Invocation& invocation);
void add_lcp(CLI::App& app, Invocation& invocation);
void add_compare(CLI::App& app, Invocation& invocation);
void add_check_device(CLI::App& app, Invocation& invocation);
void add_import(CLI::App& app, Invocation& invocation);
void add_rest(CLI::App& app, Invocation& invocation);
void add_info(CLI::App& app, Invocation& invocation);
void add_report(CLI::App& app, Invocation& invocation);
void add_diff(CLI::App& app, Invocation& invocation);
void add_record(CLI::App& app, Invocation& invocation);
void add_status(CLI::App& app, Invocation& invocation);
void add_merge(CLI::App& app, Invocation& invocation);
void add_view(CLI::App& app, Invocation& invocation);
void add_selftest(CLI::App& app, Invocation& invocation);
void add_schema(CLI::App& app, Invocation& invocation);

}  // namespace jostle
