#include "tests/ptx/machine_code.hpp"

#include <algorithm>
#include <set>

namespace jostle::ptx {
namespace {

/// What stands between two marks; empty if they are not there.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t first = text.find(begin);
  if (first == std::string::npos) return {};
  const std::size_t last = text.find(end, first + begin.size());
  return text.substr(first + begin.size(), last == std::string::npos ? last : last - first - begin.size());
}

std::vector<std::string> lines_of(std::istream& text) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The instruction of "  /*0a20*/  @!P0 BRA.DIV UR4, `(.L_x_14) ;", or nothing.
struct Decoded {
  std::string name, target;
  bool is_guarded = false;

  bool is(const char* prefix) const { return name.starts_with(prefix); }
  bool ends_block() const { return is("BRA") || is("BRX") || is("CALL") || is("RET") || is("EXIT"); }
  bool never_falls_through() const { return !is_guarded && !is("BRA.") && (is("BRA") || is("RET") || is("EXIT")); }
};

Decoded decoded(const std::string& line) {
  const std::size_t comment = line.find("/*"), after = line.find("*/");
  if (comment == std::string::npos || after == std::string::npos || line.find(';') == std::string::npos) return {};
  std::size_t at = line.find_first_not_of(' ', after + 2);
  Decoded instruction;
  instruction.is_guarded = line[at] == '@';
  if (instruction.is_guarded) at = line.find_first_not_of(' ', line.find(' ', at));
  instruction.name = line.substr(at, line.find_first_of(" ;", at) - at);
  instruction.target = between(line, "`(", ")");
  return instruction;
}

std::string label_of(const std::string& line) {
  return line.ends_with(':') && line[0] != ' ' && line[0] != '\t' ? line.substr(0, line.size() - 1) : std::string();
}

/// Reads block by block.
class Reader {
 public:
  explicit Reader(std::vector<std::string> lines) : lines_(std::move(lines)) {}

  Listing read() {
    for (const std::string& line : lines_)
      if (const Decoded instruction = decoded(line); instruction.is("BRA.DIV")) ways_around_.insert(instruction.target);
    for (const std::string& line : lines_) read_line(line);
    end_block();
    end_function({});
    for (auto& [rounded, slots] : listing_.special_slots) slots += calls_ > 0 ? calling_ / calls_ : 0;
    if (!has_lines_) throw Fault("the listing does not name lines of intermediate code: nvdisasm -gp, ptxas -lineinfo");
    return std::move(listing_);
  }

 private:
  void read_line(const std::string& line) {
    if (const std::string number = between(line, "nv_debug_ptx_txt\", line ", " "); !number.empty()) {
      at_ = std::stoi(number);
      has_lines_ = true;
    } else if (const std::string label = label_of(line); !label.empty()) {
      begin_block(label);
    } else if (const Decoded instruction = decoded(line); !instruction.name.empty()) {
      add(instruction);
    }
  }

  void begin_block(const std::string& label) {
    end_block();
    if (label.starts_with(".L"))
      tail_ = 0;
    else
      end_function(label);
    own_label_ = label;
    is_dead_ = is_after_special_call_ = calls_special_ = false;
    if (label.starts_with("$__internal"))
      is_internal_ = true;
    else if (!label.starts_with(".L"))
      is_internal_ = is_around_ = false;
    if (ways_around_.contains(label)) is_around_ = true;
  }

  /// The longest of those that do the same.
  void end_function(const std::string& next) {
    static const std::pair<const char*, Rounded> functions[] = {
        {"div_rn_f64", Rounded::quotient}, {"dsqrt_rn", Rounded::root}, {"dblrcp_rn", Rounded::reciprocal}};
    for (const auto& [name, rounded] : functions) {
      if (!is_internal_ || function_.find(name) == std::string::npos) continue;
      double& slots = listing_.special_slots[rounded];
      slots = std::max(slots, head_ + (has_branched_ ? tail_ : 0));
    }
    function_ = next;
    head_ = tail_ = 0;
    has_branched_ = false;
  }

  void end_block() {
    const auto size = static_cast<std::int64_t>(block_.code.size());
    const bool is_special = is_internal_ || is_around_ || calls_special_;
    (is_special ? listing_.special : listing_.instructions) += size;
    if (calls_special_ && !is_internal_) calling_ += static_cast<double>(size);
    if (size > 0 && !is_special) listing_.blocks.push_back(std::move(block_));
    block_ = {};
    calls_special_ = is_after_special_call_;
  }

  void add(const Decoded& instruction) {
    if (is_dead_ || (instruction.is("BRA") && instruction.target == own_label_ && block_.code.empty())) {
      is_dead_ = true;  // what fills the end of a function
      return;
    }
    block_.code.push_back({instruction.name, at_});
    tail_ += 1;
    head_ += has_branched_ ? 0 : 1;
    has_branched_ = has_branched_ || (instruction.is("BRA") && instruction.is_guarded);
    if (!instruction.ends_block()) return;
    if (instruction.is("CALL") && instruction.target.starts_with("$__internal")) {
      calls_special_ = is_after_special_call_ = true;
      calls_ += 1;
    }
    end_block();
    is_dead_ = instruction.never_falls_through();
    is_around_ = is_around_ && !is_dead_;
    own_label_.clear();
  }

