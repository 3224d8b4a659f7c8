#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cuda/lcp_batch.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/lcp_file.hpp"
#include "drivers/program/options.hpp"

namespace jostle {
namespace {

const char* name_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved: return "solved";
    case LcpStatus::ray: return "ray";
    case LcpStatus::pivot_limit: return "pivot_limit";
    case LcpStatus::uncertified: return "uncertified";
    case LcpStatus::not_finite: return "not_finite";
  }
  return "unknown";
}

/// Without a solution, z, w and the residual are null.
std::string json_line(const DenseLcpSolution& solution) {
  const bool solved = solution.status == LcpStatus::solved;
  nlohmann::ordered_json json{{"status", name_of(solution.status)}, {"z", nullptr}, {"w", nullptr}};
  if (solved) json["z"] = solution.z, json["w"] = solution.w;
  json["pivots"] = solution.pivots;
  json["residual"] = solution.residual;  // infinity is written as null
  return json.dump();
}

std::string text_lines(const DenseLcpSolution& solution) {
  std::string text = fmt::format("{} after {} pivots", name_of(solution.status), solution.pivots);
  if (solution.status != LcpStatus::solved) return text + '\n';
  return text + fmt::format(", residual {:.2e}\n  z: {}\n  w: {}\n", solution.residual, fmt::join(solution.z, " "),
                            fmt::join(solution.w, " "));
}

struct LcpCommand {
  std::string file, device = "auto", teams;
  bool json = false;
};

/// Solves one after the other on the CPU, so that the first results appear at once; together on a GPU.
class Solver {
 public:
  Solver(const std::vector<DenseLcp>& problems, Device* device) : problems_(problems) {
    if (device) solutions_ = solve_lcps(*device, problems);
  }
  DenseLcpSolution solution(std::size_t i) const {
    return solutions_.empty() ? solve_dense_lcp(problems_[i].M, problems_[i].q) : solutions_[i];
  }

 private:
  const std::vector<DenseLcp>& problems_;
  std::vector<DenseLcpSolution> solutions_;
};

ExitStatus run_command(const LcpCommand& command) {
  ExitStatus status = ExitStatus::ok;
  const Machine machine = open_machine(command.device, command.teams, 0, AutoDevice::cpu);
  const std::vector<DenseLcp> problems = read_lcp_file(command.file);
  const Solver solver(problems, machine.gpu());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const DenseLcpSolution solution = solver.solution(i);
    if (solution.status != LcpStatus::solved) status = ExitStatus::invalid_samples;
    if (command.json)
      std::cout << (i == 0 ? "[\n  " : ",\n  ") << json_line(solution);
    else
      std::cout << "problem " << i << ": " << text_lines(solution);
  }
  if (command.json) std::cout << "\n]\n";
  return status;
}

}  // namespace

void add_lcp(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<LcpCommand>();
  CLI::App* lcp = app.add_subcommand("lcp", "solve your own LCPs: w = M z + q, z, w >= 0, z'w = 0");
  add_value(*lcp, "file", command->file, "", R"(JSON: {"M": [[...]], "q": [...]} or a list of them)")->required();
  add_value(*lcp, "--device", command->device, "NAME", "auto, cpu or cuda[:i] (default auto, which is cpu)");
  add_teams(*lcp, command->teams);
  lcp->add_flag("--json", command->json, "a list of objects with status, z, w, pivots and residual");
  lcp->footer("Exit status 3 unless all are solved.\nExample: jostle lcp problems.json --json");
  lcp->callback([command, &invocation] { invocation.status = run_command(*command); });
}

}  // namespace jostle
