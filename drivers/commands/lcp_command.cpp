#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/lcp/dense.hpp"
#include "drivers/commands/commands.hpp"
#include "drivers/errors.hpp"

namespace jostle {

namespace {

struct DenseLcp {
  std::vector<double> M, q;
};

const char* name_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved: return "solved";
    case LcpStatus::ray: return "ray";
    case LcpStatus::pivot_limit: return "pivot_limit";
    case LcpStatus::uncertified: return "uncertified";
    case LcpStatus::not_finite: return "not_finite";
  }
  return "";
}

std::vector<double> numbers(const nlohmann::json& array, const std::string& where) {
  if (!array.is_array()) throw UsageError(where + ": expected a list of numbers");
  std::vector<double> values;
  for (const auto& value : array) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) throw UsageError(where + ": expected finite numbers");
    values.push_back(value.get<double>());
  }
  return values;
}

DenseLcp problem_of(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object() || !json.contains("M") || !json.contains("q")) {
    throw UsageError(where + ": expected {\"M\": [[...]], \"q\": [...]}");
  }
  DenseLcp problem{{}, numbers(json["q"], where + ".q")};
  if (!json["M"].is_array() || json["M"].size() != problem.q.size()) {
    throw UsageError(where + ".M: expected as many rows as q has numbers, " + std::to_string(problem.q.size()));
  }
  for (std::size_t i = 0; i < problem.q.size(); ++i) {
    const std::string row_name = where + ".M[" + std::to_string(i) + "]";
    const std::vector<double> row = numbers(json["M"][i], row_name);
    if (row.size() != problem.q.size()) throw UsageError(row_name + ": M is not square");
    problem.M.insert(problem.M.end(), row.begin(), row.end());
  }
  return problem;
}

std::vector<DenseLcp> read_problems(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  nlohmann::json json;
  if (!in) throw UsageError(file + ":1:1: cannot be read");
  try {
    json = nlohmann::json::parse(in);
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(file + ": " + error.what());
  }
  std::vector<DenseLcp> problems;
  if (!json.is_array()) return {problem_of(json, file)};
  for (std::size_t i = 0; i < json.size(); ++i) problems.push_back(problem_of(json[i], file + "[" + std::to_string(i) + "]"));
  return problems;
}

nlohmann::ordered_json to_json(const DenseLcpSolution& solution) {
  const bool solved = solution.status == LcpStatus::solved;
  nlohmann::ordered_json json{{"status", name_of(solution.status)}, {"z", nullptr}, {"w", nullptr}};
  if (solved) json["z"] = solution.z, json["w"] = solution.w;
  json["pivots"] = solution.pivots;
  json["residual"] = solved ? nlohmann::ordered_json(solution.residual) : nlohmann::ordered_json(nullptr);
  return json;
}

ExitStatus run_command(const std::string& file, bool as_json) {
  ExitStatus status = ExitStatus::ok;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const DenseLcp& problem : read_problems(file)) {
    const DenseLcpSolution solution = solve_dense_lcp(problem.M, problem.q);
    if (solution.status != LcpStatus::solved) status = ExitStatus::invalid_samples;
    list.push_back(to_json(solution));
  }
  if (as_json) {
    std::cout << list.dump(2) << '\n';
    return status;
  }
  for (const auto& solution : list) {
    std::cout << "status " << solution["status"].get<std::string>() << ", pivots " << solution["pivots"] << ", residual "
              << solution["residual"] << "\nz " << solution["z"] << "\nw " << solution["w"] << '\n';
  }
  return status;
}

}  // namespace

void add_lcp(CLI::App& app, ExitStatus& status) {
  auto file = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  CLI::App* lcp = app.add_subcommand("lcp", "solve one's own LCPs: w = M z + q, z, w >= 0, z'w = 0");
  lcp->add_option("file", *file, "{\"M\": [[...]], \"q\": [...]} or a list of them")->required();
  lcp->add_flag("--json", *as_json, "a list with status, z, w, pivots and residual");
  lcp->footer("Example: jostle lcp problems.json --json");
  lcp->callback([file, as_json, &status] { status = run_command(*file, *as_json); });
}

}  // namespace jostle