  std::vector<std::string> lines_;
  std::set<std::string> ways_around_;  ///< labels
  Listing listing_;
  MachineBlock block_;
  std::string own_label_;
  int at_ = 0;  ///< line of the intermediate code
  bool has_lines_ = false, is_dead_ = false, is_internal_ = false, is_around_ = false;
  bool calls_special_ = false, is_after_special_call_ = false;
  double calls_ = 0, calling_ = 0;  ///< how often such functions are called, and the instructions around that
  std::string function_;
  double head_ = 0, tail_ = 0;  ///< of its instructions: up to the first branch, and from the last label
  bool has_branched_ = false;
};

std::string name_of(const Instruction& instruction) {
  const std::size_t begin = instruction.text[0] == '@' ? instruction.text.find(' ') + 1 : 0;
  return instruction.text.substr(begin, instruction.text.find(' ', begin) - begin);
}

/// Whether a machine instruction is the one that an instruction of this kind always becomes.
bool is_the_one(const Instruction& instruction, const std::string& machine) {
  const std::string name = name_of(instruction), base = machine.substr(0, machine.find('.'));
  switch (instruction.access) {
    case Access::none: break;
    case Access::local: return base == (name[0] == 'l' ? "LDL" : "STL");
    case Access::shared: return base == (name[0] == 'l' ? "LDS" : "STS");
    case Access::global: return base == (name[0] == 'l' ? "LDG" : name[0] == 's' ? "STG" : "ATOMG");
    case Access::generic: return base == (name[0] == 'l' ? "LD" : name[0] == 's' ? "ST" : "ATOM");
  }
  if (name == "fma.rn.f64") return base == "DFMA";
  if (name == "mul.rn.f64") return base == "DMUL";
  if (name == "add.rn.f64" || name == "sub.rn.f64") return base == "DADD";
  if (name.starts_with("shfl.")) return base == "SHFL";
  if (name.starts_with("bar")) return base == "MATCH" || base == "BAR";
  return false;
}

/// A block of intermediate code, and the machine code that belongs to it.
struct Home {
  Instruction* first = nullptr;
  Instruction* last = nullptr;  ///< inclusive
  double slots = 0, spills = 0;
};

class Scale {
 public:
  explicit Scale(Program& program) {
    for (Function& function : program.functions())
      for (Instruction& instruction : function.code) {
        if (homes_.empty() || instruction.begins_block) homes_.push_back({&instruction, &instruction, 0, 0});
        homes_.back().last = &instruction;
        by_line_.try_emplace(instruction.line, &instruction, homes_.size() - 1);
      }
  }

  void add(const MachineBlock& block) {
    std::map<std::size_t, int> votes;
    double spills = 0;
    for (const MachineBlock::Line& line : block.code) {
      const auto found = by_line_.lower_bound(line.line);
      if (found == by_line_.end()) continue;
      const auto& [instruction, home] = found->second;
      const bool is_one = is_the_one(*instruction, line.name);
      votes[home] += is_one ? 4 : 1;  // these stay where they were
      if (is_one)
        ++ones_[instruction];
      else
        ++others_[instruction][line.name.substr(0, line.name.find('.'))];
      spills += (line.name.starts_with("LDL") || line.name.starts_with("STL")) && instruction->access != Access::local;
    }
    if (votes.empty()) return;
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    homes_[most->first].slots += static_cast<double>(block.code.size());
    homes_[most->first].spills += spills;
  }

  void set_costs() const {
    for (const Home& home : homes_) {
      const double copies = copies_of(home) * static_cast<double>(home.last - home.first + 1);
      const double size = home.slots / static_cast<double>(home.last - home.first + 1);
      for (Instruction* i = home.first; i <= home.last; ++i)
        i->cost = {home.slots / copies, home.spills / copies, 0, size};
    }
  }

 private:
  /// The median over its instructions; where none always becomes one, of their most frequent machine instructions.
  int copies_of(const Home& home) const {
    std::vector<int> ones, others;
    for (const Instruction* i = home.first; i <= home.last; ++i) {
      if (const auto found = ones_.find(i); found != ones_.end()) ones.push_back(found->second);
      if (const auto found = others_.find(i); found != others_.end()) others.push_back(most_of(found->second));
    }
    std::vector<int>& counts = ones.empty() ? others : ones;
    if (counts.empty()) return 1;
    const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
    std::nth_element(counts.begin(), middle, counts.end());
    return *middle;
  }

  static int most_of(const std::map<std::string, int>& counts) {
    return std::max_element(counts.begin(), counts.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->second;
  }

  std::vector<Home> homes_;
  std::map<int, std::pair<Instruction*, std::size_t>> by_line_;  ///< the first of a line, and its home
  /// How many machine instructions come from an instruction: those that it always becomes, and others by their names.
  std::map<const Instruction*, int> ones_;
  std::map<const Instruction*, std::map<std::string, int>> others_;
};

}  // namespace

Listing read_listing(std::istream& text) { return Reader(lines_of(text)).read(); }

void weigh(Program& program, const Listing& listing) {
  Scale scale(program);
  for (const MachineBlock& block : listing.blocks) scale.add(block);
  scale.set_costs();
  for (Function& function : program.functions())
    for (Instruction& instruction : function.code)
      if (const auto found = listing.special_slots.find(instruction.rounded); found != listing.special_slots.end())
        instruction.cost.special = found->second;
}

}  // namespace jostle::ptx
