#include "scenarios/format/keys.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace jostle {
namespace {

constexpr ValueType types[] = {
    {"version", "the number 1", R"({"const": 1})"},
    {"text", "text", R"({"type": "string"})"},
    {"name", "name of a body", R"({"type": "string"})"},
    {"flag", "true or false", R"({"type": "boolean"})"},
    {"whole number", "whole number, 1 or more", R"({"type": "integer", "minimum": 1})"},
    {"seed", "whole number, 0 or more", R"({"type": "integer", "minimum": 0})"},
    {"constant", "number, the same for every sample", R"({"type": ["number", "string"]})"},
    {"constants", "list of numbers", R"({"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/constant"}})"},
    {"bounds", "two numbers",
     R"({"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "#/$defs/constant"}})"},
    {"number", "number, expression of variables, or distribution",
     R"({"anyOf": [{"type": ["number", "string"]}, {"$ref": "#/$defs/distribution"}]})"},
    {"number of time", "number; its expression may use `t`",
     R"({"anyOf": [{"type": ["number", "string"]}, {"$ref": "#/$defs/distribution"}]})"},
    {"limits", "[lower, upper], each a number",
     R"({"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "#/$defs/number"}})"},
    {"speed limits", "[lower, upper], each a number or null: no limit",
     R"({"type": "array", "minItems": 2, "maxItems": 2, "items": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/number"}]}})"},
    {"vector", "[x, y, z], each a number",
     R"({"type": "array", "minItems": 3, "maxItems": 3, "items": {"$ref": "#/$defs/number"}})"},
    {"vector of motion", "[x, y, z], each a number; its expression may use `t` and the motion of bodies and joints",
     R"({"type": "array", "minItems": 3, "maxItems": 3, "items": {"$ref": "#/$defs/number"}})"},
    {"quaternion", "[w, x, y, z], each a number",
     R"({"type": "array", "minItems": 4, "maxItems": 4, "items": {"$ref": "#/$defs/number"}})"},
    {"inertia", "one number (the free axis, or the same about all), [xx, yy, zz], or [xx, yy, zz, xy, xz, yz]",
     R"({"anyOf": [{"$ref": "#/$defs/number"}, {"$ref": "#/$defs/vector"}, {"type": "array", "minItems": 6, "maxItems": 6, "items": {"$ref": "#/$defs/number"}}]})"},
    {"freedom", "list of x, y, z, rx, ry, rz",
     R"({"type": "array", "minItems": 1, "uniqueItems": true, "items": {"enum": ["x", "y", "z", "rx", "ry", "rz"]}})"},
    {"rotation value", "{axis, degrees}, {quaternion}, a list of these, or uniform: all orientations alike",
     R"({"anyOf": [{"const": "uniform"}, {"$ref": "#/$defs/rotation"}, {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/rotation"}}]})"},
    {"sides", "[a, b]: names of two bodies, one of which may be world",
     R"({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}})"},
    {"points", "[x, y, z], or two of them",
     R"({"anyOf": [{"$ref": "#/$defs/vector"}, {"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "#/$defs/vector"}}]})"},
    {"outline", "list of at least two [a, b], each a number, or [a, b, bulge] where an arc begins",
     R"({"type": "array", "minItems": 2, "items": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"$ref": "#/$defs/number"}}})"},
    {"points in space", "list of at least four [x, y, z], each a number",
     R"({"type": "array", "minItems": 4, "items": {"$ref": "#/$defs/vector"}})"},
    {"holes", "list of outlines", R"({"type": "array", "items": {"$ref": "#/$defs/outline"}})"},
    {"faces", "list of lists of at least three whole numbers, or of lists of these",
     R"({"type": "array", "minItems": 4, "items": {"anyOf": [{"type": "array", "minItems": 3, "items": {"type": "integer", "minimum": 0}}, {"type": "array", "minItems": 1, "items": {"type": "array", "minItems": 3, "items": {"type": "integer", "minimum": 0}}}]}})"},
    {"between", "any, or two of body names and any",
     R"({"anyOf": [{"const": "any"}, {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}}]})"},
    {"expression", "expression of variables and quantities", R"({"type": ["string", "number"]})"},
    {"expressions", "list of expressions of variables and quantities",
     R"({"type": "array", "items": {"$ref": "#/$defs/expression"}})"},
    {"recorded", "whole number, all, failures, list of samples, or {where, first}",
     R"({"anyOf": [{"type": "integer", "minimum": 0}, {"enum": ["all", "failures"]},
                   {"type": "array", "items": {"type": "integer", "minimum": 0}}, {"$ref": "#/$defs/record_where"}]})"},
    {"derived number", "number, or expression of variables and of names before it",
     R"({"type": ["number", "string"]})"},
    {"variable", "distribution, or a number that all samples share",
     R"({"anyOf": [{"$ref": "#/$defs/constant"}, {"$ref": "#/$defs/distribution"}]})"},
};

template <class Items, class NameOf>
auto* find_named(const Items& items, std::string_view name, NameOf name_of) {
  const auto found =
      std::find_if(std::begin(items), std::end(items), [&](const auto& i) { return name_of(i) == name; });
  return found == std::end(items) ? nullptr : &*found;
}

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

/// "whole number, 2 to 64": the bounds that the reader checks.
std::string whole_number_of(const Key& key) {
  const bool has_end = key.most < std::numeric_limits<std::int64_t>::max();
  return "whole number, " + std::to_string(key.least) + (has_end ? " to " + std::to_string(key.most) : " or more");
}

std::string row(const TableKey& key) {
  const ValueType* type = find_value_type(key.type);
  const std::string value = key.type == "whole number" ? whole_number_of(key) : cell(type ? type->meaning : key.type);
  std::string line = "| `" + std::string(key.name) + "` | " + value + " | " + std::string(key.unit) + " | ";
  if (key.presence == Presence::required) line += "required";
  if (key.presence == Presence::one_of) line += "exactly one";
  if (!key.default_value.empty()) line += "`" + cell(key.default_value) + "`";
  line += " | " + cell(key.meaning);
  if (!key.since.empty()) line += " (since " + std::string(key.since) + ")";
  return line + " |\n";
}

}  // namespace

std::span<const KeyTable> key_tables() {
  static const std::vector<KeyTable> tables = {
      key_table<Scenario>(),       key_table<UnitsSpec>(),    key_table<WorldSpec>(),    key_table<BodySpec>(),
      key_table<PrescribedSpec>(), key_table<ShapeSpec>(),    key_table<SphereSpec>(),   key_table<CapsuleSpec>(),
      key_table<BoxSpec>(),        key_table<CylinderSpec>(), key_table<PolygonSpec>(),  key_table<HullSpec>(),
      key_table<PrismSpec>(),      key_table<SurfaceSpec>(),  key_table<MeshSpec>(),     key_table<HalfSpaceSpec>(),
      key_table<PatternSpec>(),    key_table<RotationSpec>(), key_table<ContactRule>(),  key_table<AcrossSpec>(),
      key_table<JointSpec>(),      key_table<MotorSpec>(),    key_table<SpringSpec>(),   key_table<ImpactSpec>(),
      key_table<EventOptions>(),   key_table<ForceSpec>(),    key_table<ImpulseSpec>(),  key_table<SampleSpec>(),
      key_table<VariedSpec>(),     key_table<OutcomeSpec>(),  key_table<AtFirstSpec>(),  key_table<RecordSpec>(),
      key_table<RecordedWhere>(),  key_table<RecordedLcps>(), key_table<Distribution>(), key_table<Choice>()};
  return tables;
}
std::span<const ValueType> value_types() { return types; }

const KeyTable* find_key_table(std::string_view name) {
  return find_named(key_tables(), name, [](const KeyTable& table) { return table.format.name; });
}
const ValueType* find_value_type(std::string_view name) {
  return find_named(types, name, [](const ValueType& type) { return type.name; });
}
const TableKey* find_key(const KeyTable& table, std::string_view name) {
  return find_named(table.keys, name, [](const TableKey& key) { return key.name; });
}

std::vector<std::string_view> words_of(std::string_view type) {
  std::vector<std::string_view> words;
  for (std::size_t bar = type.find(" | "); bar != std::string_view::npos; bar = type.find(" | ")) {
    words.push_back(type.substr(0, bar));
    type.remove_prefix(bar + 3);
  }
  words.push_back(type);
  return words;
}

std::string table_markdown(const KeyTable& table) {
  std::string text = "## " + std::string(table.format.name) + " (" + std::string(table.format.where) + ")\n\n";
  text += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const TableKey& key : table.keys) text += row(key);
  return text + "\n";
}

std::string key_table_markdown() {
  std::string text;
  for (const KeyTable& table : key_tables()) text += table_markdown(table);
  return text;
}

std::string item_path(const std::string& path, std::size_t index) { return path + "[" + std::to_string(index) + "]"; }

}  // namespace jostle
