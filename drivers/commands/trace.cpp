#include "drivers/commands/trace.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "drivers/status_names.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const TraceOutcome& outcome) {
  if (std::isnan(outcome.value)) return "undefined";
  if (outcome.truth) return outcome.value == 1 ? "true" : "false";
  return fmt::format("{}", outcome.value);
}

class TextTrace : public Trace {
 public:
  void begin(const TraceHead& head) override {
    if (!head.title.empty()) std::cout << head.title << '\n';
    std::cout << fmt::format("sample {}, seed {}", head.sample, head.seed);
    const char* before = ": ";
    for (const auto& [name, value] : head.variables) {
      std::cout << fmt::format("{}{} = {:.6g}", before, name, value);
      before = ", ";
    }
    std::cout << fmt::format("\n{:>8} {:>12} {:>9} {:>7} {:>10} {:>16}\n", "step", "time / s", "contacts", "pivots",
                             "residual", "energy / J");
  }
  void step(const TraceStep& step) override {
    std::cout << fmt::format("{:>8} {:>12.6g} {:>9} {:>7} {:>10.2e} {:>16.9g}", step.step, step.time, step.contacts,
                             step.pivots, step.residual, step.energy);
    if (step.status != Status::ok) std::cout << "  " << name_of(step.status);
    std::cout << '\n';
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
    std::string text = json.dump();
    text.back() = ',';  // the object goes on
    std::cout << text << "\n\"trace\": [";
  }
  void step(const TraceStep& step) override {
    const Json json{{"step", step.step},         {"time", step.time},     {"status", name_of(step.status)},
                    {"contacts", step.contacts}, {"pivots", step.pivots}, {"residual", step.residual},
                    {"energy", step.energy}};
    std::cout << (first_ ? "\n  " : ",\n  ") << json.dump();
    first_ = false;
  }
  void end(const TraceEnd& end) override {
    Json json{{"status", name_of(end.status)}, {"steps", end.steps}, {"end_time", end.time}};
    if (!end.reason.empty()) json["reason"] = end.reason;
    json["outcomes"] = Json::object();
    for (const TraceOutcome& outcome : end.outcomes) json["outcomes"][outcome.name] = outcome.value;
    std::cout << "\n],\n" << json.dump().substr(1) << '\n';
  }

 private:
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Trace> text_trace() { return std::make_unique<TextTrace>(); }

std::unique_ptr<Trace> json_trace() { return std::make_unique<JsonTrace>(); }

}  // namespace jostle
