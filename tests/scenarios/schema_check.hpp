#pragma once
// A validator for the part of JSON Schema that json_schema() uses. It throws at a keyword that it does not know, so
// that no part of a schema is passed over.
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace jostle::test {

using Json = nlohmann::json;

class SchemaCheck {
 public:
  explicit SchemaCheck(Json schema) : root_(std::move(schema)) {}

  bool accepts(const Json& value) const { return accepts(root_, value); }

 private:
  bool accepts(const Json& schema, const Json& value) const {
    for (const auto& [keyword, rule] : schema.items())
      if (!keeps(schema, keyword, rule, value)) return false;
    return true;
  }

  bool keeps(const Json& schema, const std::string& keyword, const Json& rule, const Json& value) const {
    if (keyword[0] == '$')
      return keyword != "$ref" || accepts(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value);
    if (keyword == "title" || keyword == "description") return true;
    if (keyword == "type")
      return rule.is_array() ? any(rule, [&](const Json& t) { return is(t, value); }) : is(rule, value);
    if (keyword == "const") return value == rule;
    if (keyword == "enum") return any(rule, [&](const Json& word) { return value == word; });
    if (keyword == "minimum") return !value.is_number() || value >= rule;
    if (keyword == "minItems") return !value.is_array() || value.size() >= rule.get<std::size_t>();
    if (keyword == "maxItems") return !value.is_array() || value.size() <= rule.get<std::size_t>();
    if (keyword == "uniqueItems") return !value.is_array() || is_set(value);
    if (keyword == "items") return !value.is_array() || !any(value, [&](const Json& i) { return !accepts(rule, i); });
    if (keyword == "required")
      return !any(rule, [&](const Json& key) { return !value.contains(key.get<std::string>()); });
    if (keyword == "anyOf") return any(rule, [&](const Json& option) { return accepts(option, value); });
    if (keyword == "oneOf")
      return std::count_if(rule.begin(), rule.end(), [&](const Json& option) { return accepts(option, value); }) == 1;
    if (keyword == "properties") return keeps_properties(rule, value);
    if (keyword == "additionalProperties") return keeps_others(schema, rule, value);
    throw std::logic_error("this check does not know the keyword " + keyword);
  }

  bool keeps_properties(const Json& properties, const Json& value) const {
    for (const auto& [key, schema] : properties.items())
      if (value.is_object() && value.contains(key) && !accepts(schema, value.at(key))) return false;
    return true;
  }

  bool keeps_others(const Json& schema, const Json& rule, const Json& value) const {
    if (!value.is_object()) return true;
    for (const auto& [key, item] : value.items()) {
      if (schema.contains("properties") && schema.at("properties").contains(key)) continue;
      if (rule.is_boolean() ? !rule.get<bool>() : !accepts(rule, item)) return false;
    }
    return true;
  }

  template <class Test>
  static bool any(const Json& list, Test test) {
    return std::any_of(list.begin(), list.end(), test);
  }

  static bool is_set(const Json& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (list[i] == list[j]) return false;
    return true;
  }

  static bool is(const Json& type, const Json& value) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    throw std::logic_error("this check does not know the type " + type.dump());
  }

  Json root_;
};

}  // namespace jostle::test
