#pragma once
// Reads a scenario file into a checked Scenario. Errors that affect every sample throw a one-line ScenarioError.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/model/scenario.hpp"
#include "scenarios/text/error.hpp"

namespace jostle {

struct ReadOptions {
  /// "world.step=0.001", "bodies.rod.spin[2]=4", "variables.mu=0.6": override values of the file. A path may
  /// name a key that the file leaves out, but not a body, variable or outcome that it does not have.
  std::vector<std::string> set;
  std::optional<std::int64_t> count;  ///< -n, at least 1; overrides sample.count
  std::optional<std::uint64_t> seed;  ///< --seed; overrides sample.seed
  bool every_step = false;            ///< --every-step: computes steps that repeat the one before, too
  bool live = false;  ///< of a live batch: record.quantities name nothing in a dataset, and may have a '/'
};

/// Reads a file. Messages call it `path`.
Scenario read_scenario(const std::string& path, const ReadOptions& options = {});

/// What keeps the canonical text from being the same scenario when it is read, as all that works on the folder of a
/// sweep does: another text, other names of random numbers, and so other samples. Empty: nothing.
std::string fault_of_canonical(const Scenario& scenario);

/// Reads a text, without touching any file.
Scenario parse_scenario(std::string_view text, const std::string& file_name, const ReadOptions& options = {});

/// The path and the text of every number, word or list of such of a text, in the order of the file:
/// {"contacts[0].friction", "0.5"}, {"world.gravity", "[0, -9.81, 0]"}. Throws ScenarioError.
std::vector<std::pair<std::string, std::string>> settings_of(const std::string& yaml);

}  // namespace jostle
