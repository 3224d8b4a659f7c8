// `world`, `sample` and `record`.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "scenarios/reader_sections.hpp"

namespace jostle {
namespace {

constexpr double standard_gravity = 9.81;

/// duration / step, which must be a whole number up to 1e-9, or up to the rounding of the quotient where that is more:
/// step and duration are off by half a unit in the last place each, and so is their quotient.
std::int64_t read_steps(const SourceNames& sources, const MapReader& world, double step, double duration) {
  const Location& where = world.at("duration").where;
  const double steps = duration / step;
  if (!(steps <= std::numeric_limits<std::int32_t>::max()))
    sources.fail(where, "world.duration is more than 2147483647 steps");
  const double tolerance = std::max(1e-9, 4 * std::numeric_limits<double>::epsilon() * steps);
  if (std::fabs(steps - std::round(steps)) > tolerance || std::round(steps) < 1) {
    char text[32];
    int decimals = 6;  // or as many more as show that it is none
    do std::snprintf(text, sizeof text, "%.*f", decimals++, steps);
    while (decimals <= 17 && std::strtod(text, nullptr) == std::round(steps));
    const double below = std::max(std::floor(steps), 1.0);
    char proposal[96];
    std::snprintf(proposal, sizeof proposal, "; %.0f steps take %.12g s, %.0f take %.12g s", below, below * step,
                  below + 1, (below + 1) * step);
    sources.fail(where, std::string("world.duration must be a whole number of steps, not ") + text + proposal);
  }
  return static_cast<std::int64_t>(std::round(steps));
}

std::uint64_t read_seed(const SourceNames& sources, const Node& node) {
  std::uint64_t seed = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [stop, error] = std::from_chars(node.text.data(), end, seed);
  if (node.kind != Node::Kind::scalar || node.quoted || stop != end || error != std::errc())
    sources.fail(node.where, "sample.seed must be a whole number from 0 to 2^64 - 1, not " + describe(node));
  return seed;
}

}  // namespace

WorldSpec read_world(const NumberReader& numbers, const Node& node) {
  const SourceNames& sources = numbers.sources();
  const MapReader map(sources, node, "world", "world");
  WorldSpec world;
  world.gravity[2].constant = -standard_gravity;
  if (const Node* gravity = map.find("gravity")) numbers.read(*gravity, map.path("gravity"), world.gravity);
  world.step = read_constant(sources, map.at("step"), map.path("step"), Sign::positive);
  world.duration = read_constant(sources, map.at("duration"), map.path("duration"), Sign::positive);
  world.steps = read_steps(sources, map, world.step, world.duration);
  world.method =
      method_named(map.word("method", {"anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"}));
  world.linearisation =
      map.word("linearisation") == "fixed_point" ? Linearisation::fixed_point : Linearisation::predicted;
  world.friction_directions = 0;
  if (const Node* directions = map.find("friction_directions")) {
    constexpr int most = 64;
    world.friction_directions_where = directions->where;
    world.friction_directions =
        static_cast<int>(read_whole_number(sources, *directions, map.path("friction_directions"), 2, most));
  }
  return world;
}

SampleSpec read_sample(const SourceNames& sources, const Node& node) {
  const MapReader map(sources, node, "sample", "sample");
  SampleSpec sample;
  const std::string_view method = map.word("method", {"latin_hypercube", "grid"});
  sample.method = method == "sobol"    ? SampleMethod::sobol
                  : method == "random" ? SampleMethod::random
                                       : SampleMethod::table;
  sample.count = map.whole_number("count", 1, -1);
  if (const Node* seed = map.find("seed")) sample.seed = read_seed(sources, *seed);
  if (const Node* table = map.find("table")) {
    if (map.find("method") && sample.method != SampleMethod::table)
      sources.fail(map.at("method").where, "sample.method must be table, or be left out, if there is sample.table");
    sample.method = SampleMethod::table;
    sample.table = read_text(sources, *table, map.path("table"));
    if (sample.table.empty()) sources.fail(table->where, "sample.table must be the path of a CSV file");
  } else if (sample.method == SampleMethod::table) {
    map.fail("sample.table is missing");
  }
  return sample;
}

RecordSpec read_record(const SourceNames& sources, const Node& node) {
  const MapReader map(sources, node, "record", "record");
  RecordSpec record;
  record.stride = static_cast<int>(map.find("stride") ? read_whole_number(sources, map.at("stride"), "record.stride", 1,
                                                                          std::numeric_limits<std::int32_t>::max())
                                                      : 1);
  const Node* which = map.find("trajectories");
  if (!which) return record;
  if (which->kind == Node::Kind::scalar && which->text == "all") {
    record.which = RecordSpec::Which::all;
  } else if (which->kind == Node::Kind::scalar && which->text == "failures") {
    record.which = RecordSpec::Which::failures;
  } else if (which->kind != Node::Kind::scalar || std::isalpha(static_cast<unsigned char>(which->text[0]))) {
    sources.fail(which->where, "record.trajectories must be all, failures or a whole number, not " + describe(*which));
  } else {
    record.trajectories = map.whole_number("trajectories", 0, 0);
    if (record.trajectories > 0) record.which = RecordSpec::Which::first;
  }
  return record;
}

}  // namespace jostle
