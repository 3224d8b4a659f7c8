// Distributions: {uniform: [a, b]} and the others, in place of a number and under `variables`.
#include <algorithm>
#include <cmath>

#include "scenarios/format/keys.hpp"
#include "scenarios/reader/numbers.hpp"
#include "scenarios/reader/values.hpp"

namespace jostle {
namespace {

using Kind = Distribution::Kind;

/// Whole numbers beyond this are not all doubles.
constexpr double largest_whole_number = 9007199254740992.0;

/// Of an integer distribution: there are as many random numbers.
constexpr double most_whole_numbers = 0x1p52;

void check_bounds(const SourceNames& sources, const Node& node, const std::string& path, Kind kind,
                  const Bounds& bounds) {
  const auto [first, second] = bounds;
  const auto fail = [&](const char* what) { sources.fail(node.where, path + what); };
  if (kind == Kind::normal && !(second > 0)) fail(" needs a deviation greater than 0");
  if (kind == Kind::normal) return;
  if (kind == Kind::integer) {
    for (const double bound : {first, second}) {
      if (bound != std::floor(bound)) fail(" needs whole numbers");
      if (std::fabs(bound) > largest_whole_number) fail(" needs whole numbers of at most 2^53, 9007199254740992");
    }
    if (first > second) fail(" needs a lower bound not above the upper bound");
    if (second - first >= most_whole_numbers) fail(" has more than 2^52 numbers, 4503599627370496");
    return;
  }
  if (kind == Kind::log_uniform && !(first > 0)) fail(" needs a lower bound greater than 0");
  if (!(first < second)) fail(" needs a lower bound less than the upper bound");
  if (!std::isfinite(second - first)) fail(" is too wide for a double");
}

void check_truncation(const MapReader& map, const Distribution& distribution) {
  if (distribution.kind != Kind::normal && (map.find("min") || map.find("max")))
    map.fail(map.path() + ": min and max are for normal only");
  if (distribution.kind != Kind::normal) return;
  if (!(distribution.minimum < distribution.maximum)) map.fail(map.path() + " needs min less than max");
  if (!has_mass(distribution) || !std::isfinite(quantile(distribution, 0.5)))
    map.fail(map.path() + ": the probability of a value between min and max is 0, or too small to draw from");
}

/// The values of a distribution's keys, all of which are constants.
struct DistributionReader {
  const SourceNames& sources;
  std::string_view unit;  ///< of the values

  void read(const Node& node, const std::string& path, const Key& key, double& value) const {
    value = read_constant(sources, node, path, key.in(unit));
  }

  void read(const Node& node, const std::string& path, const Key&, std::string& text) const {
    text = read_text(sources, node, path);
  }

  void read(const Node& node, const std::string& path, const Key& key, std::vector<double>& values) const {
    values = read_constants(sources, node, path, key.name == "values" ? key.in(unit) : key);
  }

  void read(const Node& node, const std::string& path, const Key&, Choice& choice) const {
    const MapReader map(sources, node, key_table<Choice>(), path);
    read_keys(map, choice);
    const auto& [values, weights] = choice;
    if (values.empty()) map.fail("values", " must not be empty");
    if (!map.find("weights")) return;
    const auto fail = [&](const std::string& what) { map.fail("weights", what); };
    if (weights.size() != values.size()) fail(" must have as many entries as values, " + std::to_string(values.size()));
    double sum = 0;
    for (const double weight : weights) sum += weight;
    if (!(sum > 0) || !std::isfinite(sum)) fail(" must have a finite sum greater than 0");
  }

  template <class Member>
  void read(const Node& node, const std::string& path, const Key& key, const Alternative<Kind, Member>& chosen) const {
    chosen.tag = chosen.value;
    if constexpr (Is<Member, Bounds>) {
      const std::vector<Node>& bounds = read_list(sources, node, path, 2);
      chosen.member = {read_constant(sources, bounds[0], item_path(path, 0), key.in(unit)),
                       read_constant(sources, bounds[1], item_path(path, 1), key.in(unit))};
      check_bounds(sources, node, path, chosen.value, chosen.member);
    } else {
      read(node, path, key, chosen.member);
    }
  }

  template <class Spec>
  void read_keys(const MapReader& map, Spec& spec) const {
    visit_keys(spec, [&](auto&& member, const Key& key) {
      if (const Node* node = map.find(key.name)) read(*node, map.path(key.name), key, member);
    });
  }
};

}  // namespace

bool is_distribution(const Node& node) {
  const std::vector<std::string_view> kinds = words<Kind>();
  return std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) { return node.find(kind) != nullptr; });
}

Distribution read_distribution(const SourceNames& sources, const Node& node, const std::string& path,
                               std::string_view unit) {
  const MapReader map(sources, node, key_table<Distribution>(), path);
  Distribution distribution;
  DistributionReader{sources, unit}.read_keys(map, distribution);
  check_truncation(map, distribution);
  return distribution;
}

}  // namespace jostle
