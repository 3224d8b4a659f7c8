#pragma once
// The one list of keys of a scenario file. The reader's unknown-key check, its suggestions, the JSON Schema and the
// table of the manual all come from it; a new key is one line in keys.cpp.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle {

enum class Presence {
  optional,
  required,
  one_of,  ///< exactly one of the table's keys that are marked so
  later    ///< known to the format; refused by name in this version
};

struct Key {
  std::string_view name;
  /// A value type (value_types), a table's name, "list of TABLE", "map of TABLE or value type" (the user chooses the
  /// names), or the words allowed, as in "x | y | z".
  std::string_view type;
  std::string_view unit;
  std::string_view default_value;  ///< empty: none
  std::string_view meaning;
  Presence presence = Presence::optional;
  std::string_view if_missing = {};  ///< what to do then, where the name does not say it
};

/// The keys of one kind of map.
struct KeyTable {
  std::string_view name;
  std::string_view where;  ///< where such a map stands, e.g. "bodies.NAME"
  std::span<const Key> keys;
};

/// What a value may be, and the JSON Schema that says so.
struct ValueType {
  std::string_view name;
  std::string_view meaning;
  std::string_view schema;
};

std::span<const KeyTable> key_tables();
std::span<const ValueType> value_types();

/// The table called `name`; std::logic_error if there is none.
const KeyTable& key_table(std::string_view name);
const KeyTable* find_key_table(std::string_view name);
const ValueType* find_value_type(std::string_view name);
const Key* find_key(const KeyTable& table, std::string_view name);

/// The words of a type like "x | y | z".
std::vector<std::string_view> words_of(std::string_view type);

/// All keys as tables in Markdown, for the manual.
std::string key_table_markdown();

}  // namespace jostle
