#include "scenarios/keys.hpp"

#include <algorithm>
#include <stdexcept>

namespace jostle {
namespace {

using enum Presence;

constexpr Key scenario_keys[] = {
    {"jostle", "version", "", "", "format version", required, "; write 'jostle: 1', the version of the format"},
    {"title", "text", "", "", "one line for reports"},
    {"variables", "map of variable", "", "{}", "drawn once per sample; `$name` in any expression"},
    {"world", "world", "", "", "gravity, time and method", required},
    {"bodies", "map of body", "", "", "what there is, in the order of all results", required},
    {"contacts", "list of contact", "", "[]", "a rule for every pair of bodies that may touch"},
    {"joints", "empty list", "", "[]", "reserved; only an empty list in this version"},
    {"springs", "empty list", "", "[]", "reserved; only an empty list in this version"},
    {"forces", "list of force", "", "[]", "applied forces, functions of time"},
    {"sample", "sample", "", "", "how variables are drawn"},
    {"outcomes", "map of outcome", "", "{}", "what is evaluated while simulating"},
    {"record", "record", "", "", "which trajectories are stored"},
};

constexpr Key world_keys[] = {
    {"gravity", "vector", "m/s^2", "[0, 0, -9.81]", "acceleration of gravity"},
    {"step", "constant", "s", "", "time step, above 0", required},
    {"duration", "constant", "s", "", "simulated time, a whole number of steps", required},
    {"method", "stewart_trinkle", "", "stewart_trinkle", "time-stepping method"},
    {"linearisation", "predicted | fixed_point", "", "predicted",
     "where contacts are linearised; fixed_point need not converge"},
    {"friction_directions", "whole number", "", "4; planar: 2",
     "sides of the friction polygon: 2 in a planar scene, else even, 4 to 64"},
};

constexpr Key body_keys[] = {
    {"fixed", "flag", "", "false", "never moves; has neither mass nor velocity"},
    {"mass", "number", "kg", "", "above 0; every moving body needs one"},
    {"inertia", "inertia", "kg m^2", "uniform density",
     "about the centre of mass; may be left out if the shapes' centroid is the origin"},
    {"freedom", "freedom", "", "[x, y, z, rx, ry, rz]", "the motions that are free"},
    {"shape", "shape", "", "", "the body's only shape"},
    {"shapes", "list of shape", "", "", "its shapes if there are several"},
    {"position", "vector", "m", "[0, 0, 0]", "centre of mass at the start, world"},
    {"rotation", "rotation value", "", "none", "orientation at the start"},
    {"velocity", "vector", "m/s", "[0, 0, 0]", "velocity at the start, world"},
    {"spin", "vector", "rad/s", "[0, 0, 0]", "angular velocity at the start, world"},
};

constexpr Key shape_keys[] = {
    {"sphere", "sphere", "", "", "ball about its centre", one_of},
    {"capsule", "capsule", "", "", "points within a radius of a segment", one_of},
    {"box", "box", "", "", "box about its centre", one_of},
    {"cylinder", "cylinder", "", "", "only against half spaces in this version", one_of},
    {"half_space", "half_space", "", "", "solid where normal . x <= offset; fixed bodies only", one_of},
    {"convex", "", "", "", "convex hull of points", later},
    {"polygon", "", "", "", "convex polygon", later},
    {"polyhedron", "", "", "", "convex polyhedron", later},
    {"stl", "", "", "", "surface mesh", later},
    {"obj", "", "", "", "surface mesh", later},
    {"position", "vector", "m", "[0, 0, 0]", "of the shape's centre in the body"},
    {"rotation", "rotation value", "", "none", "of the shape in the body"},
};

constexpr Key sphere_keys[] = {
    {"radius", "number", "m", "", "above 0", required},
};
constexpr Key capsule_keys[] = {
    {"length", "number", "m", "", "between the centres of the caps, above 0", required},
    {"radius", "number", "m", "", "0 or more", required},
    {"axis", "x | y | z", "", "z", "direction in the body"},
};
constexpr Key box_keys[] = {
    {"size", "vector", "m", "", "full edges, above 0", required},
};
constexpr Key cylinder_keys[] = {
    {"length", "number", "m", "", "above 0", required},
    {"radius", "number", "m", "", "above 0", required},
    {"axis", "x | y | z", "", "z", "direction in the body"},
};
constexpr Key half_space_keys[] = {
    {"normal", "vector", "", "", "out of the solid; need not have unit length", required},
    {"offset", "number", "m", "0", "along the unit normal"},
};

constexpr Key rotation_keys[] = {
    {"axis", "vector", "", "", "of a turn by `degrees`; need not have unit length"},
    {"degrees", "number", "deg", "", "the turn about `axis`"},
    {"quaternion", "quaternion", "", "", "[w, x, y, z], normalised when read"},
};

constexpr Key contact_keys[] = {
    {"between", "between", "", "", "[a, b] beats [a, any] beats any", required},
    {"contact", "flag", "", "true", "false: the two never touch"},
    {"friction", "number", "", "0", "Coulomb's coefficient, 0 or more"},
    {"restitution", "number", "", "0", "only 0 in this version"},
};

constexpr Key force_keys[] = {
    {"body", "name", "", "", "the moving body", required},
    {"force", "vector of time", "N", "[0, 0, 0]", "at the centre of mass, world; may use the time `t` (s)"},
    {"torque", "vector of time", "N m", "[0, 0, 0]", "world; may use the time `t` (s)"},
};

constexpr Key sample_keys[] = {
    {"method", "sobol | random | table", "", "sobol", "how variables are drawn"},
    {"count", "whole number", "", "", "number of samples; -n overrides it"},
    {"seed", "seed", "", "0", "the same seed draws the same samples; --seed overrides it"},
    {"table", "text", "", "", "CSV file whose columns name variables; the others are drawn by random"},
};

constexpr Key outcome_keys[] = {
    {"at_end", "expression", "", "", "value after the last step", one_of},
    {"minimum", "expression", "", "", "least value, initial state included", one_of},
    {"maximum", "expression", "", "", "largest value, initial state included", one_of},
    {"first_time", "expression", "", "", "end of the first step in which it holds, s", one_of},
};

constexpr Key record_keys[] = {
    {"trajectories", "recorded", "", "0", "samples 0 .. N-1, all, or those that failed"},
    {"stride", "whole number", "", "1", "steps from one recorded state to the next"},
    {"contacts", "", "", "", "contacts of every step", later},
    {"lcp", "", "", "", "complementarity problem of every step", later},
};

constexpr Key distribution_keys[] = {
    {"uniform", "bounds", "", "", "[a, b] with a < b", one_of},
    {"log_uniform", "bounds", "", "", "[a, b] with 0 < a < b", one_of},
    {"normal", "bounds", "", "", "[mean, deviation], deviation above 0", one_of},
    {"integer", "bounds", "", "", "[a, b], whole numbers, both included", one_of},
    {"choice", "choice", "", "", "one of a list", one_of},
    {"min", "constant", "", "", "truncates `normal` from below"},
    {"max", "constant", "", "", "truncates `normal` from above"},
};
constexpr Key choice_keys[] = {
    {"values", "constants", "", "", "at least one number", required},
    {"weights", "constants", "", "all equal", "0 or more, with a sum above 0"},
};

constexpr KeyTable tables[] = {
    {"scenario", "the file", scenario_keys},
    {"world", "world", world_keys},
    {"body", "bodies.NAME", body_keys},
    {"shape", "bodies.NAME.shape", shape_keys},
    {"sphere", "sphere", sphere_keys},
    {"capsule", "capsule", capsule_keys},
    {"box", "box", box_keys},
    {"cylinder", "cylinder", cylinder_keys},
    {"half_space", "half_space", half_space_keys},
    {"rotation", "rotation", rotation_keys},
    {"contact", "contacts[i]", contact_keys},
    {"force", "forces[i]", force_keys},
    {"sample", "sample", sample_keys},
    {"outcome", "outcomes.NAME", outcome_keys},
    {"record", "record", record_keys},
    {"distribution", "instead of a number, and variables.NAME", distribution_keys},
    {"choice", "choice", choice_keys},
};

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
    {"vector", "[x, y, z], each a number",
     R"({"type": "array", "minItems": 3, "maxItems": 3, "items": {"$ref": "#/$defs/number"}})"},
    {"vector of time", "[x, y, z], each a number; its expression may use `t`",
     R"({"type": "array", "minItems": 3, "maxItems": 3, "items": {"$ref": "#/$defs/number"}})"},
    {"quaternion", "[w, x, y, z], each a number",
     R"({"type": "array", "minItems": 4, "maxItems": 4, "items": {"$ref": "#/$defs/number"}})"},
    {"inertia", "one number (the free axis, or the same about all) or [x, y, z] principal",
     R"({"anyOf": [{"$ref": "#/$defs/number"}, {"$ref": "#/$defs/vector"}]})"},
    {"freedom", "list of x, y, z, rx, ry, rz",
     R"({"type": "array", "minItems": 1, "uniqueItems": true, "items": {"enum": ["x", "y", "z", "rx", "ry", "rz"]}})"},
    {"rotation value", "{axis, degrees}, {quaternion}, or uniform: all orientations alike",
     R"({"anyOf": [{"const": "uniform"}, {"$ref": "#/$defs/rotation"}]})"},
    {"between", "any, or two of body names and any",
     R"({"anyOf": [{"const": "any"}, {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}}]})"},
    {"expression", "expression of variables and quantities", R"({"type": ["string", "number"]})"},
    {"recorded", "whole number, all, or failures",
     R"({"anyOf": [{"type": "integer", "minimum": 0}, {"enum": ["all", "failures"]}]})"},
    {"variable", "distribution, or a number that all samples share",
     R"({"anyOf": [{"$ref": "#/$defs/constant"}, {"$ref": "#/$defs/distribution"}]})"},
    {"empty list", "empty list", R"({"type": "array", "maxItems": 0})"},
};

template <class Items>
auto* find_named(const Items& items, std::string_view name) {
  const auto found = std::find_if(std::begin(items), std::end(items), [&](const auto& i) { return i.name == name; });
  return found == std::end(items) ? nullptr : &*found;
}

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string row(const Key& key) {
  const ValueType* type = find_value_type(key.type);
  std::string line = "| `" + std::string(key.name) + "` | " + cell(type ? type->meaning : key.type) + " | " +
                     std::string(key.unit) + " | ";
  if (key.presence == required) line += "required";
  if (key.presence == one_of) line += "exactly one";
  if (key.presence == later) line += "not in this version";
  if (!key.default_value.empty()) line += "`" + cell(key.default_value) + "`";
  return line + " | " + cell(key.meaning) + " |\n";
}

}  // namespace

std::span<const KeyTable> key_tables() { return tables; }
std::span<const ValueType> value_types() { return types; }

const KeyTable* find_key_table(std::string_view name) { return find_named(tables, name); }
const ValueType* find_value_type(std::string_view name) { return find_named(types, name); }
const Key* find_key(const KeyTable& table, std::string_view name) { return find_named(table.keys, name); }

const KeyTable& key_table(std::string_view name) {
  if (const KeyTable* table = find_key_table(name)) return *table;
  throw std::logic_error("no table of keys is called " + std::string(name));
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

std::string key_table_markdown() {
  std::string text;
  for (const KeyTable& table : tables) {
    text += "### " + std::string(table.name) + " (" + std::string(table.where) + ")\n\n";
    text += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
    for (const Key& key : table.keys) text += row(key);
    text += "\n";
  }
  return text;
}

}  // namespace jostle
