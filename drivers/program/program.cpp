#include "drivers/program/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/memory.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/program_ranks.hpp"
#include "drivers/ranks/together.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

/// Prevents that a file opened by the program gets the number of a standard stream that the caller closed.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0)
      std::_Exit(static_cast<int>(ExitStatus::file));
}

bool reader_is_gone() {
  pollfd stream = {STDOUT_FILENO, 0, 0};
  return ::poll(&stream, 1, 0) == 1 && (stream.revents & POLLERR) != 0;
}

/// An error status if data did not reach stdout, without a message if the reader closed the pipe. Otherwise the given
/// status.
ExitStatus close_stdout(ExitStatus status) {
  if (std::cout.flush()) return status;
  if (!reader_is_gone()) std::cerr << "standard output: cannot be written\n";
  return ExitStatus::file;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* any) { return !any->get_group().empty(); }))
    names.push_back(command->get_name());
  return names;
}

/// Why `app` could not parse the command line, guided by what the user most likely meant.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string help = "; see 'jostle" + (chosen.empty() ? "" : " " + command.get_name()) + " --help'";
  const std::vector<std::string> unknown = app.remaining(true);
  const auto no_command = [&] {
    return "there is no command '" + unknown[0] + "'" + did_you_mean(unknown[0], command_names(app)) + help;
  };
  if (chosen.empty() && !unknown.empty() && !unknown[0].starts_with('-')) return no_command();
  const auto option = std::find_if(unknown.begin(), unknown.end(),
                                   [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (option != unknown.end()) {
    const std::string name = option->substr(0, option->find('='));
    return "there is no option '" + name + "'" + did_you_mean(name, option_names(command)) + help;
  }
  if (unknown.empty()) return (chosen.empty() ? "a command is required" : error.what()) + help;
  if (chosen.empty()) return no_command();
  return "unexpected argument '" + unknown[0] + "'" + help;
}

ExitStatus fail(ExitStatus status, const std::string& line) {
  std::cout.flush();
  std::cerr << line << '\n';
  return status;
}

/// Of a command that ranks share; they all have the same line until one has started to work.
ExitStatus fail(ExitStatus status, const std::string& line, const Invocation& invocation) {
  if (!invocation.ranks && is_told_by_another_rank()) return status;
  return fail(status, line);
}

std::string text_of(const std::filesystem::filesystem_error& error) {
  std::error_code gone;
  static_cast<void>(std::filesystem::current_path(gone));
  if (gone) return "the current folder cannot be found: " + gone.message();
  return (error.path1().empty() ? "" : error.path1().string() + ": ") + error.code().message();
}

/// Throws UsageError for what CLI11 does not understand.
void call_command(CLI::App& app, Invocation& invocation, int count, char** words) {
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) fail_with_all_ranks(invocation, command_line_error(app, error));
    app.exit(error);  // prints what --help asked for
  }
}

ExitStatus run(CLI::App& app, Invocation& invocation, int count, char** words) {
  try {
    call_command(app, invocation, count, words);
    invocation.has_returned = true;
    return invocation.status;
  } catch (const OtherRankFailed& failed) {
    return failed.status();
  } catch (const Interrupted& interrupted) {
    return fail(ExitStatus::interrupted, interrupted.what());
  } catch (const NotEnoughMemory& error) {
    return fail(exit_status_of(error), "jostle: not enough memory: " + std::string(error.what()), invocation);
  } catch (const std::bad_alloc& error) {
    return fail(exit_status_of(error), "jostle: not enough memory", invocation);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(exit_status_of(error), text_of(error), invocation);
  } catch (const std::system_error& error) {
    return fail(exit_status_of(error), "a thread cannot be created: " + error.code().message(), invocation);
  } catch (const std::exception& error) {
    const ExitStatus status = exit_status_of(error);
    const char* const before = status == ExitStatus::internal ? "jostle: internal error: " : "";
    return fail(status, before + std::string(error.what()), invocation);
  }
}

/// A rank with an error that no other knows of ends them, who would wait for it.
void end_ranks(Invocation& invocation) {
  std::cerr.flush();
  if (!invocation.ranks) return;
  if (invocation.has_returned || invocation.ranks->all_have_failed) invocation.ranks->end();
  invocation.ranks.reset();
}

}  // namespace

int run_program(int count, char** words) {
  open_standard_streams();
  end_at_interrupts();  // until a command says otherwise
  begin_log(false);
  std::ios::sync_with_stdio(false);
  Invocation invocation{{words, words + count}, ExitStatus::ok};
  CLI::App app{"Monte Carlo simulation of small rigid-body contact systems with bit-identical results", "jostle"};
  app.require_subcommand(1);
  app.footer("Example: jostle sweep scenarios/library/rod.yaml -n 20000 -o out/");
  add_sweep(app, invocation);
  add_generate(app, invocation);
  add_run(app, invocation);
  add_report(app, invocation);
  add_diff(app, invocation);
  add_record(app, invocation);
  add_status(app, invocation);
  add_merge(app, invocation);
  add_view(app, invocation);
  add_lcp(app, invocation);
  add_import(app, invocation);
  add_rest(app, invocation);
  add_compare(app, invocation);
  add_check_device(app, invocation);
  add_selftest(app, invocation);
  add_info(app, invocation);
  add_schema(app, invocation);
  const ExitStatus status = close_stdout(run(app, invocation, count, words));
  end_ranks(invocation);
  return static_cast<int>(status);
}

}  // namespace jostle
