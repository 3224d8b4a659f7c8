#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace jostle {

/// What is wrong with the command line that `app` could not parse, by what the user most likely meant.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace jostle
