#include "drivers/program/program.hpp"

#include <exception>
#include <iostream>
#include <new>

#include "drivers/errors.hpp"
#include "drivers/program/command_line_error.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/standard_streams.hpp"

namespace jostle {
namespace {

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

}  // namespace

int run_program(int count, char** words) {
  open_standard_streams();
  std::ios::sync_with_stdio(false);
  Invocation invocation{{words, words + count}, ExitStatus::ok};
  CLI::App app{"Monte Carlo simulation of small rigid-body contact systems with bit-identical results", "jostle"};
  app.require_subcommand(1);
  app.footer("Example: jostle sweep scenarios/library/rod.yaml -n 20000 -o out/");
  add_sweep(app, invocation);
  add_generate(app, invocation);
  add_run(app, invocation);
  add_report(app, invocation);
  add_record(app, invocation);
  add_view(app, invocation);
  add_lcp(app, invocation);
  add_compare(app, invocation);
  add_check_device(app, invocation);
  add_selftest(app, invocation);
  add_info(app, invocation);
  add_schema(app, invocation);
  return static_cast<int>(close_stdout(run(app, invocation, count, words)));
}

}  // namespace jostle
