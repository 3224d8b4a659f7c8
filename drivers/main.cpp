// The `jostle` program: finds the command, runs it, and says in one line what went wrong.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>

#include "drivers/commands/commands.hpp"
#include "drivers/errors.hpp"
#include "scenarios/suggest.hpp"

namespace jostle {
namespace {

/// A file opened by the program must never get the number of a standard stream that the caller closed.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0)
      std::_Exit(static_cast<int>(ExitStatus::file));
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

/// What is wrong with the command line, by what the user most likely meant.
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
  return "'" + unknown[0] + "' is one word too many" + help;
}

ExitStatus fail(ExitStatus status, const std::string& line) {
  std::cout.flush();
  std::cerr << line << '\n';
  return status;
}

ExitStatus run(CLI::App& app, Invocation& invocation, int count, char** words) {
  try {
    app.parse(count, words);
    return invocation.status;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return fail(ExitStatus::usage, command_line_error(app, error));
    app.exit(error);  // prints what --help asked for
    return ExitStatus::ok;
  } catch (const std::bad_alloc& error) {
    return fail(exit_status_of(error), "jostle: not enough memory");
  } catch (const std::exception& error) {
    const ExitStatus status = exit_status_of(error);
    return fail(status, (status == ExitStatus::internal ? "jostle: internal error: " : "") + std::string(error.what()));
  }
}

bool reader_is_gone() {
  pollfd stream = {STDOUT_FILENO, 0, 0};
  return ::poll(&stream, 1, 0) == 1 && (stream.revents & POLLERR) != 0;
}

/// Data that did not reach stdout are an error; one that needs no word if whoever read them has had enough.
ExitStatus close_stdout(ExitStatus status) {
  if (std::cout.flush()) return status;
  if (reader_is_gone()) return ExitStatus::file;
  return fail(ExitStatus::file, "standard output: cannot be written");
}

int run_program(int count, char** words) {
  open_standard_streams();
  std::ios::sync_with_stdio(false);
  Invocation invocation{{words, words + count}, ExitStatus::ok};
  CLI::App app{"Monte Carlo simulation of small rigid-body contact systems, exact and equal to the bit", "jostle"};
  app.require_subcommand(1);
  app.footer("Example: jostle sweep scenarios/library/rod.yaml -n 20000 -o out/");
  add_sweep(app, invocation);
  add_run(app, invocation);
  add_lcp(app, invocation);
  add_compare(app, invocation);
  add_check_device(app, invocation);
  add_info(app, invocation);
  add_schema(app, invocation);
  return static_cast<int>(close_stdout(run(app, invocation, count, words)));
}

}  // namespace
}  // namespace jostle

int main(int count, char** words) { return jostle::run_program(count, words); }
