#include "tests/ptx/machine.hpp"

#include <algorithm>
#include <numeric>

namespace jostle::ptx {
namespace {

constexpr std::size_t alignment = 64;  ///< of the memory of a block

/// The lanes that an instruction wants to meet.
std::uint32_t mask_of(const Lane& lane, const Instruction& instruction) {
  return static_cast<std::uint32_t>(lane.get(instruction.operands.back()));
}

struct Source {
  unsigned lane;
  bool in_range;
};

/// Whose value a lane gets [PTX ISA, shfl.sync].
Source source_of(const Lane& lane, const Instruction& shuffle, unsigned self) {
  const auto b = static_cast<unsigned>(lane.get(shuffle.operands[1])) & 31;
  const auto c = static_cast<unsigned>(lane.get(shuffle.operands[2]));
  const unsigned clamp = c & 31, segment = c >> 8 & 31;
  const unsigned last = (self & segment) | (clamp & ~segment);
  const unsigned wanted = shuffle.meeting == Meeting::shuffle_xor ? self ^ b : (self & segment) | (b & ~segment);
  return wanted <= last ? Source{wanted, true} : Source{self, false};
}

/// The lanes of a block.
class Block {
 public:
  Block(const Program& program, const Function& kernel, const Launch& launch, unsigned number)
      : shared_(program.shared_bytes() + launch.shared_bytes + alignment, unwritten), random_(launch.seed + number) {
    std::byte* const shared = shared_.data() + alignment - address_of(shared_.data()) % alignment;
    for (unsigned thread = 0; thread < launch.threads; ++thread) {
      if (launch.issue && thread % warp_size == 0)
        issue_.push_back(std::make_unique<WarpIssue>(std::min(warp_size, launch.threads - thread), launch.team_lanes));
      lanes_.emplace_back(Place{thread, number, launch.threads, launch.blocks}, kernel, launch.parameters,
                          std::span(shared, program.shared_bytes() + launch.shared_bytes),
                          launch.issue ? &issue_.back()->lane(thread % warp_size) : nullptr);
    }
  }

  /// Returns the instructions of all lanes. Adds to `issue` if it is not null.
  std::int64_t run(IssueCount* issue) {
    std::vector<std::size_t> order(lanes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (;;) {
      std::shuffle(order.begin(), order.end(), random_);
      for (const std::size_t i : order)
        if (!lanes_[i].waiting()) lanes_[i].run();
      if (std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.ended(); })) break;
      bool any = meet_in_block();
      for (std::size_t first = 0; first < lanes_.size(); first += warp_size) any |= meet_in_warp(first);
      if (!any) fail();
      lay_side_by_side();
    }
    lay_side_by_side();
    for (const auto& warp : issue_) warp->add_to(*issue);
    return std::accumulate(lanes_.begin(), lanes_.end(), std::int64_t{0},
                           [](std::int64_t sum, const Lane& lane) { return sum + lane.instructions; });
  }

 private:
  bool meet_in_block() {
    const auto is_there = [](const Lane& lane) {
      return lane.waiting() && lane.waiting()->meeting == Meeting::block_barrier;
    };
    if (!std::all_of(lanes_.begin(), lanes_.end(), is_there)) return false;
    for (Lane& lane : lanes_) lane.go_on(~std::uint32_t{0});
    return true;
  }

  void lay_side_by_side() {
    for (std::size_t warp = 0; warp < issue_.size(); ++warp) {
      std::uint32_t closed = 0;
      for (std::size_t i = warp * warp_size; i < std::min((warp + 1) * warp_size, lanes_.size()); ++i)
        if (lanes_[i].ended() || lanes_[i].waiting()) closed |= 1u << i % warp_size;
      issue_[warp]->advance(closed);
    }
  }

