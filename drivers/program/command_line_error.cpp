#include "drivers/program/command_line_error.hpp"

#include <algorithm>
#include <vector>

#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

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

}  // namespace

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

}  // namespace jostle
