// `sample`.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

/// Beyond this a grid is a mistake.
constexpr std::int64_t most_cells = std::int64_t{1} << 40;
constexpr double most_values = 1e6;

/// A key that makes sense with one method only, which it then stands for.
void check_method(const MapReader& map, SampleSpec& sample, std::string_view key, SampleMethod method) {
  if (!map.find(key)) return;
  if (map.find("method") && sample.method != method)
    map.fail("method", " must be " + word_for(method) + ", or be left out, if there is " + map.path(key));
  sample.method = method;
}

void check_grid(const Reading& reading, const MapReader& map, SampleSpec& sample) {
  if (sample.vary.empty()) map.fail("vary", " has no variable");
  std::int64_t cells = 1;
  for (const VariedSpec& varied : sample.vary) {
    cells *= static_cast<std::int64_t>(varied.values.size());
    if (cells > most_cells) reading.sources.fail(varied.where, "sample.vary has more than 2^40 cells");
  }
  if (map.find("repetitions")) {
    if (map.find("count")) map.fail("repetitions", " has no meaning, because sample.count is given");
    if (sample.repetitions > std::numeric_limits<std::int64_t>::max() / cells)
      map.fail("repetitions", " has more samples than can be counted");
  }
  if (sample.count < 0) sample.count = cells * sample.repetitions;
}

}  // namespace

void check_read(const Reading& reading, const MapReader& map, VariedSpec& varied) {
  const auto named = [&](const Variable& variable) { return !variable.in_place && variable.name == varied.name; };
  const std::vector<Variable>& variables = reading.scenario.variables;
  if (std::none_of(variables.begin(), variables.end(), named)) {
    std::vector<std::string> known;
    for (const Variable& variable : variables)
      if (!variable.in_place) known.push_back(variable.name);
    reading.sources.fail(varied.where, "sample.vary: there is no variable " + excerpt(varied.name) +
                                           did_you_mean_or_known(varied.name, known));
  }
  const Node& node = map.at(word_for(varied.kind));
  const std::string path = map.path(word_for(varied.kind));
  if (varied.kind == VariedSpec::Kind::values) {
    if (varied.values.empty()) reading.sources.fail(node.where, path + " must not be empty");
    return;
  }
  if (varied.grid.size() != 3) reading.sources.fail(node.where, path + " must be [first, last, number]");
  const double first = varied.grid[0], last = varied.grid[1], number = varied.grid[2];
  if (!(number >= 2 && number <= most_values && number == static_cast<double>(static_cast<std::int64_t>(number))))
    reading.sources.fail(node.where, path + " needs a whole number of values, 2 to 1e6");
  if (!(first < last)) reading.sources.fail(node.where, path + " needs a first value less than the last");
  if (!std::isfinite(last - first)) reading.sources.fail(node.where, path + " is too wide for a double");
  for (double k = 0; k < number; ++k)
    varied.values.push_back(k == number - 1 ? last : first + (last - first) * (k / (number - 1)));
}

void check_read(const Reading& reading, const MapReader& map, SampleSpec& sample) {
  if (map.find("table") && map.find("vary"))
    map.fail("vary", " has no meaning beside " + map.path("table") + ": samples are those of a table or of a grid");
  check_method(map, sample, "table", SampleMethod::table);
  check_method(map, sample, "vary", SampleMethod::grid);
  const bool tabular = sample.method == SampleMethod::table, grid = sample.method == SampleMethod::grid;
  if (tabular && !map.find("table")) map.fail("sample.table is missing");
  if (tabular && sample.table.empty()) map.fail("table", " must be the path of a CSV file");
  if (grid && !map.find("vary")) map.fail("sample.vary is missing, the variables of the grid");
  if (!grid && map.find("repetitions")) map.fail("repetitions", " has no meaning without sample.vary");
  if (grid) check_grid(reading, map, sample);
}

}  // namespace jostle
