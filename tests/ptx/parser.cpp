// From text to functions of instructions.
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <set>

#include "tests/ptx/program.hpp"

namespace jostle::ptx {
namespace {

struct Tokens {
  std::vector<std::string> words;
  std::vector<int> lines;  ///< [word] where it stands, from 1
};

Tokens tokens_of(const std::string& text) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string("_$.%@!-\"").find(c) != std::string::npos;
  };
  Tokens tokens;
  int line = 1;
  const auto add = [&](const std::string& word) { tokens.words.push_back(word), tokens.lines.push_back(line); };
  for (std::size_t i = 0; i < text.size();) {
    line += text[i] == '\n';
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (is_word(text[i])) {
      const std::size_t begin = i;
      while (i < text.size() && is_word(text[i])) ++i;
      add(text.substr(begin, i - begin));
    } else {
      if (std::isspace(static_cast<unsigned char>(text[i])) == 0) add(std::string(1, text[i]));
      ++i;
    }
  }
  return tokens;
}

bool is_number(const std::string& token) {
  return std::isdigit(static_cast<unsigned char>(token[token[0] == '-' ? 1 : 0])) != 0;
}

/// 12, -12, 0x1F, 0d3FF0000000000000.
std::uint64_t number_of(const std::string& token) {
  const bool negative = token[0] == '-';
  std::string digits = token.substr(negative ? 1 : 0);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0d") || digits.starts_with("0f"))
    base = 16, digits = digits.substr(2);
  if (digits.ends_with('U')) digits.pop_back();
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || stop != digits.data() + digits.size()) throw Fault("no number: " + token);
  return negative ? ~value + 1 : value;
}

std::size_t bytes_of_type(const std::string& type) {
  const std::size_t bits = static_cast<std::size_t>(std::stoi(type.substr(type.find_first_of("0123456789"))));
  return bits / 8;
}

}  // namespace

class Parser {
 public:
  Parser(Program& program, const std::string& text) : Parser(program, tokens_of(text)) {}
  Parser(Program& program, Tokens tokens)
      : program_(program), tokens_(std::move(tokens.words)), lines_(std::move(tokens.lines)) {}

  void parse() {
    while (at_ < tokens_.size()) {
      const std::string token = take();
      if (token == ".func" || token == ".entry")
        read_function();
      else if (token == ".shared")
        read_shared();
      else if (token == ".global")
        read_table();
    }
    for (const auto& [instruction, name] : calls_) {
      const Function* const callee = find(name);
      if (!callee) throw Fault("nothing defines " + name);
      instruction.first->code[instruction.second].callee = callee;
    }
  }

 private:
  std::string take() { return tokens_.at(at_++); }
  bool next_is(const std::string& token) const { return at_ < tokens_.size() && tokens_[at_] == token; }
  void expect(const std::string& token) {
    if (take() != token) throw Fault("expected " + token + ", not " + tokens_[at_ - 1]);
  }

  Function* find(const std::string& name) {
    const auto found = std::find_if(program_.functions_.begin(), program_.functions_.end(),
                                    [&](const Function& function) { return function.name == name; });
    return found != program_.functions_.end() ? &*found : nullptr;
  }

  /// .param .align 8 .b8 NAME[40], with .param taken. The memory begins at a multiple of 16 bytes.
  std::pair<std::string, std::size_t> read_variable() {
    std::string token = take();
    if (token == ".align") take(), token = take();
    std::size_t bytes = bytes_of_type(token);
    const std::string name = take();
    if (next_is("[")) {
      take();
      bytes *= next_is("]") ? 0 : number_of(take());
      expect("]");
    }
    return {name, bytes};
  }

  static Piece place(std::size_t& total, std::size_t bytes) {
    const Piece piece{total, bytes};
    total += (bytes + 15) / 16 * 16;
    return piece;
  }

  void read_shared() {
    const auto [name, bytes] = read_variable();
    if (program_.shared_.contains(name)) return;
    if (has_added_memory_) throw Fault("behind the shared memory that a launch adds there is " + name);
    program_.shared_[name] = place(program_.shared_bytes_, bytes).offset;
    has_added_memory_ = bytes == 0;
  }

