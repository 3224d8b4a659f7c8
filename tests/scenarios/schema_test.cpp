#include "scenarios/format/schema.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "scenarios/format/keys.hpp"
#include "scenarios/reader/tree.hpp"
#include "tests/scenarios/error_case.hpp"
#include "tests/scenarios/schema_check.hpp"

namespace jostle {
namespace {

using test::edited;
using test::Json;

/// The file as an editor with a YAML plug-in gives it to the schema.
Json json_of(const Node& node) {
  if (node.kind == Node::Kind::null) return nullptr;
  if (node.kind == Node::Kind::list) {
    Json list = Json::array();
    for (const Node& item : node.items) list.push_back(json_of(item));
    return list;
  }
  if (node.kind == Node::Kind::map) {
    Json map = Json::object();
    for (const Node::Entry& entry : node.entries) map[entry.key] = json_of(entry.value);
    return map;
  }
  const Json plain = node.quoted ? Json() : Json::parse(node.text, nullptr, false);
  return plain.is_number() || plain.is_boolean() ? plain : Json(node.text);
}

bool accepted(const std::string& text) {
  static const test::SchemaCheck check(Json::parse(json_schema()));
  return check.accepts(json_of(parse_tree(text, {"schema.yaml", {}})));
}

TEST(Schema, AcceptsEveryLibraryScenario) {
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenarios/library")) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    EXPECT_TRUE(accepted(text.str())) << entry.path();
  }
}

TEST(Schema, RefusesWhatTheReaderRefuses) {
  EXPECT_TRUE(accepted(test::good_scenario));
  const test::Edit faults[] = {{"friction:", "friciton:"},
                               {"step: 0.0025", "stp: 0.0025"},
                               {"between: any, ", ""},
                               {"jostle: 1", "jostle: 2"},
                               {"fixed: true", "fixed: yes"},
                               {"position: [0, 0, 1]", "position: [0, 1]"},
                               {"position: [0, 0, 1]", "freedom: [x, w]"},
                               {"position: [0, 0, 1]", "freedom: [x, x]"},
                               {"position: [0, 0, 1]", "rotation: any"},
                               {"{sphere: {radius: 0.1}}", "{sphere: {radius: 0.1}, box: {size: [1, 1, 1]}}"},
                               {"{sphere: {radius: 0.1}}", "{convex: {points: []}}"},
                               {"{radius: 0.1}", "{}"},
                               {"uniform: [0.3, 0.9]", "uniform: [0.3]"},
                               {"uniform: [0.3, 0.9]", "uniform: [0.3, 0.4], normal: [0, 1]"},
                               {"world:\n", "world:\n  method: euler\n"},
                               {"outcomes:\n", "joints: [{ball: [a, b]}]\noutcomes:\n"},
                               {"outcomes:\n", "sample: {count: 0}\noutcomes:\n"}};
  for (const test::Edit& fault : faults) {
    EXPECT_FALSE(accepted(edited({fault}))) << fault.to;
    EXPECT_NE(test::error_of(edited({fault})), "") << fault.to;
  }
}

TEST(Keys, EveryTypeIsDefinedOrAListOfWords) {
  const std::set<std::string> choices = {
      "stewart_trinkle | anitescu_potra | trapezoidal | trapezoidal_midpoint | loetstedt",
      "poisson | newton | simplified",
      "predicted | fixed_point",
      "implicit | explicit | trapezoidal",
      "guess_first | lemke",
      "least_norm | vertex",
      "polygon | circle",
      "sobol | random | table | latin_hypercube | grid",
      "f8 | f4",
      "hull | surface",
      "x | y | z",
      "m | cm | mm | um",
      "kg | g | mg | t",
      "s | ms | us",
      "N | mN | kN",
      "rad | deg",
      "mass/length^3 | kg/m^3 | g/cm^3 | g/mm^3"};
  for (const KeyTable& table : key_tables()) {
    for (const TableKey& key : table.keys) {
      std::string_view type = key.type;
      for (const std::string_view prefix : {"list of ", "map of "})
        if (type.starts_with(prefix)) type.remove_prefix(prefix.size());
      EXPECT_TRUE(find_value_type(type) || find_key_table(type) || choices.contains(std::string(type)))
          << table.format.name << "." << key.name << ": " << key.type;
      EXPECT_FALSE(key.meaning.empty()) << table.format.name << "." << key.name;
    }
  }
}

TEST(Keys, TheManualNamesEachOfThem) {
  const std::string text = key_table_markdown();
  for (const KeyTable& table : key_tables())
    for (const TableKey& key : table.keys)
      EXPECT_THAT(text, testing::HasSubstr("| `" + std::string(key.name) + "` | "));
}

}  // namespace
}  // namespace jostle
