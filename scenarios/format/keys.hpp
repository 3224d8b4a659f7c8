#pragma once
// Tables of the keys in format.hpp. The reader's check of keys, its suggestions, the JSON Schema and the manual use
// them.
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/format/format.hpp"

namespace jostle {

/// A key, and the properties of its member.
struct TableKey : Key {
  /// A value type (value_types), a table's name, "list of TABLE", "map of TABLE or value type" (the user chooses the
  /// names), or the words allowed, as in "x | y | z".
  std::string type;
  std::string default_value;  ///< empty: none
};

/// The keys of one kind of map.
struct KeyTable {
  MapFormat format;
  std::vector<TableKey> keys;
};

/// What a value may be, and the JSON Schema that says so.
struct ValueType {
  std::string_view name;
  std::string_view meaning;
  std::string_view schema;
};

/// The whole format, in the order of the manual.
std::span<const KeyTable> key_tables();
std::span<const ValueType> value_types();

const KeyTable* find_key_table(std::string_view name);
const ValueType* find_value_type(std::string_view name);
const TableKey* find_key(const KeyTable& table, std::string_view name);

/// The words of a type like "x | y | z".
std::vector<std::string_view> words_of(std::string_view type);

/// The table of a struct of format.hpp, or of a struct with your own visit_keys().
template <class Spec>
const KeyTable& key_table();

/// A table in Markdown, for the manual.
std::string table_markdown(const KeyTable& table);
/// All tables.
std::string key_table_markdown();

namespace detail {

template <class T>
concept HasFormat = !format_of<T>.name.empty();

/// The names of the types of members, and their values as words.
inline std::string type_of(const FormatVersion&, const Key&) { return "version"; }
inline std::string type_of(const std::string&, const Key&) { return "text"; }
inline std::string type_of(const bool&, const Key&) { return "flag"; }
inline std::string type_of(const int&, const Key&) { return "whole number"; }
inline std::string type_of(const std::int64_t&, const Key&) { return "whole number"; }
inline std::string type_of(const std::uint64_t&, const Key&) { return "seed"; }
inline std::string type_of(const double&, const Key&) { return "constant"; }
inline std::string type_of(const std::vector<double>&, const Key&) { return "constants"; }
inline std::string type_of(const Bounds&, const Key&) { return "bounds"; }
inline std::string type_of(const Number&, const Key& key) { return key.of_time ? "number of time" : "number"; }
inline std::string type_of(const Number (&)[2], const Key&) { return "limits"; }
inline std::string type_of(const SpeedLimits&, const Key&) { return "speed limits"; }
inline std::string type_of(const Number (&)[3], const Key& key) {
  return key.of_motion ? "vector of motion" : "vector";
}
inline std::string type_of(const CornersSpec&, const Key&) { return "outline"; }
inline std::string type_of(const OutlineSpec&, const Key&) { return "outline"; }
inline std::string type_of(const HolesSpec&, const Key&) { return "holes"; }
inline std::string type_of(const FacesSpec&, const Key&) { return "faces"; }
inline std::string type_of(const PointsSpec&, const Key&) { return "points in space"; }
inline std::string type_of(const Number (&)[4], const Key&) { return "quaternion"; }
inline std::string type_of(const InertiaSpec&, const Key&) { return "inertia"; }
inline std::string type_of(const bool (&)[6], const Key&) { return "freedom"; }
inline std::string type_of(const RotationSpec&, const Key&) { return "rotation value"; }
inline std::string type_of(const JointSides&, const Key&) { return "sides"; }
inline std::string type_of(const JointPoints&, const Key&) { return "points"; }
inline std::string type_of(const Between&, const Key&) { return "between"; }
inline std::string type_of(const BodyReference&, const Key&) { return "name"; }
inline std::string type_of(const Expression&, const Key&) { return "expression"; }
inline std::string type_of(const std::vector<Expression>&, const Key&) { return "expressions"; }
inline std::string type_of(const RecordedSamples&, const Key&) { return "recorded"; }
inline std::string type_of(const CategorySpec&, const Key&) { return "map of expression"; }
inline std::string type_of(const SharesSpec&, const Key&) { return "map of constant"; }
inline std::string type_of(const std::vector<DerivedSpec>&, const Key&) { return "map of derived number"; }
template <HasFormat Spec>
std::string type_of(const Spec&, const Key&) {
  return std::string(format_of<Spec>.name);
}
template <HasFormat Spec>
std::string type_of(const std::vector<Spec>&, const Key&) {
  return (IsNamed<Spec> ? "map of " : "list of ") + std::string(format_of<Spec>.name);
}
template <class List>
std::string type_of(const OnlyItem<List>&, const Key&) {
  return std::string(format_of<typename List::value_type>.name);
}
template <class List>
std::string type_of(const WithDisplayed<List>& both, const Key& key) {
  return type_of(both.solid, key);
}
template <class Tag, class Member>
std::string type_of(const Alternative<Tag, Member>& alternative, const Key& key) {
  return type_of(alternative.member, key);
}
template <IsEnum Enum>
std::string type_of(const Enum&, const Key&) {
  std::string all;
  for (const std::string_view word : words<Enum>()) all += (all.empty() ? "" : " | ") + std::string(word);
  return all;
}

inline std::string default_of(const std::string& text) { return text; }
inline std::string default_of(const bool& flag) { return flag ? "true" : "false"; }
inline std::string default_of(const double& number) { return shortest(number); }
inline std::string default_of(const Number& number) { return shortest(number.constant); }
inline std::string default_of(const Number (&vector)[3]) {
  return "[" + default_of(vector[0]) + ", " + default_of(vector[1]) + ", " + default_of(vector[2]) + "]";
}
inline std::string default_of(const bool (&freedom)[6]) {
  std::string names;
  for (std::size_t i = 0; i < 6; ++i)
    if (freedom[i]) names += (names.empty() ? "" : ", ") + std::string(freedom_names[i]);
  return "[" + names + "]";
}
inline std::string default_of(const RotationSpec&) { return "none"; }
inline std::string default_of(const std::vector<Expression>&) { return "[]"; }
inline std::string default_of(const RecordedSamples& samples) { return std::to_string(samples.count); }
template <std::integral Whole>
std::string default_of(const Whole& number) {
  return std::to_string(number);
}
template <class T>
std::string default_of(const T&) {
  return {};
}
template <HasFormat Spec>
std::string default_of(const std::vector<Spec>&) {
  return IsNamed<Spec> ? "{}" : "[]";
}
template <IsEnum Enum>
std::string default_of(const Enum& value) {
  return word_for(value);
}

}  // namespace detail

template <class Spec>
const KeyTable& key_table() {
  static const KeyTable table = [] {
    KeyTable collected{format_of<Spec>, {}};
    const Spec defaults{};
    visit_keys(defaults, [&](const auto& member, const Key& key) {
      TableKey entry{key, detail::type_of(member, key), {}};
      if (key.presence == Presence::optional)
        entry.default_value = key.default_text ? std::string(*key.default_text) : detail::default_of(member);
      collected.keys.push_back(std::move(entry));
    });
    return collected;
  }();
  return table;
}

/// "contacts[0]"
std::string item_path(const std::string& path, std::size_t index);

}  // namespace jostle
