#include "scenarios/reader/doubts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "core/expression/evaluate.hpp"
#include "scenarios/format/numbers.hpp"
#include "scenarios/model/distribution.hpp"
#include "scenarios/model/range.hpp"
#include "scenarios/parameters/mass.hpp"

namespace jostle {
namespace {

constexpr double largest_angle = 2 * std::numbers::pi_v<double>;  ///< rad
constexpr double largest_size = 10;                               ///< m
constexpr double largest_growth = 1.05;                           ///< of an amplitude, in a run

/// The range of an expression that has only variables, constants, + - * and / by a constant.
class Intervals {
 public:
  explicit Intervals(const std::vector<Variable>& variables) : variables_(variables) {}

  /// The largest |x| beyond a full turn of any sin x, cos x or tan x; 0 if there is none or none is known.
  double largest_turn(std::span<const Instruction> code) const {
    std::vector<Range> stack;
    double largest = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const Instruction& instruction = code[i];
      const auto taken = static_cast<std::size_t>(operand_count(instruction.op));
      const std::vector<Range> operands(stack.end() - static_cast<std::ptrdiff_t>(taken), stack.end());
      stack.resize(stack.size() - taken);
      if (instruction.op == Op::sin || instruction.op == Op::cos || instruction.op == Op::tan) {
        const double turn = std::max(std::fabs(operands[0].least), std::fabs(operands[0].largest));
        if (std::isfinite(turn) && turn > largest_angle && !is_of_degrees(code, i)) largest = std::max(largest, turn);
      }
      stack.push_back(result_of(instruction, operands));
    }
    return largest;
  }

 private:
  /// Whether the function at `i` is sind, cosd or tand.
  static bool is_of_degrees(std::span<const Instruction> code, std::size_t i) {
    return i >= 2 && code[i - 1].op == Op::multiply && code[i - 2].op == Op::constant &&
           code[i - 2].value == std::numbers::pi / 180;
  }

  Range result_of(const Instruction& instruction, const std::vector<Range>& x) const {
    switch (instruction.op) {
      case Op::constant: return {instruction.value, instruction.value};
      case Op::variable: return range_of(variables_[static_cast<std::size_t>(instruction.index)].distribution);
      case Op::negate: return {-x[0].largest, -x[0].least};
      case Op::add: return {x[0].least + x[1].least, x[0].largest + x[1].largest};
      case Op::subtract: return {x[0].least - x[1].largest, x[0].largest - x[1].least};
      case Op::multiply:
        return hull({x[0].least * x[1].least, x[0].least * x[1].largest, x[0].largest * x[1].least,
                     x[0].largest * x[1].largest});
      case Op::divide:
        if (x[1].least != x[1].largest) return {};
        return hull({x[0].least / x[1].least, x[0].largest / x[1].least});
      default: return {};
    }
  }

  static Range hull(std::initializer_list<double> values) {
    if (std::any_of(values.begin(), values.end(), [](double value) { return !std::isfinite(value); })) return {};
    return {std::min(values), std::max(values)};
  }

  const std::vector<Variable>& variables_;
};

class Doubts {
 public:
  explicit Doubts(const Scenario& scenario) : scenario_(scenario), bounds_(scenario.variables) {}

  std::vector<Fault> all() {
    const auto look = [&](const Number& number, const std::string&, const Key&) {
      look_at_angles(number.code, number.text, number.where);
    };
    visit_numbers(scenario_, "", look);
    for (const BodySpec& body : scenario_.bodies) look_at_sizes(body);
    for (const ImpulseSpec& impulse : scenario_.impulses) look_at_time(impulse);
    if (facts_of(scenario_.world.method).end_weight == 0) {
      for (const SpringSpec& spring : scenario_.springs) look_at_growth(spring);
    }
    for (const OutcomeSpec& outcome : scenario_.outcomes)
      for (const Expression* one : {&outcome.value(), &outcome.condition()})
        look_at_angles(one->code, one->text, outcome.where);
    return std::move(doubts_);
  }

 private:
  void look_at_sizes(const BodySpec& body) {
    if (!body.is_mover()) return;
    const auto look = [&](const Number& number, const std::string&, const Key& key) {
      if (key.unit == "m" && key.sign != Sign::any) look_at_size(body, number);  // a position can have any sign
    };
    for (const ShapeSpec& shape : body.shapes) visit_numbers(shape, "", look);
  }

  void look_at_angles(std::span<const Instruction> code, const std::string& text, const Location& where) {
    const double turn = bounds_.largest_turn(code);
    if (turn > 0)
      add({where, "'" + text + "' takes the sine, cosine or tangent of up to " + short_text(turn) +
                      "; angles in expressions are in radians (x * pi / 180 for degrees)"});
  }

  void look_at_size(const BodySpec& body, const Number& number) {
    const Range range = range_of(number, scenario_.variables);
    if (range.least > largest_size && std::isfinite(range.least))
      add({number.where, "body '" + body.name + "' has a size of " + short_text(range.least) + " m" +
                             (scenario_.units == UnitsSpec{} ? "; lengths are in metres" : "")});
  }

  void look_at_time(const ImpulseSpec& impulse) {
    const double time = range_of(impulse.time, scenario_.variables).least;
    if (time > scenario_.world.duration && std::isfinite(time))
      add({impulse.time.where, "this impulse comes at " + short_text(time) + " s or later, after the end of the run (" +
                                   short_text(scenario_.world.duration) + " s), and does nothing"});
  }

  /// With the force of the start of a step, x' = x + h v and v' = v - (h/m)(k x + c v): an amplitude grows in a step by
  /// the root of 1 + (h/m)(h k - c). Of random numbers the medians are looked at.
  void look_at_growth(const SpringSpec& spring) {
    const std::vector<double> medians = medians_of(scenario_);
    const Draw draw = medians.data();
    double inverse_mass = 0;
    for (const int body : spring.sides.bodies) {
      if (!scenario_.is_mover(body)) continue;
      inverse_mass += 1 / mass_of(scenario_.bodies[static_cast<std::size_t>(body)], draw).mass.value();
    }
    const double h = scenario_.world.step, enough = h * number_of(spring.stiffness, draw).value();
    const double rate = h * inverse_mass * (enough - number_of(spring.damping, draw).value());
    const double growth = std::exp(0.5 * static_cast<double>(scenario_.world.steps) * std::log1p(rate));
    if (!(growth > largest_growth)) return;
    add({spring.where, "spring '" + spring.name + "' swings more and more under " + name_of(scenario_.world.method) +
                           ", in this run by a factor of " + short_text(growth) +
                           ", as each step takes its force from the start of the step; with trapezoidal, "
                           "trapezoidal_midpoint or loetstedt it does not, nor with a damping of at least " +
                           short_text(enough) + " N s/m"});
  }

  /// A number stored three times is reported once.
  void add(Fault doubt) {
    const auto same = [&](const Fault& other) { return other.message == doubt.message && other.where == doubt.where; };
    if (std::none_of(doubts_.begin(), doubts_.end(), same)) doubts_.push_back(std::move(doubt));
  }

  const Scenario& scenario_;
  Intervals bounds_;
  std::vector<Fault> doubts_;
};

}  // namespace

std::vector<Fault> doubts_about(const Scenario& scenario) {
  std::vector<Fault> doubts = Doubts(scenario).all();
  for (const auto& more : {doubts_about_scales(scenario), doubts_about_stiffness(scenario)})
    doubts.insert(doubts.end(), more.begin(), more.end());
  return doubts;
}

}  // namespace jostle