  /// .global .align 8 .b8 NAME[16] = {1, 2}; or without numbers. A byte that is not written is zero.
  void read_table() {
    const auto [name, bytes] = read_variable();
    std::vector<std::byte>& table = program_.tables_[name];
    table.resize(bytes);
    if (next_is(";")) return;
    expect("=");
    expect("{");
    for (std::byte& byte : table) {
      byte = static_cast<std::byte>(number_of(take()));
      if (!next_is(",")) break;
      take();
    }
    expect("}");
  }

  void read_function() {
    Function function;
    function.tables = &program_.tables_;
    if (next_is("(")) read_parameters(function, true);
    function.name = take();
    if (next_is("(")) read_parameters(function, false);
    while (!next_is("{") && !next_is(";")) take();  // .maxntid 256, 1, 1
    if (take() == ";") return;                      // declared, not defined
    program_.functions_.push_back(std::move(function));
    function_ = &program_.functions_.back();
    local_.clear();
    declared_.clear();
    labels_.clear();
    branches_.clear();
    read_body();
    end_function();
  }

  void end_function() {
    std::vector<Instruction>& code = function_->code;
    if (!code.empty()) code[0].begins_block = true;
    for (const auto& [instruction, label] : branches_) {
      code[instruction].target = labels_.at(label);
      for (const std::size_t first : {static_cast<std::size_t>(code[instruction].target), instruction + 1})
        if (first < code.size()) code[first].begins_block = true;
    }
    for (std::size_t i = 0; i + 1 < code.size(); ++i)
      if (code[i].text.ends_with("ret")) code[i + 1].begins_block = true;
    set_order(*function_);
  }

  void read_parameters(Function& function, bool results) {
    for (expect("("); !next_is(")");) {
      expect(".param");
      const auto [name, bytes] = read_variable();
      const Piece piece = place(function.parameter_bytes, bytes);
      function.parameters[name] = piece;
      if (results)
        function.result = name;
      else
        function.parameter_order.push_back(piece);
      if (next_is(",")) take();
    }
    take();
  }

  void read_body() {
    for (int depth = 1; depth > 0;) {
      const std::string token = take();
      if (token == "{" || token == "}" || token == ";") {
        depth += token == "{" ? 1 : token == "}" ? -1 : 0;
      } else if (next_is(":")) {
        take();
        labels_[token] = static_cast<int>(function_->code.size());
      } else if (token == ".param") {
        const auto [name, bytes] = read_variable();
        Piece& piece = function_->arguments[name];
        if (piece.bytes < bytes) piece = place(function_->argument_bytes, bytes);
      } else if (token == ".local") {
        const auto [name, bytes] = read_variable();
        local_ = name;
        function_->local_bytes = bytes;
      } else if (token == ".shared") {
        read_shared();
      } else if (token == ".reg") {
        read_registers();
      } else if (token == ".pragma") {
        while (!next_is(";")) take();  // "words for the assembler"
      } else if (token[0] == '.') {
        throw Fault("unknown directive " + token);
      } else {
        read_instruction(token);
      }
    }
  }

  /// .reg .b32 %r<9>; or .reg .b64 %tmp; or, in a block of its own, .reg .b16 tmp;
  void read_registers() {
    for (take(); !next_is(";");) {
      const std::string name = take();
      declared_.insert(name);
      if (next_is("<")) take(), take(), expect(">");
      if (next_is(",")) take();
    }
  }

  int slot_of(const std::string& name) {
    const std::string family = name.substr(0, name.find_last_not_of("0123456789") + 1);
    const bool is_place = name == "%tid.x" || name == "%ctaid.x" || name == "%ntid.x" || name == "%nctaid.x";
    if (!is_place && !declared_.contains(name) && !declared_.contains(family)) throw Fault("unknown register " + name);
    return function_->registers.try_emplace(name, static_cast<int>(function_->registers.size())).first->second;
  }

  Operand operand_of(const std::string& token) {
    using Kind = Operand::Kind;
    if (is_number(token)) return {Kind::value, number_of(token)};
    if (token[0] == '%' || declared_.contains(token)) return {Kind::slot, static_cast<std::uint64_t>(slot_of(token))};
    if (token == local_) return {Kind::local, 0};
    if (const auto found = function_->parameters.find(token); found != function_->parameters.end())
      return {Kind::parameter, found->second.offset};
    if (const auto found = function_->arguments.find(token); found != function_->arguments.end())
      return {Kind::argument, found->second.offset};
    if (const auto found = program_.shared_.find(token); found != program_.shared_.end())
      return {Kind::shared, found->second};
    if (const auto found = program_.tables_.find(token); found != program_.tables_.end())
      return {Kind::value, reinterpret_cast<std::uint64_t>(found->second.data())};
    throw Fault("unknown name " + token + " in " + function_->name);
  }

