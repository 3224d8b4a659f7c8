#pragma once
// Device code as nvcc writes it down before an assembler sees it [NVIDIA, PTX ISA 9.0], as far as kernels of jostle use
// it: parsed into functions of instructions, which machine.hpp carries out.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace jostle::ptx {

class Lane;
struct Function;
struct Instruction;

/// Code that is not as expected, or does what it must not.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where a value or an address comes from.
struct Operand {
  enum class Kind { value, slot, local, parameter, argument, shared };
  Kind kind = Kind::value;
  std::uint64_t value = 0;  ///< or the number of the register, or the offset in that memory
};

/// What waits for other lanes of the warp or of the block.
enum class Meeting { none, warp_barrier, shuffle_xor, shuffle_index, vote_any, block_barrier };

/// What an instruction reads or writes, as far as its name tells. Parameters are registers or constants on a device.
enum class Access { none, local, shared, global, generic };

/// Arithmetic that a function of the assembler's own does for numbers near the ends of the range, and for zeros.
enum class Rounded { no, quotient, root, reciprocal };

/// Machine code that stands for an instruction, on average over its copies (machine_code.hpp). Without machine code an
/// instruction stands for itself.
struct Cost {
  double slots = 1;    ///< machine instructions
  double spills = 0;   ///< accesses of local memory that intermediate code does not have
  double special = 0;  ///< further machine instructions where that function does it
  double size = 1;     ///< machine instructions of all copies together
};

struct Instruction {
  void (*run)(Lane&, const Instruction&) = nullptr;
  int guard = -1;  ///< register of the predicate; -1: none
  bool guard_negated = false;
  std::vector<int> results;
  std::vector<Operand> operands;
  std::int64_t offset = 0;  ///< of an address, operands[0]
  int target = -1;          ///< of a branch
  const Function* callee = nullptr;
  Meeting meeting = Meeting::none;
  Access access = Access::none;
  Rounded rounded = Rounded::no;
  bool begins_block = false;  ///< is branched to, or follows a branch or a return
  int order = 0;              ///< among those of its function (set_order)
  int line = 0;               ///< of the text, from 1
  Cost cost;
  std::string text;  ///< for messages
};

/// A piece of parameter memory.
struct Piece {
  std::size_t offset = 0, bytes = 0;
};

/// Variables of a module that come with their values; nothing may write them.
using Tables = std::map<std::string, std::vector<std::byte>>;

struct Function {
  std::string name;
  const Tables* tables = nullptr;  ///< of its program
  std::vector<Instruction> code;
  std::map<std::string, int> registers;
  std::map<std::string, Piece> parameters;  ///< what it is given, and what it returns
  std::map<std::string, Piece> arguments;   ///< what it gives to the functions that it calls, and gets from them
  std::vector<Piece> parameter_order;
  std::string result;  ///< name of the parameter that is returned; empty: none
  std::size_t parameter_bytes = 0, argument_bytes = 0, local_bytes = 0;
};

/// Numbers the instructions so that a branch goes to a higher number, but for those that begin a loop again, and that
/// the numbers of a loop follow each other without gaps: behind them is what comes after the loop, wherever it stands
/// in the text [Bourdoncle, Efficient chaotic iteration strategies with widenings, 1993, section 4].
void set_order(Function& function);

class Program {
 public:
  /// Throws Fault where the text has something unknown.
  explicit Program(const std::string& text);

  /// The one kernel whose name contains `part`.
  const Function& kernel(const std::string& part) const;
  std::deque<Function>& functions() { return functions_; }
  /// Of the variables of a block that the text declares with a size; what a launch adds begins there.
  std::size_t shared_bytes() const { return shared_bytes_; }

 private:
  friend class Parser;
  std::deque<Function> functions_;  ///< in a place that does not change
  Tables tables_;
  std::map<std::string, std::size_t> shared_;
  std::size_t shared_bytes_ = 0;
};

/// What an instruction of this name, such as "add.rn.f64", does. Throws Fault if it is unknown.
void (*action_of(const std::string& name))(Lane&, const Instruction&);
Meeting meeting_of(const std::string& name);
Access access_of(const std::string& name);
Rounded rounded_of(const std::string& name);

}  // namespace jostle::ptx
