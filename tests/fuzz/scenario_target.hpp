#pragma once
// What must hold for every text given to the scenario reader; used by the fuzzer and by the replay of its corpus.
#include <string>
#include <string_view>

#include "scenarios/ensemble.hpp"
#include "scenarios/format/canonical.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle::test {

/// The compiled conditions of a sample say the same as its formulas with its numbers.
inline std::string fault_of_samples(const Scenario& scenario) {
  if (scenario.sample.method == SampleMethod::table) return {};
  try {
    const Ensemble ensemble(scenario);
    Batch batch(ensemble.model(), 1);
    for (std::int64_t sample = 0; sample < 3; ++sample) {
      ensemble.load(sample, batch, 0);
      const bool is_bad = batch.status(0) == Status::bad_parameters;
      if (is_bad != ensemble.fault(ensemble.draw(sample)).has_value())
        return "sample " + std::to_string(sample) + (is_bad ? " is bad, but nobody says why" : " has an unseen fault");
    }
  } catch (const ScenarioError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) return error.what();
  }
  return {};
}

/// The first law that `bytes` breaks: they are refused with one line that names the place, or are a scenario whose
/// canonical text means the same. A --set option may follow after a zero byte. Empty if the laws hold.
inline std::string fault_of_scenario(std::string_view bytes) {
  ReadOptions options;
  const std::size_t zero = bytes.find('\0');
  if (zero != std::string_view::npos) options.set.emplace_back(bytes.substr(zero + 1));
  Scenario scenario;
  try {
    scenario = parse_scenario(bytes.substr(0, zero), "fuzz.yaml", options);
  } catch (const ScenarioError& error) {
    const std::string_view line = error.what();
    if (line.find('\n') != std::string_view::npos) return "more than one line: " + std::string(line);
    const bool placed =
        line.starts_with("fuzz.yaml:") ? error.line > 0 && error.column > 0 : line.starts_with("--set ");
    return placed ? "" : "no place: " + std::string(line);
  }
  try {
    const Scenario again = parse_scenario(scenario.canonical, "canonical.yaml");
    if (again.canonical != scenario.canonical) return "canonical text changes when it is read";
    for (std::size_t i = 0; i < scenario.variables.size(); ++i)
      if (i >= again.variables.size() || again.variables[i].name != scenario.variables[i].name)
        return "variables change order in the canonical text";
    if (again.variables.size() != scenario.variables.size()) return "canonical text has more variables";
  } catch (const ScenarioError& error) {
    return "canonical text is refused: " + std::string(error.what()) + "\n" + scenario.canonical;
  }
  return fault_of_samples(scenario);
}

}  // namespace jostle::test