  /// Lets those go on that have all met the lanes they name.
  bool meet_in_warp(std::size_t first) {
    bool any = false;
    for (std::size_t i = first; i < std::min(first + warp_size, lanes_.size()); ++i) {
      const Instruction* const at = lanes_[i].waiting();
      if (!at || at->meeting == Meeting::block_barrier) continue;
      const std::uint32_t mask = mask_of(lanes_[i], *at);
      if ((mask >> (i - first) & 1) == 0) throw Fault("a lane does not name itself: " + at->text);
      if (!all_wait(first, mask, at->meeting)) continue;
      exchange(first, mask, at->meeting);
      any = true;
    }
    return any;
  }

  bool all_wait(std::size_t first, std::uint32_t mask, Meeting meeting) const {
    for (unsigned k = 0; k < warp_size; ++k) {
      if ((mask >> k & 1) == 0) continue;
      if (first + k >= lanes_.size()) throw Fault("a warp is not full");
      const Instruction* const at = lanes_[first + k].waiting();
      if (!at || at->meeting != meeting || mask_of(lanes_[first + k], *at) != mask) return false;
    }
    return true;
  }

  void exchange(std::size_t first, std::uint32_t mask, Meeting meeting) {
    const auto lane = [&](unsigned k) -> Lane& { return lanes_[first + k]; };
    std::uint64_t value[warp_size] = {};
    bool any = false;
    for (unsigned k = 0; k < warp_size; ++k) {
      if ((mask >> k & 1) == 0 || meeting == Meeting::warp_barrier) continue;
      value[k] = lane(k).get(lane(k).waiting()->operands[0]);
      any |= value[k] != 0;
    }
    for (unsigned k = 0; k < warp_size; ++k) {
      if ((mask >> k & 1) == 0) continue;
      const Instruction& at = *lane(k).waiting();
      if (meeting == Meeting::vote_any) lane(k).set(at.results[0], any);
      if (meeting == Meeting::shuffle_xor || meeting == Meeting::shuffle_index) {
        const Source source = source_of(lane(k), at, k);
        if ((mask >> source.lane & 1) == 0) throw Fault("a lane reads one that is not there: " + at.text);
        lane(k).set(at.results[0], value[source.lane]);
        if (at.results.size() > 1) lane(k).set(at.results[1], source.in_range);
      }
    }
    for (unsigned k = 0; k < warp_size; ++k)
      if ((mask >> k & 1) != 0) lane(k).go_on(mask);
  }

  [[noreturn]] void fail() const {
    std::string text = "lanes wait for each other for ever:";
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      text += "\n  " + std::to_string(i) + ": " + (lanes_[i].waiting() ? lanes_[i].waiting()->text : "has ended");
    throw Fault(text);
  }

  std::vector<std::byte> shared_;
  std::vector<std::unique_ptr<WarpIssue>> issue_;  ///< [warp] if it is counted
  std::vector<Lane> lanes_;
  std::mt19937 random_;
};

}  // namespace

Lane::Lane(const Place& place, const Function& kernel, std::span<const std::byte> parameters,
           std::span<std::byte> shared, LaneSteps* steps)
    : place_(place), shared_(shared), steps_(steps) {
  enter(kernel, nullptr);
  if (parameters.size() != kernel.parameter_order.at(0).bytes)
    throw Fault(kernel.name + " wants " + std::to_string(kernel.parameter_order.at(0).bytes) + " bytes, not " +
                std::to_string(parameters.size()));
  std::copy(parameters.begin(), parameters.end(), frame().parameters.begin());
}

void Lane::enter(const Function& function, const Instruction* site) {
  if (frames_.size() == depth_) frames_.push_back(std::make_unique<Frame>());
  const CallPath* const caller = depth_ > 0 ? now_->path : nullptr;
  now_ = frames_[depth_++].get();
  now_->begin(function);
  now_->path = steps_ ? steps_->paths->from(caller, site) : nullptr;
  const std::pair<const char*, unsigned> places[] = {
      {"%tid.x", place_.thread}, {"%ctaid.x", place_.block}, {"%ntid.x", place_.threads}, {"%nctaid.x", place_.blocks}};
  for (const auto& [name, value] : places)
    if (const auto found = function.registers.find(name); found != function.registers.end()) set(found->second, value);
}

