#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace jostle {

/// Explains why `app` could not parse the command line, guided by what the user most likely meant.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace jostle
