// A struct with keys of its own: what one line says is found by reader, suggestion, schema, manual and canonical text.
#include "scenarios/format/format.hpp"

#include <gmock/gmock.h>

#include "scenarios/format/canonical_writer.hpp"
#include "scenarios/format/numbers.hpp"
#include "scenarios/format/schema.hpp"
#include "scenarios/reader/sections.hpp"
#include "scenarios/text/error.hpp"

namespace jostle {
namespace {

enum class Colour { red, green };

struct Lamp {
  Number power;
  double height = 2;
  int bulbs = 3;
  bool on = true;
  Colour colour = Colour::green;
  Number beam[3];
  std::vector<double> hours;
};

struct Room {
  Lamp lamp;
};

}  // namespace

template <>
std::vector<std::string_view> words<Colour>() {
  return {"red", "green"};
}
template <>
inline constexpr MapFormat format_of<Lamp>{"lamp", "room.lamp"};
template <>
inline constexpr MapFormat format_of<Room>{"room", "the file", true};

namespace {

template <Is<Lamp> Spec>
void visit_keys(Spec& lamp, auto&& visit) {
  visit(lamp.power, Key("power", "above 0").in("W").required().positive());
  visit(lamp.height, Key("height", "over the floor").in("m"));
  visit(lamp.bulbs, Key("bulbs", "how many").to(8).first_in("9.9"));
  visit(lamp.on, Key("on", "burns"));
  visit(lamp.colour, Key("colour", "of the light"));
  visit(lamp.beam, Key("beam", "where it shines").in("m"));
  visit(lamp.hours, Key("hours", "when").in("h").only_if(!lamp.hours.empty()));
}

template <Is<Room> Spec>
void visit_keys(Spec& room, auto&& visit) {
  visit(room.lamp, Key("lamp", "the only one").required());
}

/// What becomes of a file of one room.
struct ReadRoom {
  SourceNames sources{"room.yaml", {}};
  Scenario scenario;
  Room room;

  explicit ReadRoom(const std::string& text) {
    Node root = parse_tree(text, sources);
    number_nodes(root);
    Reading reading(sources, scenario);
    read_spec(reading, root, "", room);
  }

  std::string canonical() const { return CanonicalWriter(scenario.variables, true).map_of(room).print(); }
};

std::string fault_in(const std::string& lamp) {
  try {
    ReadRoom("lamp: " + lamp + "\n");
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "none";
}

TEST(AKey, IsRead) {
  const Lamp lamp =
      ReadRoom("lamp: {power: 60 / 2, bulbs: 2, on: false, colour: red, beam: [1, 2, 3], hours: [8, 20]}\n").room.lamp;
  EXPECT_EQ(lamp.power.constant, 30);
  EXPECT_EQ(lamp.height, 2) << "the member's own default";
  EXPECT_EQ(lamp.bulbs, 2);
  EXPECT_FALSE(lamp.on);
  EXPECT_EQ(lamp.colour, Colour::red);
  EXPECT_EQ(lamp.beam[2].constant, 3);
  EXPECT_THAT(lamp.hours, testing::ElementsAre(8, 20));
}

TEST(AKey, IsAskedForNamedAndProposed) {
  EXPECT_EQ(fault_in("{}"), "room.yaml:1:7: lamp.power is missing");
  EXPECT_EQ(fault_in("{power: 1, colur: red}"), "room.yaml:1:18: unknown key 'colur' in lamp (did you mean 'colour'?)");
  EXPECT_EQ(fault_in("{power: -1}"), "room.yaml:1:15: lamp.power must be greater than 0");
  EXPECT_EQ(fault_in("{power: 1 kg}"), "room.yaml:1:17: lamp.power: write no unit, this number is in W");
  EXPECT_EQ(fault_in("{power: 1, bulbs: 9}"), "room.yaml:1:25: lamp.bulbs must be at most 8, not 9");
  EXPECT_EQ(fault_in("{power: 1, height: {uniform: [1, 2]}}"),
            "room.yaml:1:26: lamp.height must be a number that all samples share, not a distribution");
  EXPECT_EQ(fault_in("{power: 1, colour: gren}"),
            "room.yaml:1:26: lamp.colour must be one of red, green, not 'gren' (did you mean 'green'?)");
}

TEST(AKey, MayBeDrawnWhereItIsANumber) {
  const ReadRoom read("lamp: {power: {uniform: [40, 60]}, beam: [0, {normal: [0, 1]}, 0]}\n");
  ASSERT_EQ(read.scenario.variables.size(), 2u);
  EXPECT_EQ(read.scenario.variables[0].name, "lamp.power");
  EXPECT_EQ(read.scenario.variables[1].name, "lamp.beam[1]");
  std::vector<std::string> drawn;
  visit_numbers(read.room, "", [&](const Number& number, const std::string& path, const Key& key) {
    if (!number.code.empty()) drawn.push_back(path + " " + std::string(key.unit));
  });
  EXPECT_THAT(drawn, testing::ElementsAre("lamp.power W", "lamp.beam[1] m"));
}

TEST(AKey, IsInTheCanonicalText) {
  EXPECT_EQ(ReadRoom("lamp: {power: {uniform: [40, 60]}, hours: [1]}\n").canonical(),
            "lamp: {power: {uniform: [40, 60]}, height: 2, bulbs: 3, on: true, colour: green, beam: [0, 0, 0], "
            "hours: [1]}\n");
  EXPECT_THAT(ReadRoom("lamp: {power: 1}\n").canonical(), testing::Not(testing::HasSubstr("hours")));
}

TEST(AKey, IsInTheManual) {
  const std::string manual = table_markdown(key_table<Lamp>());
  EXPECT_THAT(manual, testing::HasSubstr("## lamp (room.lamp)"));
  EXPECT_THAT(manual, testing::HasSubstr(
                          "| `power` | number, expression of variables, or distribution | W | required | above 0 |"));
  EXPECT_THAT(manual,
              testing::HasSubstr("| `height` | number, the same for every sample | m | `2` | over the floor |"));
  EXPECT_THAT(manual, testing::HasSubstr("| `bulbs` | whole number, 1 to 8 |  | `3` | how many (since 9.9) |"));
  EXPECT_THAT(manual, testing::HasSubstr("| `colour` | red \\| green |  | `green` | of the light |"));
}

TEST(AKey, IsInTheSchema) {
  const std::string schema = json_schema(key_table<Lamp>());
  EXPECT_THAT(schema, testing::HasSubstr("\"beam\": {\n      \"$ref\": \"#/$defs/vector\",\n      \"description\": "
                                         "\"where it shines (m); default [0, 0, 0]\""));
  EXPECT_THAT(schema, testing::HasSubstr("\"enum\": [\n        \"red\",\n        \"green\"\n      ]"));
  EXPECT_THAT(schema, testing::HasSubstr("\"required\": [\n    \"power\"\n  ]"));
}

}  // namespace
}  // namespace jostle
