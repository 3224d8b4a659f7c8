#include "drivers/program/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "drivers/datasets/status_names.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const TraceOutcome& outcome) {
  if (std::isnan(outcome.value)) return "undefined";
  if (outcome.truth) return outcome.value == 1 ? "true" : "false";
  return fmt::format("{}", outcome.value);
}

/// A line per body: position, orientation, velocity, spin.
std::string lines_of(const std::vector<TraceState>& states) {
  std::size_t width = 0;
  for (const TraceState& state : states) width = std::max(width, state.body.size());
  std::string lines;
  for (const TraceState& state : states)
    lines += fmt::format("{:>8} {:<{}}  at {:11.6g}  q {:11.6g}  v {:11.6g}  w {:11.6g}\n", "", state.body, width,
                         fmt::join(state.position, " "), fmt::join(state.orientation, " "),
                         fmt::join(state.velocity, " "), fmt::join(state.spin, " "));
  return lines;
}

Json json_of(const std::vector<TraceState>& states) {
  Json json = Json::object();
  for (const TraceState& state : states)
    json[state.body] = {{"position", state.position},
                        {"orientation", state.orientation},
                        {"velocity", state.velocity},
                        {"spin", state.spin}};
  return json;
}

std::string word_for_mode(int mode) {
  static constexpr const char* words[] = {"open", "sticks", "slips"};
  std::string word = words[mode & 3];
  if (mode & contact_not_unique) word += ", not unique";
  if (mode & contact_held) word += ", held";
  if (mode & contact_filtered) word += ", left out";
  return word;
}

/// With no sign before a zero.
template <std::size_t N>
std::string numbers_of(const double (&values)[N]) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", value + 0.0);
  return text;
}

/// A line per contact.
std::string lines_of(const std::vector<TraceContact>& contacts) {
  std::string lines;
  for (const auto& [pair, row] : contacts)
    lines += fmt::format("{:>8} {} ({})  {}  gap {:.3g}  normal {}  impulse {:.6g} {}  slip {}\n", "", pair,
                         row.feature, word_for_mode(row.mode), row.gap, numbers_of(row.normal), row.impulse_n,
                         numbers_of(row.impulse_t), numbers_of(row.slip));
  return lines;
}

template <class Field>
Json json_of_field(const Field& field) {
  if constexpr (std::is_array_v<Field>)
    return std::vector<std::remove_extent_t<Field>>(std::begin(field), std::end(field));
  else
    return field;
}

/// The fields of a dataset, with the name of the pair.
Json json_of(const std::vector<TraceContact>& contacts) {
  Json list = Json::array();
  for (const auto& [pair, row] : contacts) {
    Json& contact = list.emplace_back(Json::object());
#define JOSTLE_WRITE(type, name, extent, unit, meaning) contact[#name] = json_of_field(row.name);
    JOSTLE_CONTACT_FIELDS(JOSTLE_WRITE)
#undef JOSTLE_WRITE
    contact["pair"] = pair;
  }
  return list;
}

class TextTrace : public Trace {
 public:
  void begin(const TraceHead& head) override {
    if (!head.title.empty()) std::cout << head.title << '\n';
    std::cout << fmt::format("sample {}, seed {}", head.sample, head.seed);
    const char* before = ": ";
    for (const auto& [name, value] : head.shown) {
      std::cout << fmt::format("{}{} = {:.6g}", before, name, value);
      before = ", ";
    }
    std::cout << '\n' << text_of(head.masses) << text_of(head.mechanism);
    std::cout << fmt::format("{:>8} {:>12} {:>9} {:>9} {:>7} {:>10} {:>10} {:>16}\n", "step", "time / s", "contacts",
                             "solver", "pivots", "residual", "gained / J", "energy / J");
    if (head.states.empty()) return;
    std::cout << "at: position / m, q: orientation (w, x, y, z), v: velocity / (m/s), w: spin / (rad/s), world\n"
              << lines_of(head.states);
  }
  void step(const TraceStep& step) override {
    std::cout << fmt::format("{:>8} {:>12.6g} {:>9} {:>9} {:>7} {:>10.2e} {:>10.2g} {:>16.9g}", step.step, step.time,
                             step.contacts, step.solver, step.pivots, step.residual, step.energy_gained, step.energy);
    if (step.held) std::cout << "  held";
    if (step.status != Status::ok) std::cout << "  " << name_of(step.status);
    if (!std::isnan(step.pointedness)) std::cout << fmt::format("  pointedness {:.3g}", step.pointedness);
    std::cout << '\n' << lines_of(step.states);
    if (step.contact_rows) std::cout << lines_of(*step.contact_rows);
  }
  void end(const TraceEnd& end) override {
    std::cout << fmt::format("status: {} after {} steps, t = {:.6g} s\n", name_of(end.status), end.steps, end.time);
    for (const TraceOutcome& outcome : end.outcomes) std::cout << outcome.name << ": " << text_of(outcome) << '\n';
    if (!end.reason.empty()) std::cout << end.reason << '\n';
  }
};

