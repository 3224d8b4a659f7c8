#pragma once
// Carries out device code lane by lane, in memory of the host. Lanes run apart, in an order of their own, until they
// meet; what would wait for ever on a device is a Fault here.
#include <cstddef>
#include <cstring>
#include <memory>
#include <random>
#include <span>

#include "tests/ptx/issue.hpp"

namespace jostle::ptx {

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  static_assert(sizeof value <= sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

inline std::uint64_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// In memory that nothing has been written to: what is read before must show, as a number of 1e301, or as an index
/// beyond all memory.
inline constexpr std::byte unwritten{0x7E};

/// A call of a function by a lane. What a new one finds in its memory is left from another.
struct Frame {
  void begin(const Function& called) {
    function = &called;
    next = 0;
    if (registers.size() < called.registers.size()) registers.resize(called.registers.size(), 0x7E7E7E7E7E7E7E7Eu);
    if (local.size() < called.local_bytes) local.resize(called.local_bytes, unwritten);
    if (parameters.size() < called.parameter_bytes) parameters.resize(called.parameter_bytes, unwritten);
    if (arguments.size() < called.argument_bytes) arguments.resize(called.argument_bytes, unwritten);
  }

  const Function* function = nullptr;
  const CallPath* path = nullptr;  ///< where steps are noted
  std::size_t next = 0;            ///< instruction
  std::vector<std::uint64_t> registers;
  std::vector<std::byte> local, parameters, arguments;
};

struct Place {
  unsigned thread, block, threads, blocks;
};

class Lane {
 public:
  /// Notes its steps in `steps`, if that is not null.
  Lane(const Place& place, const Function& kernel, std::span<const std::byte> parameters, std::span<std::byte> shared,
       LaneSteps* steps);

  /// Runs until it meets others or ends.
  void run();
  bool ended() const { return depth_ == 0; }
  /// Where it waits; null if it does not.
  const Instruction* waiting() const { return ended() || !waits_ ? nullptr : &frame().function->code[frame().next]; }
  /// After it has met the others, the lanes `mask` of its warp.
  void go_on(std::uint32_t mask) {
    note(*waiting(), Access::none, mask);
    waits_ = false, ++frame().next, ++instructions;
  }

  std::uint64_t get(const Operand& operand) const {
    if (operand.kind == Operand::Kind::slot) return frame().registers[operand.value];
    switch (operand.kind) {
      case Operand::Kind::slot:
      case Operand::Kind::value:
      case Operand::Kind::shared: break;
      case Operand::Kind::local: return address_of(frame().local.data());
      case Operand::Kind::parameter: return address_of(frame().parameters.data() + operand.value);
      case Operand::Kind::argument: return address_of(frame().arguments.data() + operand.value);
    }
    return operand.value;
  }
  void set(int result, std::uint64_t value) { frame().registers[static_cast<std::size_t>(result)] = value; }
  std::uint64_t shared() const { return address_of(shared_.data()); }
  bool is_in_table(const std::byte* address) const;
  void jump(int target) { frame().next = static_cast<std::size_t>(target); }
  void call(const Instruction& instruction);
  void end_call();

  bool carry = false;             ///< of additions and subtractions in several words
  std::int64_t instructions = 0;  ///< carried out until now

 private:
  Frame& frame() const { return *now_; }
  void enter(const Function& function, const Instruction* site);
  void note(const Instruction& instruction, Access access, std::uint32_t mask) {
    if (steps_) steps_->steps.push_back({frame().path, &instruction, mask, access, is_special(instruction)});
  }
  bool is_special(const Instruction& instruction) const;
  Access reached_by(const Instruction& instruction) const;

  Place place_;
  std::span<std::byte> shared_;
  LaneSteps* steps_;
  std::vector<std::unique_ptr<Frame>> frames_;  ///< of which `depth_` are in use
  std::size_t depth_ = 0;
  Frame* now_ = nullptr;  ///< the last of them
  bool waits_ = false;
};

struct Launch {
  unsigned blocks = 1, threads = 32;
  std::size_t shared_bytes = 0;           ///< that the launch adds
  std::span<const std::byte> parameters;  ///< the kernel's only one
  unsigned seed = 1;                      ///< of the order in which lanes run
  unsigned team_lanes = warp_size;        ///< lanes that share a system, for `issue`
  IssueCount* issue = nullptr;            ///< what the warps issue is added; null: nobody asks
};

/// Runs a kernel to its end, block by block; returns how many instructions its lanes have carried out together. Throws
/// Fault, too, where lanes wait for each other for ever.
std::int64_t run_kernel(const Program& program, const Function& kernel, const Launch& launch);

}  // namespace jostle::ptx
