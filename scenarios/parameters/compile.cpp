#include "scenarios/parameters/compile.hpp"

#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>

#include "core/expression/evaluate.hpp"

namespace jostle {
namespace {

class Compiler {
 public:
  /// The value that a number stands for; the same for all that come from the same numbers by the same operations.
  int value_of(const Traced& number) {
    if (number.is_known()) return add({Op::constant, 0, number.value()}, nullptr, -1, -1);
    const auto known = values_of_nodes_.find(number.node());
    if (known != values_of_nodes_.end()) return known->second;
    const Traced::Node& node = *number.node();
    const int taken = node.number ? 0 : operand_count(node.op);
    const int a = taken > 0 ? value_of(node.a) : -1, b = taken > 1 ? value_of(node.b) : -1;
    return values_of_nodes_[number.node()] = add({node.op, node.index, 0}, node.number, a, b);
  }

  void use(int value) {
    if (value >= 0) ++values_[at(value)].uses;
  }

  /// Its program, once all uses are counted.
  Program program_of(int value) const {
    Program program;
    append(value, program);
    return program;
  }

  /// Programs of the values that are needed more than once, those before that they use first.
  std::vector<Program> share() {
    std::vector<Program> shared;
    for (Value& value : values_) {
      if (value.uses < 2 || is_short(value)) continue;
      Program program;
      append_operation(value, program);
      value.shared = static_cast<int>(shared.size());
      shared.push_back(std::move(program));
    }
    return shared;
  }

 private:
  struct Value {
    Instruction instruction;
    const Number* number;
    int a, b;  ///< operands; -1: none
    int uses = 0;
    int shared = -1;  ///< its number among the shared ones
  };

  static std::size_t at(int value) { return static_cast<std::size_t>(value); }
  static bool is_short(const Value& value) { return !value.number && value.a < 0; }

  int add(const Instruction& instruction, const Number* number, int a, int b) {
    const auto key = std::make_tuple(instruction.op, instruction.index, std::bit_cast<std::uint64_t>(instruction.value),
                                     number, a, b);
    const auto [place, is_new] = numbers_.emplace(key, static_cast<int>(values_.size()));
    if (is_new) {
      values_.push_back({instruction, number, a, b});
      use(a), use(b);
    }
    return place->second;
  }

  void append(int value, Program& program) const {
    const Value& wanted = values_[at(value)];
    if (wanted.shared >= 0) {
      program.push_back({Op::quantity, wanted.shared, 0});
    } else {
      append_operation(wanted, program);
    }
  }

  void append_operation(const Value& value, Program& program) const {
    if (value.number) {
      program.insert(program.end(), value.number->code.begin(), value.number->code.end());
      return;
    }
    if (value.a >= 0) append(value.a, program);
    if (value.b >= 0) append(value.b, program);
    program.push_back(value.instruction);
  }

  std::vector<Value> values_;  ///< operands before what is computed from them
  std::map<std::tuple<Op, std::int32_t, std::uint64_t, const Number*, int, int>, int> numbers_;
  std::unordered_map<const Traced::Node*, int> values_of_nodes_;
};

}  // namespace

Programs compile(std::span<const Traced> numbers) {
  Compiler compiler;
  std::vector<int> values;
  for (const Traced& number : numbers) compiler.use(values.emplace_back(compiler.value_of(number)));
  Programs programs;
  programs.shared = compiler.share();
  for (const int value : values) programs.numbers.push_back(compiler.program_of(value));
  return programs;
}

}  // namespace jostle