class JsonTrace : public Trace {
 public:
  void begin(const TraceHead& head) override {
    Json json{{"title", head.title}, {"sample", head.sample}, {"seed", head.seed}, {"step", head.step}};
    json["variables"] = Json::object();
    for (const auto& [name, value] : head.variables) json["variables"][name] = value;
    json["bodies"] = Json::parse(json_text_of(head.masses));
    if (head.mechanism.has_joints()) json["joints"] = Json::parse(json_text_of(head.mechanism));
    if (!head.states.empty()) json["start"] = json_of(head.states);
    std::string text = json.dump();
    text.back() = ',';  // the object continues
    std::cout << text << "\n\"trace\": [";
  }
  void step(const TraceStep& step) override {
    Json json{{"step", step.step},
              {"time", step.time},
              {"status", name_of(step.status)},
              {"contacts", step.contacts},
              {"solver", step.solver},
              {"pivots", step.pivots},
              {"residual", step.residual},
              {"held", step.held},
              {"pointedness", step.pointedness},
              {"energy_gained", step.energy_gained},
              {"energy", step.energy}};
    if (!step.states.empty()) json["states"] = json_of(step.states);
    if (step.contact_rows) json["contact_rows"] = json_of(*step.contact_rows);
    std::cout << (first_ ? "\n  " : ",\n  ") << json.dump();
    first_ = false;
  }
  void end(const TraceEnd& end) override {
    Json json{{"status", name_of(end.status)}, {"steps", end.steps}, {"end_time", end.time}};
    if (!end.reason.empty()) json["reason"] = end.reason;
    json["outcomes"] = Json::object();
    for (const TraceOutcome& outcome : end.outcomes) json["outcomes"][outcome.name] = outcome.value;
    std::cout << "\n],\n" << json_line(json).substr(1) << '\n';
  }

 private:
  bool first_ = true;
};

class CsvTrace : public Trace {
 public:
  void begin(const TraceHead& head) override {
    std::cout << "step,time";
    for (const std::string& name : head.curves) {
      const bool is_taken = name == "step" || name == "time";  // the same expression, as a name of its own
      std::cout << ',' << (is_taken ? '(' + name + ')' : in_csv(name));
    }
    std::cout << '\n';
  }
  void step(const TraceStep& step) override {
    if (step.status != Status::ok) return;
    std::cout << fmt::format("{},{}", step.step, step.time);
    for (const double value : step.values) std::cout << (std::isnan(value) ? "," : fmt::format(",{}", value));
    std::cout << '\n';
  }
  void end(const TraceEnd& end) override {
    if (end.status != Status::ok)
      std::cerr << fmt::format("status: {} after {} steps\n{}", name_of(end.status), end.steps,
                               end.reason.empty() ? "" : end.reason + "\n");
  }

 private:
  static std::string in_csv(const std::string& name) {
    if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
    std::string quoted = "\"";
    for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
  }
};

}  // namespace

std::unique_ptr<Trace> csv_trace() { return std::make_unique<CsvTrace>(); }

std::unique_ptr<Trace> text_trace() { return std::make_unique<TextTrace>(); }

std::unique_ptr<Trace> json_trace() { return std::make_unique<JsonTrace>(); }

}  // namespace jostle
