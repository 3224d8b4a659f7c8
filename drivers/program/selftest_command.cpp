#include <fmt/format.h>
#include <omp.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "drivers/embedded_files.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/options.hpp"
#include "drivers/text.hpp"
#include "scenarios/library_digest.hpp"

namespace jostle {
namespace {

struct SelftestCommand {
  std::string threads;
  bool json = false;
};

struct Finding {
  std::string scenario, golden, found;
  bool is_right() const { return golden == found; }
};

Finding test_scenario(const std::string& name, const std::string& golden, const RunOptions& options) {
  const std::string file = name + ".yaml";
  const Ensemble ensemble(parse_scenario(embedded_files().at(file), file));
  return {name, golden, digest_text(library_digest(ensemble, options))};
}

std::string line_of(const Finding& finding) {
  if (finding.is_right()) return fmt::format("{:<18} {}\n", finding.scenario, finding.found);
  return fmt::format("{:<18} {}  differs: the golden digest is {}\n", finding.scenario, finding.found, finding.golden);
}

nlohmann::ordered_json json_of(const std::vector<Finding>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings)
    list.push_back({{"scenario", finding.scenario},
                    {"golden", finding.golden},
                    {"found", finding.found},
                    {"right", finding.is_right()}});
  return list;
}

ExitStatus run_command(const SelftestCommand& command) {
  const auto begin = std::chrono::steady_clock::now();
  RunOptions options;
  if (!command.threads.empty())
    options.threads = static_cast<int>(whole_number("--threads", command.threads, 1, most_threads));
  std::vector<Finding> findings;
  std::int64_t wrong = 0;
  const auto digests = nlohmann::json::parse(embedded_files().at("golden_digests.json"));
  for (const auto& [name, golden] : digests.items()) {
    findings.push_back(test_scenario(name, golden.get<std::string>(), options));
    wrong += !findings.back().is_right();
    if (!command.json) std::cout << line_of(findings.back()) << std::flush;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto all = static_cast<std::int64_t>(findings.size());
  if (command.json)
    std::cout << json_of(findings).dump(2) << '\n';
  else if (wrong == 0)
    std::cout << fmt::format("all {} are golden: this machine computes the published bits ({})\n",
                             counted(all, "digest"), duration_text(seconds));
  else
    std::cout << fmt::format("{} of {} differ: do not trust results of this machine or build ({})\n", wrong,
                             counted(all, "digest"), duration_text(seconds));
  return wrong == 0 ? ExitStatus::ok : ExitStatus::internal;
}

}  // namespace

void add_selftest(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<SelftestCommand>();
  CLI::App* selftest =
      app.add_subcommand("selftest", "simulate the library on this CPU and compare all bits with the published ones");
  add_value(*selftest, "--threads", command->threads, "N", "threads (default: one per processor)");
  selftest->add_flag("--json", command->json, "a list of objects instead of text");
  selftest->footer(
      "Exit status: 0 if all digests are golden, 1 if one differs. For a GPU: jostle compare FILE --device cuda.\n"
      "Example: jostle selftest");
  selftest->callback([command, &invocation] { invocation.status = run_command(*command); });
}

}  // namespace jostle
