#include "scenarios/reader/reader.hpp"

#include "core/batch/default_arithmetic.hpp"
#include "scenarios/format/canonical.hpp"
#include "scenarios/reader/sections.hpp"
#include "scenarios/text/file.hpp"

namespace jostle {
namespace {

void override_sample(const ReadOptions& options, SampleSpec& sample) {
  if (options.count && *options.count < 1)
    throw ScenarioError("-n " + std::to_string(*options.count), 0, 0, "the number of samples must be 1 or more");
  if (options.count) sample.count = *options.count;
  if (options.seed) sample.seed = *options.seed;
}

/// The file's text, up to one byte more than the limit, which is enough to refuse it.
std::string read_text_file(const std::string& path) {
  try {
    return bytes_of_file(path, "a scenario file", max_scenario_bytes + 1);
  } catch (const UnreadableFile& error) {
    throw ScenarioError(path, 1, 1, error.what());
  }
}

}  // namespace

ScenarioError error_at(const Scenario& scenario, const Location& where, const std::string& message) {
  try {
    SourceNames{scenario.file, scenario.set}.fail(where, message);
  } catch (const ScenarioError& error) {
    return error;
  }
}

std::int64_t cells_of(const SampleSpec& sample) {
  std::int64_t cells = 1;
  for (const VariedSpec& varied : sample.vary) cells *= static_cast<std::int64_t>(varied.values.size());
  return cells;
}

bool draws_anything(const Scenario& scenario) {
  if (scenario.sample.method == SampleMethod::table || cells_of(scenario.sample) > 1) return true;
  for (const Variable& variable : scenario.variables) {
    const Range range = range_of(variable.distribution);
    if (range.least < range.largest) return true;
  }
  return false;
}

Scenario parse_scenario(std::string_view text, const std::string& file_name, const ReadOptions& options) {
  const DefaultArithmetic arithmetic;
  const SourceNames sources{file_name, options.set};
  Node root = parse_tree(text, sources);
  apply_set(sources, root);
  number_nodes(root);
  Scenario scenario;
  scenario.file = file_name;
  scenario.set = options.set;
  scenario.world.every_step = options.every_step;
  Reading reading(sources, scenario);
  reading.numbers.set_file(root);
  read_spec(reading, root, "", scenario);
  sort_variables(reading);
  check_names(sources, scenario);
  if (!options.live) check_names_in_dataset(sources, root, scenario.record);
  check_scene(scenario);
  override_sample(options, scenario.sample);
  scenario.canonical = canonical_yaml(scenario);
  return scenario;
}

Scenario read_scenario(const std::string& path, const ReadOptions& options) {
  return parse_scenario(read_text_file(path), path, options);
}

}  // namespace jostle
