#include "scenarios/format/schema.hpp"

#include <nlohmann/json.hpp>

#include "scenarios/format/keys.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

Json reference(std::string_view name) { return {{"$ref", "#/$defs/" + std::string(name)}}; }

// The name of a value type's definition: the type's name without blanks.
std::string definition_name(std::string_view type) {
  std::string name(type);
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}

Json schema_of_type(std::string_view type) {
  constexpr std::string_view list = "list of ", map = "map of ";
  if (type.starts_with(list)) return {{"type", "array"}, {"items", schema_of_type(type.substr(list.size()))}};
  if (type.starts_with(map))
    return {{"type", "object"}, {"additionalProperties", schema_of_type(type.substr(map.size()))}};
  if (find_value_type(type)) return reference(definition_name(type));
  if (find_key_table(type)) return reference(type);
  return {{"enum", words_of(type)}};
}

std::string description(const TableKey& key) {
  std::string text(key.meaning);
  if (!key.unit.empty()) text += " (" + std::string(key.unit) + ")";
  if (!key.default_value.empty()) text += "; default " + key.default_value;
  return text;
}

Json schema_of_table(const KeyTable& table) {
  Json properties = Json::object(), required = Json::array(), one_of = Json::array();
  for (const TableKey& key : table.keys) {
    Json property = schema_of_type(key.type);
    property["description"] = description(key);
    properties[std::string(key.name)] = property;
    if (key.presence == Presence::required) required.push_back(key.name);
    if (key.presence == Presence::one_of) one_of.push_back({{"required", {key.name}}});
  }
  Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  if (!one_of.empty()) schema["oneOf"] = one_of;
  return schema;
}

}  // namespace

std::string json_schema(const KeyTable& table) { return schema_of_table(table).dump(2) + "\n"; }

std::string json_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "jostle scenario"}};
  schema.update(schema_of_table(key_table<Scenario>()));
  Json& definitions = schema["$defs"] = Json::object();
  for (const ValueType& type : value_types()) {
    Json definition = Json::parse(type.schema);
    definition["description"] = type.meaning;
    definitions[definition_name(type.name)] = definition;
  }
  for (const KeyTable& table : key_tables())
    if (table.format.name != "scenario") definitions[std::string(table.format.name)] = schema_of_table(table);
  return schema.dump(2) + "\n";
}

}  // namespace jostle
