// Machine code that is laid on intermediate code, on small listings.
#include "tests/ptx/machine_code.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <sstream>

namespace jostle::ptx {
namespace {

/// Lines 4 to 8: a loop between an instruction before and two after it.
Program loop_program() {
  return Program(R"(.visible .entry k(.param .u64 k_param_0) {
  .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f64 %fd<9>;
  mov.u32 %r1, 4;
$again:
  ld.f64 %fd1, [%rd1];
  add.s32 %r1, %r1, -1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra $again;
  mov.u32 %r2, 0;
  ret;
})");
}

/// As nvdisasm -gp writes it. A word such as "5:LD.E" is an instruction with its line, others are labels; "@" before
/// the name is a condition, and what follows a "," its target.
std::string listing_text(const std::string& words) {
  std::stringstream in(words);
  std::string text = ".text.k:\n";
  for (std::string word; in >> word;) {
    const std::size_t colon = word.find(':'), comma = word.find(',');
    if (colon == std::string::npos) {
      text += word + ":\n";
      continue;
    }
    std::string name = word.substr(colon + 1, comma == std::string::npos ? comma : comma - colon - 1);
    if (name[0] == '@') name = "@P0 " + name.substr(1);
    text += "\t//## File \".nv_debug_ptx_txt\", line " + word.substr(0, colon) + "\n        /*0010*/     " + name +
            (comma == std::string::npos ? " R1" : " `(" + word.substr(comma + 1) + ")") + " ;\n";
  }
  return text;
}

Listing listing(const std::string& words) {
  std::stringstream text(listing_text(words));
  return read_listing(text);
}

/// Of the instructions of the kernel, once the listing is laid on it.
std::vector<double> slots(const std::string& words) {
  Program program = loop_program();
  weigh(program, listing(words));
  std::vector<double> slots;
  for (const Instruction& instruction : program.functions()[0].code) slots.push_back(instruction.cost.slots);
  return slots;
}

using testing::ElementsAre;

TEST(MachineCode, OfABlockIsSpreadOverTheBlock) {  // 3 for 1, 6 for 4, 2 for 2
  EXPECT_THAT(slots("3:MOV 3:R2UR 3:IMAD .L_1 5:R2UR 5:R2UR 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_1 9:MOV 10:EXIT"),
              ElementsAre(3, 1.5, 1.5, 1.5, 1.5, 1, 1));
}

TEST(MachineCode, OfALoopThatWasUnrolledIsTheAverageOfItsCopies) {  // two copies in one loop, one after it
  EXPECT_THAT(slots("3:MOV .L_1 5:LD.E 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_1 .L_2 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_2 "
                    "9:MOV 10:EXIT"),
              ElementsAre(1, 0.75, 0.75, 0.75, 0.75, 1, 1));
}

TEST(MachineCode, OfALoopThatWasUnrolledHasTheSizeOfAllCopies) {  // 9 for 4
  Program program = loop_program();
  weigh(program, listing("3:MOV .L_1 5:LD.E 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_1 .L_2 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_2 "
                         "9:MOV 10:EXIT"));
  std::vector<double> sizes;
  for (const Instruction& instruction : program.functions()[0].code) sizes.push_back(instruction.cost.size);
  EXPECT_THAT(sizes, ElementsAre(1, 2.25, 2.25, 2.25, 2.25, 1, 1));
}

TEST(MachineCode, ThatWasMovedOutOfALoopIsPaidOnce) {
  EXPECT_THAT(slots("3:MOV 3:R2UR 3:IMAD 5:R2UR .L_1 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_1 9:MOV 10:EXIT"),
              ElementsAre(4, 1, 1, 1, 1, 1, 1));
}

TEST(MachineCode, OfALoopStaysOneThoughOthersWereMovedIntoIt) {
  EXPECT_THAT(slots("3:MOV .L_1 5:LD.E 3:IMAD 3:R2UR 8:@BRA,.L_1 9:MOV 10:EXIT"), ElementsAre(1, 1, 1, 1, 1, 1, 1));
}

TEST(MachineCode, ThatDoesNotExistCostsNothing) {  // the end has become a part of the loop
  EXPECT_THAT(slots("3:MOV .L_1 5:LD.E 6:IADD3 8:@BRA,.L_1"), ElementsAre(1, 0.75, 0.75, 0.75, 0.75, 0, 0));
}

TEST(MachineCode, OfSpecialCasesIsLeftOut) {
  const auto plain = slots("3:MOV .L_1 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_1 9:MOV 10:EXIT");
  const std::string around = "3:MOV .L_1 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_1 9:MOV 10:EXIT .L_9 3:BSSY 3:BRA,.L_1";
  EXPECT_EQ(slots(around).front(), 3) << "an ordinary block";
  EXPECT_THAT(slots("3:@BRA.DIV,.L_9 .L_1 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_1 9:MOV 10:EXIT "
                    ".L_9 3:WARPSYNC .L_10 3:BSYNC 3:BRA,.L_1"),
              testing::ContainerEq(plain));
  const std::string slow = "9:@BRA,.L_5 9:MOV 9:CALL.REL.NOINC,$__internal_0_$__cuda_div 9:MOV .L_5 ";
  EXPECT_THAT(slots("3:MOV .L_1 5:LD.E 6:IADD3 7:ISETP 8:@BRA,.L_1 " + slow + "10:EXIT $__internal_0_$__cuda_div " +
                    "9:MOV 9:MOV 9:RET"),
              testing::ContainerEq(plain));
  EXPECT_EQ(listing("3:MOV " + slow + "10:EXIT $__internal_0_$__cuda_div 9:MOV 9:MOV 9:RET").special, 6);
}

// The call and the move around it, two up to the first branch, and two from the last label.
TEST(MachineCode, OfADivisionByAFunctionIsCountedForIt) {
  const Listing found = listing(
      "3:MOV 9:@BRA,.L_5 9:MOV 9:CALL.REL.NOINC,$__internal_0_$__cuda_sm20_div_rn_f64_full .L_5 10:EXIT "
      "$__internal_0_$__cuda_sm20_div_rn_f64_full 9:DMUL 9:@BRA,.L_6 9:MOV 9:MOV 9:MOV .L_6 9:DFMA 9:RET");
  EXPECT_THAT(found.special_slots, ElementsAre(testing::Pair(Rounded::quotient, 2 + 2 + 2)));
}

TEST(MachineCode, ThatFillsTheEndIsLeftOut) {
  const Listing found = listing("3:MOV 10:EXIT .L_9 10:BRA,.L_9 10:NOP 10:NOP");
  EXPECT_EQ(found.instructions, 2);
  EXPECT_EQ(found.special, 0);
}

TEST(MachineCode, SpillsAreLocalMemoryThatTheIntermediateCodeDoesNotHave) {
  Program program = loop_program();
  weigh(program, listing("3:STL .L_1 5:LD.E 6:LDL 6:IADD3 7:ISETP 8:@BRA,.L_1 9:MOV 10:EXIT"));
  const std::vector<Instruction>& code = program.functions()[0].code;
  EXPECT_EQ(code[0].cost.spills, 1);
  EXPECT_EQ(std::accumulate(code.begin() + 1, code.begin() + 5, 0.0,
                            [](double sum, const Instruction& i) { return sum + i.cost.spills; }),
            1);
}

TEST(MachineCode, WithoutLinesIsAFault) {
  std::stringstream text(".text.k:\n        /*0000*/                   MOV R1, R2 ;\n");
  EXPECT_THROW(read_listing(text), Fault);
}

}  // namespace
}  // namespace jostle::ptx
