#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cuda/lcp_batch.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/lcp_files/lcp_file.hpp"
#include "drivers/lcps.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/options.hpp"

namespace jostle {
namespace {

/// What the residual is.
constexpr const char* residual_formula = "max|min(z, w)| / max(1, max|q|)";

/// What is not there is null.
std::string json_line(const DenseLcpSolution& solution, const std::string& name) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!name.empty()) json["name"] = name;
  json["status"] = name_of(solution);
  for (const char* key : {"z", "w", "basis", "ray", "proof"}) json[key] = nullptr;
  if (solution.status == LcpStatus::solved)
    json["z"] = solution.z, json["w"] = solution.w, json["basis"] = solution.basis;
  if (!solution.ray.empty()) json["ray"] = solution.ray;
  if (!solution.proof.empty()) json["proof"] = solution.proof;
  json["pivots"] = solution.pivots;
  json["attempts"] = solution.attempts;
  json["residual"] = solution.residual;  // infinity is written as null
  json["residual_is"] = residual_formula;
  return json.dump();
}

/// "z0 w1 w2": the basic variable of each pair.
std::string basis_text(const std::vector<std::uint8_t>& basis) {
  std::string text;
  for (std::size_t i = 0; i < basis.size(); ++i) text += fmt::format(" {}{}", basis[i] != 0 ? 'z' : 'w', i);
  return text;
}

std::string text_lines(const DenseLcpSolution& solution) {
  std::string text = fmt::format("{} after {} pivots in {} attempt{}", name_of(solution), solution.pivots,
                                 solution.attempts, solution.attempts == 1 ? "" : "s");
  if (solution.status == LcpStatus::solved)
    text += fmt::format(", residual {:.2e} = {}\n  z: {}\n  w: {}", solution.residual, residual_formula,
                        fmt::join(solution.z, " "), fmt::join(solution.w, " ")) +
            "\n  basis:" + basis_text(solution.basis);
  if (!solution.proof.empty()) text += fmt::format("\n  proof: {}", fmt::join(solution.proof, " "));
  if (!solution.ray.empty()) text += fmt::format("\n  ray: {}", fmt::join(solution.ray, " "));
  return text + '\n';
}

struct LcpCommand {
  std::string file, device = "auto", teams, threads;
  bool json = false, exhaustive = false;
};

/// Solves some problems after the other on the CPU, so that the first results appear at once; together on a GPU.
class Solver {
 public:
  Solver(const std::vector<NamedLcp>& problems, Device* device, LcpsOptions options)
      : problems_(problems), options_(std::move(options)) {
    if (!device) return;
    std::vector<DenseLcp> lcps;
    for (const NamedLcp& problem : problems) lcps.push_back(problem.lcp);
    answers_ = solve_lcps(*device, lcps);
    for (std::size_t i = 0; i < answers_.size(); ++i)
      search_further(view_of(lcps[i]), options_.lemke, options_.search, answers_[i]);
  }
  /// Of problem i; they are asked for in their order.
  const DenseLcpSolution& answer(std::size_t i) {
    if (i == answers_.size()) solve_more();
    return answers_[i];
  }

 private:
  void solve_more() {
    constexpr std::size_t at_once = 256;
    std::vector<LcpView> views;
    for (std::size_t i = answers_.size(); i < std::min(answers_.size() + at_once, problems_.size()); ++i)
      views.push_back(view_of(problems_[i].lcp));
    for (DenseLcpSolution& found : solve_lcps(views, options_)) answers_.push_back(std::move(found));
  }

  static LcpView view_of(const DenseLcp& lcp) {
    const int n = static_cast<int>(lcp.q.size());
    return {n, n, lcp.M.data(), lcp.q.data()};
  }

  const std::vector<NamedLcp>& problems_;
  LcpsOptions options_;
  std::vector<DenseLcpSolution> answers_;
};

ExitStatus run_command(const LcpCommand& command) {
  ExitStatus status = ExitStatus::ok;
  LcpsOptions options;
  if (!command.threads.empty())
    options.threads = static_cast<int>(whole_number("--threads", command.threads, 1, most_threads));
  options.search.exhaustive = command.exhaustive;
  const Machine machine = open_machine(command.device, command.teams, 0, AutoDevice::cpu);
  const std::vector<NamedLcp> problems = read_lcp_file(command.file);
  Solver solver(problems, machine.gpu(), options);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const DenseLcpSolution& answer = solver.answer(i);
    const std::string& name = problems[i].name;
    if (answer.status != LcpStatus::solved) status = ExitStatus::invalid_samples;
    if (command.json)
      std::cout << (i == 0 ? "[\n  " : ",\n  ") << json_line(answer, name);
    else
      std::cout << "problem " << i << (name.empty() ? "" : ", " + name) << ": " << text_lines(answer);
  }
  if (command.json) std::cout << "\n]\n";
  return status;
}

}  // namespace

void add_lcp(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<LcpCommand>();
  CLI::App* lcp = app.add_subcommand("lcp", "solve your own LCPs: w = M z + q, z, w >= 0, z'w = 0");
  add_value(*lcp, "file", command->file, "",
            R"(JSON: {"M": [[...]], "q": [...]}, a list of them or one per line; .npz with M and q; or - for stdin)")
      ->required();
  add_device(*lcp, command->device, AutoDevice::cpu);
  add_teams(*lcp, command->teams);
  add_value(*lcp, "--threads", command->threads, "N", "threads (default: one per processor)");
  lcp->add_flag("--exhaustive", command->exhaustive,
                "as the last resort, tries every basis of a problem of at most 12 rows");
  lcp->add_flag("--json", command->json,
                "a list of objects with status, z, w, basis, ray, proof, pivots, attempts, residual");
  lcp->footer("Exit status 3 unless all are solved.\nExample: jostle lcp problems.json --json");
  lcp->callback([command, &invocation] { invocation.status = run_command(*command); });
}

}  // namespace jostle