  /// One value, {several}, or [address+offset]; several results are separated by |.
  std::vector<Operand> read_operand(Instruction& instruction) {
    if (next_is("[")) {
      take();
      const Operand address = operand_of(take());
      if (next_is("+")) take(), instruction.offset = static_cast<std::int64_t>(number_of(take()));
      expect("]");
      return {address};
    }
    std::vector<Operand> operands;
    const bool several = next_is("{");
    if (several) take();
    operands.push_back(operand_of(take()));
    while (next_is("|") || (several && next_is(","))) take(), operands.push_back(operand_of(take()));
    if (several) expect("}");
    return operands;
  }

  void read_instruction(std::string token) {
    Instruction instruction;
    const std::size_t begin = at_ - 1;
    if (token[0] == '@') {
      instruction.guard_negated = token[1] == '!';
      instruction.guard = slot_of(token.substr(instruction.guard_negated ? 2 : 1));
      token = take();
    }
    instruction.run = action_of(token);
    instruction.meeting = meeting_of(token);
    instruction.access = access_of(token);
    instruction.rounded = rounded_of(token);
    instruction.line = lines_[begin];
    if (token.starts_with("bra")) {
      branches_.emplace_back(function_->code.size(), take());
    } else if (token.starts_with("call")) {
      read_call(instruction);
    } else if (!next_is(";")) {
      const bool has_result = !token.starts_with("st.") && instruction.meeting != Meeting::warp_barrier &&
                              instruction.meeting != Meeting::block_barrier;
      for (bool first = true; first || next_is(","); first = false) {
        if (!first) take();
        const std::vector<Operand> operands = read_operand(instruction);
        for (const Operand& operand : operands) {
          if (first && has_result)
            instruction.results.push_back(static_cast<int>(operand.value));
          else
            instruction.operands.push_back(operand);
        }
      }
    }
    for (std::size_t i = begin; i < at_; ++i) instruction.text += (i > begin ? " " : "") + tokens_[i];
    expect(";");
    const bool gives_several = token.starts_with("shfl.") || token.starts_with("ld.") || token.starts_with("mov.");
    if (instruction.results.size() > 1 && !gives_several) throw Fault("a second result: " + instruction.text);
    if (instruction.meeting == Meeting::block_barrier &&
        (instruction.operands.size() != 1 || instruction.operands[0].kind != Operand::Kind::value))
      throw Fault("a barrier of a part of the block: " + instruction.text);
    function_->code.push_back(std::move(instruction));
  }

  /// (result), NAME, (arguments): operands are the argument memories, the last one that of the result.
  void read_call(Instruction& instruction) {
    const auto argument = [&] { instruction.operands.push_back(operand_of(take())); };
    std::vector<Operand> result;
    if (next_is("(")) {
      take();
      result.push_back(operand_of(take()));
      expect(")");
      expect(",");
    }
    calls_.push_back({{function_, function_->code.size()}, take()});
    if (next_is(",")) {
      take();
      for (expect("("); !next_is(")");) {
        argument();
        if (next_is(",")) take();
      }
      take();
    }
    instruction.operands.insert(instruction.operands.end(), result.begin(), result.end());
  }

  Program& program_;
  std::vector<std::string> tokens_;
  std::vector<int> lines_;
  std::size_t at_ = 0;
  Function* function_ = nullptr;
  bool has_added_memory_ = false;  ///< shared memory of no size, which a launch adds, has a name
  std::string local_;
  std::set<std::string> declared_;  ///< registers, those of a family without their number
  std::map<std::string, int> labels_;
  std::vector<std::pair<std::size_t, std::string>> branches_;
  std::vector<std::pair<std::pair<Function*, std::size_t>, std::string>> calls_;
};

Program::Program(const std::string& text) { Parser(*this, text).parse(); }

const Function& Program::kernel(const std::string& part) const {
  const Function* kernel = nullptr;
  for (const Function& function : functions_) {
    if (function.name.find(part) == std::string::npos) continue;
    if (kernel) throw Fault("several functions are called " + part);
    kernel = &function;
  }
  if (!kernel) throw Fault("no kernel is called " + part);
  return *kernel;
}

}  // namespace jostle::ptx
