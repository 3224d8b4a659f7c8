#pragma once
// What an assembler makes of intermediate code, so that it can be counted in machine instructions. The listing is that
// of `nvdisasm -gp -c`, for a file that `ptxas -lineinfo` has made: each machine instruction with the line of
// intermediate code that it comes from.
//
// An assembler moves instructions, unrolls loops and turns branches into conditions. So lines alone would charge a loop
// for what was moved out of it. Here a block of machine code, which runs as a whole, belongs to that block of
// intermediate code from which most of it comes, and runs when that does. A block of which there are several copies, as
// of a loop that was unrolled, costs the average of its copies: they are recognised by instructions that always become
// one, such as loads, stores and arithmetic of doubles.
#include <istream>
#include <string>
#include <vector>

#include "tests/ptx/program.hpp"

namespace jostle::ptx {

/// A piece of machine code that is entered at its beginning only.
struct MachineBlock {
  struct Line {
    std::string name;  ///< "LD.E.64"
    int line = 0;      ///< of the intermediate code
  };
  std::vector<Line> code;
};

struct Listing {
  std::vector<MachineBlock> blocks;
  std::int64_t instructions = 0;  ///< in the blocks
  /// That are left out, as they only run in special cases: ways around a meeting whose lanes are not together, and
  /// divisions and roots of numbers near the ends of the range.
  std::int64_t special = 0;
  /// What such a division or root takes: the call, and the function from its beginning to its first branch and from its
  /// last label to its end; what lies between depends on the number.
  std::map<Rounded, double> special_slots;
};

/// Throws Fault if there is no line of intermediate code in it.
Listing read_listing(std::istream& text);

/// Sets the costs of all instructions of the program.
void weigh(Program& program, const Listing& listing);

}  // namespace jostle::ptx