void Lane::run() {
  while (depth_ > 0) {
    Frame& now = frame();
    const Instruction& instruction = now.function->code.at(now.next);
    const bool wanted = instruction.guard < 0 ||
                        (now.registers[static_cast<std::size_t>(instruction.guard)] != 0) != instruction.guard_negated;
    if (wanted && instruction.meeting != Meeting::none) {
      waits_ = true;
      return;
    }
    ++now.next;
    ++instructions;
    note(instruction, wanted ? reached_by(instruction) : Access::none, 0);
    if (wanted) instruction.run(*this, instruction);
  }
}

/// Addresses without a space in their name are told apart by their value. Parameters are constants on a device.
Access Lane::reached_by(const Instruction& instruction) const {
  if (!steps_ || instruction.access != Access::generic) return instruction.access;
  const std::uint64_t address = get(instruction.operands[0]) + static_cast<std::uint64_t>(instruction.offset);
  const auto is_in = [&](const auto& memory) { return address - address_of(memory.data()) < memory.size(); };
  if (is_in(shared_)) return Access::shared;
  for (std::size_t i = 0; i < depth_; ++i) {
    if (is_in(frames_[i]->local)) return Access::local;
    if (is_in(frames_[i]->parameters) || is_in(frames_[i]->arguments)) return Access::none;
  }
  return Access::global;
}

/// Looks at the upper halves of the numbers, as the machine code for compute capability 9.0 does.
bool Lane::is_in_table(const std::byte* address) const {
  const Tables& tables = *frame().function->tables;
  return std::any_of(tables.begin(), tables.end(), [&](const auto& named) {
    const std::vector<std::byte>& table = named.second;
    return table.data() <= address && address < table.data() + table.size();
  });
}

bool Lane::is_special(const Instruction& instruction) const {
  if (instruction.rounded == Rounded::no) return false;
  const auto upper = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits >> 32); };
  constexpr std::uint32_t magnitude = 0x7FFFFFFF, infinity = 0x7F800000;  // of a float
  const std::uint64_t a = get(instruction.operands[0]);
  if (instruction.rounded == Rounded::root) return upper(a) - 0x03500000 >= 0x7CA00000;
  if (instruction.rounded == Rounded::reciprocal) return ((upper(a) + 0x00300402) & magnitude) < 0x00400402;
  const std::uint64_t quotient = to_bits(from_bits<double>(a) / from_bits<double>(get(instruction.operands[1])));
  const std::uint32_t result = upper(quotient) & magnitude;
  return (upper(a) & magnitude) < 0x03600000 || result <= 0x00100000 || result > infinity;
}

void Lane::call(const Instruction& instruction) {
  const Function& callee = *instruction.callee;
  std::vector<std::uint64_t> arguments;
  for (std::size_t i = 0; i < callee.parameter_order.size(); ++i) arguments.push_back(get(instruction.operands.at(i)));
  enter(callee, &instruction);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Piece& piece = callee.parameter_order[i];
    std::memcpy(frame().parameters.data() + piece.offset, from_bits<const std::byte*>(arguments[i]), piece.bytes);
  }
}

void Lane::end_call() {
  const Frame& done = *now_;
  if (--depth_ == 0) return;
  now_ = frames_[depth_ - 1].get();
  const Function& callee = *done.function;
  const Instruction& call = frame().function->code[frame().next - 1];
  if (call.operands.size() == callee.parameter_order.size()) return;  // no result, or none that is wanted
  const Piece& piece = callee.parameters.at(callee.result);
  std::memcpy(from_bits<std::byte*>(get(call.operands.back())), done.parameters.data() + piece.offset, piece.bytes);
}

std::int64_t run_kernel(const Program& program, const Function& kernel, const Launch& launch) {
  std::int64_t instructions = 0;
  for (unsigned block = 0; block < launch.blocks; ++block)
    instructions += Block(program, kernel, launch, block).run(launch.issue);
  return instructions;
}

}  // namespace jostle::ptx
