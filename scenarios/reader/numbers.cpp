#include "scenarios/reader/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/expression/evaluate.hpp"
#include "scenarios/reader/values.hpp"

namespace jostle {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The decimal number in `node`; nothing if it is not one number.
std::optional<double> read_decimal(const SourceNames& sources, const Node& node, const std::string& path) {
  if (node.text == "true" || node.text == "false")
    sources.fail(node.where, path + " must be a number, not " + excerpt(node.text));
  refuse_notation(sources, node, path);
  const char* begin = node.text.data() + (node.text.starts_with('+') ? 1 : 0);
  const char* end = node.text.data() + node.text.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (stop != end || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range)
    sources.fail(node.where, path + " is too large or too small for a double: " + excerpt(node.text));
  return value;
}

bool is_constant(const Expression& expression) {
  return std::none_of(expression.code.begin(), expression.code.end(), [](const Instruction& instruction) {
    return instruction.op == Op::variable || instruction.op == Op::time || instruction.op == Op::quantity;
  });
}

double evaluate_constant(const Expression& expression) {
  const ProgramView program{expression.code.data(), static_cast<int>(expression.code.size())};
  return evaluate(program, nullptr, 0, [](int) { return 0.0; });
}

/// What to write instead if `text` has a unit at `offset`, after a number; empty if it has none there.
std::string unit_hint(std::string_view text, std::size_t offset, std::string_view unit) {
  constexpr std::string_view units[] = {"kg", "g",  "m", "mm", "cm",  "km",  "s",       "ms",     "N",
                                        "kN", "Nm", "J", "Hz", "rad", "deg", "degrees", "degree", "rpm"};
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const std::size_t before = offset == 0 ? std::string_view::npos : text.find_last_not_of(' ', offset - 1);
  if (before == std::string_view::npos || !(is_digit(text[before]) || text[before] == '.')) return {};
  const std::string_view rest = text.substr(offset), word = rest.substr(0, rest.find_first_not_of(letters));
  const bool known = std::find(std::begin(units), std::end(units), word) != std::end(units);
  if (!known && !rest.starts_with("\u00B0")) return {};
  if (unit.empty()) return "write no unit, all numbers are in SI units";
  return "write no unit, this number is in " + std::string(unit);
}

Expression parse_at(const SourceNames& sources, const Node& node, const std::string& path, const Key& key,
                    const Symbols& symbols) {
  try {
    return parse_expression(node.text, symbols);
  } catch (const ExpressionError& error) {
    Location where = node.where;
    if (node.text_offset >= 0) where.column += node.text_offset + static_cast<int>(error.offset);
    const std::string unit = unit_hint(node.text, error.offset, key.unit);
    sources.fail(where, path + ": " + (unit.empty() ? error.what() : unit));
  }
}

/// Whether a unit has made a number infinite, or 0.
bool is_lost(double written, double value) { return !std::isfinite(value) || (value == 0 && written != 0); }

void check_sign(const SourceNames& sources, const Location& where, const std::string& path, Sign sign, Range range) {
  if (sign == Sign::positive && !(range.largest > 0)) sources.fail(where, path + " must be greater than 0");
  if (sign == Sign::not_negative && !(range.largest >= 0)) sources.fail(where, path + " must not be negative");
  if (sign == Sign::fraction && !(range.largest >= 0 && range.least <= 1))
    sources.fail(where, path + " must be from 0 to 1");
}

/// What stands at a path such as bodies.part[3].spin[2]; null if nothing does. The number of a copy leads nowhere.
const Node* find_path(const Node& root, std::string_view path) {
  const Node* node = &root;
  while (node && !path.empty()) {
    const std::size_t end = std::min(path.find_first_of(".[", 1), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(end);
    if (!part.starts_with('[')) {
      node = node->find(part.substr(part.starts_with('.') ? 1 : 0));
    } else if (node->kind == Node::Kind::list) {
      std::size_t index = 0;
      std::from_chars(part.data() + 1, part.data() + part.size(), index);
      node = index < node->items.size() ? &node->items[index] : nullptr;
    }
  }
  return node;
}

}  // namespace

double read_constant(const SourceNames& sources, const Node& node, const std::string& path, const Key& key) {
  if (node.kind != Node::Kind::scalar)
    sources.fail(node.where, path + " must be a number that all samples share, not " +
                                 (is_distribution(node) ? "a distribution" : describe(node)));
  std::optional<double> value = read_decimal(sources, node, path);
  if (!value) {
    if (node.text.find('$') != std::string::npos)
      sources.fail(node.where, path + " must be a number that all samples share, not " + excerpt(node.text));
    const Expression expression = parse_at(sources, node, path, key, {});
    if (expression.kind != ValueKind::number) sources.fail(node.where, path + " must be a number, not a truth value");
    value = evaluate_constant(expression);
  }
  if (!std::isfinite(*value)) sources.fail(node.where, path + " must be finite: " + excerpt(node.text));
  check_sign(sources, node.where, path, key.sign, {*value, *value});
  return *value;
}

std::vector<double> read_constants(const SourceNames& sources, const Node& node, const std::string& path,
                                   const Key& key) {
  std::vector<double> values;
  for (const Node& item : read_list(sources, node, path))
    values.push_back(read_constant(sources, item, item_path(path, values.size()), key));
  return values;
}

NumberReader::NumberReader(const SourceNames& sources, Scenario& scenario)
    : sources_(sources), variables_(scenario.variables), scenario_(scenario) {
  symbols_.variable = [this](std::string_view name) {
    const auto found = indices_.find(name);
    return found == indices_.end() ? -1 : found->second;
  };
  symbols_.derived = [this](std::string_view name) {
    const auto found = derived_.find(name);
    return found == derived_.end() ? nullptr : &found->second;
  };
}

void NumberReader::set_file(const Node& root) {
  symbols_.is_read_later = [&root](std::string_view path) {
    const Node* const node = find_path(root, path);
    return node && is_distribution(*node);
  };
}

void NumberReader::define(const std::string& name, const Number& value) {
  derived_[name] = value.code.empty() ? std::vector<Instruction>{{Op::constant, 0, value.constant}} : value.code;
  symbols_.variable_names.push_back(name);
}

int NumberReader::define(const Node& node, Variable variable) {
  const int index = static_cast<int>(variables_.size());
  indices_.emplace(variable.name, index);
  if (!variable.in_place) symbols_.variable_names.push_back(variable.name);
  places_.push_back(node.order);
  variables_.push_back(std::move(variable));
  return index;
}

bool NumberReader::slides() const {
  return !scenario_.joints.empty() && scenario_.joints.back().type == JointType::prismatic;
}

UnitFactor NumberReader::factor(const Key& key) const { return factor_of(scenario_.units, key.unit, slides()); }

Number NumberReader::read(const Node& node, const std::string& path, const Key& key,
                          const std::function<QuantityUse(const QuantityName&)>& quantity) {
  Number number;
  if (is_distribution(node)) {
    Distribution distribution = read_distribution(sources_, node, path, unit_of(key));
    if (const Node* unit = node.find("unit"))
      sources_.fail(unit->where, path + ".unit has no meaning here: this number " +
                                     (key.unit.empty() ? "has none" : "is in " + unit_of(key)));
    if (!convert(distribution, factor(key)))
      sources_.fail(node.where, path + ": whole numbers have no unit; write a choice, or 'units' without this one");
    if (!is_valid(distribution)) fail_of_size(node, path);
    number.code = {{Op::variable,
                    define(node, {path, distribution, true, node.where, std::string(one_unit(key.unit, slides()))})}};
    number.where = node.where;
  } else {
    number = read_scalar(node, path, key, quantity);
    refuse_converted(node, path, number);
    const double written = number.constant;
    convert(number, factor(key));
    if (is_lost(written, number.constant)) fail_of_size(node, path);
  }
  check_sign(sources_, node.where, path, key.sign, range_of(number, variables_));
  return number;
}

double NumberReader::read_same(const Node& node, const std::string& path, const Key& key) const {
  const std::string unit = unit_of(key);
  const double written = read_constant(sources_, node, path, key.in(unit)), value = factor(key).convert(written);
  if (is_lost(written, value)) fail_of_size(node, path);
  return value;
}

std::string NumberReader::unit_of(const Key& key) const { return unit_in_file(scenario_.units, key.unit, slides()); }

void NumberReader::fail_of_size(const Node& node, const std::string& path) const {
  sources_.fail(node.where, path + " is too large or too small for a double in SI units");
}

void NumberReader::refuse_converted(const Node& node, const std::string& path, const Number& number) const {
  if (scenario_.units == UnitsSpec{}) return;
  for (const Instruction& instruction : number.code) {
    if (instruction.op != Op::variable) continue;
    const Variable& variable = variables_[static_cast<std::size_t>(instruction.index)];
    if (variable.in_place)
      sources_.fail(node.where, path + " cannot use $" + variable.name +
                                    ", which is in SI units: put its distribution under `variables`");
  }
}

Number NumberReader::read_scalar(const Node& node, const std::string& path, const Key& key,
                                 const std::function<QuantityUse(const QuantityName&)>& quantity) {
  if (node.kind == Node::Kind::map) read_distribution(sources_, node, path);  // reports the unknown key
  if (node.kind != Node::Kind::scalar) sources_.fail(node.where, path + " must be a number, not " + describe(node));
  Number number;
  number.where = node.where;
  if (const std::optional<double> value = read_decimal(sources_, node, path)) {
    number.constant = *value;
  } else {
    Expression expression = read_expression(node, path, key, quantity);
    if (expression.kind != ValueKind::number) sources_.fail(node.where, path + " must be a number, not a truth value");
    if (is_constant(expression)) {
      number.constant = evaluate_constant(expression);
      if (expression.uses_copy) number.text = node.text;
    } else {
      number.code = std::move(expression.code);
      number.text = node.text;
    }
  }
  if (!std::isfinite(number.constant)) sources_.fail(node.where, path + " must be finite: " + excerpt(node.text));
  return number;
}

Expression NumberReader::read_expression(const Node& node, const std::string& path, const Key& key,
                                         std::function<QuantityUse(const QuantityName&)> quantity) {
  read_text(sources_, node, path);
  symbols_.time = key.of_time;
  if (scenario_.world.step > 0 || scenario_.world.rate > 0)
    symbols_.step = scenario_.world.step > 0 ? scenario_.world.step : 1 / scenario_.world.rate;
  symbols_.quantity = std::move(quantity);
  const std::string unit = unit_of(key);
  return parse_at(sources_, node, path, key.in(unit), symbols_);
}

}  // namespace jostle
