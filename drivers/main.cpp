// The `jostle` program.
#include <exception>
#include <iostream>

#include "drivers/commands/commands.hpp"
#include "drivers/errors.hpp"

int main(int argc, char** argv) {
  using namespace jostle;
  ExitStatus status = ExitStatus::ok;
  CLI::App app{"Monte Carlo simulation of small rigid-body contact systems, exact and equal to the bit"};
  app.require_subcommand(1);
  app.footer("Example: jostle sweep scenarios/library/rod.yaml -n 20000 -o out/");
  add_sweep(app, status);
  add_run(app, status);
  add_lcp(app, status);
  add_info(app, status);
  add_schema(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitStatus::usage);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    status = exit_status_of(error);
  }
  return static_cast<int>(status);
}
