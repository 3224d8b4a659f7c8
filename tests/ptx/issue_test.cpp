// What warps issue, on small texts whose slots can be counted by hand.
#include "tests/ptx/issue.hpp"

#include <gtest/gtest.h>

#include "tests/ptx/machine.hpp"

namespace jostle::ptx {
namespace {

constexpr const char* registers = R"(
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
)";
constexpr int around = 2;  ///< instructions that count() adds to a body

/// Of a block that runs `body`; lanes find their number in %r1.
IssueCount count(const std::string& body, unsigned team_lanes = 32, unsigned threads = 32, const char* functions = "",
                 double slots_of_each = 1, double special = 0) {
  Program program(std::string(functions) + ".visible .entry k(.param .u64 k_param_0)\n{" + registers +
                  "mov.u32 %r1, %tid.x;\n" + body + "ret;\n}");
  for (Function& function : program.functions())
    for (Instruction& instruction : function.code) instruction.cost = {slots_of_each, 0, special};
  std::uint64_t memory[32] = {};
  const std::uint64_t* const parameter = memory;
  IssueCount issue;
  Launch launch;
  launch.threads = threads;
  launch.shared_bytes = 256;
  launch.parameters = std::as_bytes(std::span(&parameter, 1));
  launch.team_lanes = team_lanes;
  launch.issue = &issue;
  run_kernel(program, program.kernel("k"), launch);
  return issue;
}

/// Two instructions as often as %r2 says, at least once.
std::string loop(const std::string& label) {
  return "$" + label + ": add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, 0; @%p1 bra $" + label + ";\n";
}

TEST(Issue, LanesThatDoTheSameTakeOneSlotTogether) {
  const IssueCount issue = count("mov.u32 %r2, 1; mov.u32 %r2, 2;");
  EXPECT_EQ(issue.together, around + 2);
  EXPECT_EQ(issue.serialised, around + 2);
  EXPECT_EQ(issue.slowest, around + 2);
}

TEST(Issue, ALoopCostsWhatItsSlowestLaneDoes) {  // lane i goes round i times
  const IssueCount issue = count("mov.u32 %r2, %r1;" + loop("again"));
  EXPECT_EQ(issue.together, around + 1 + 3 * 31);
  EXPECT_EQ(issue.slowest, around + 1 + 3 * 31);
}

TEST(Issue, BothSidesOfABranchTakeTheirTurns) {
  const IssueCount issue = count(R"(
  setp.lt.s32 %p1, %r1, 7;
  @%p1 bra $less;
  mov.u32 %r2, 1; mov.u32 %r2, 2; mov.u32 %r2, 3; bra $end;
$less:
  mov.u32 %r2, 4;
$end:
  mov.u32 %r2, 5;
)");
  EXPECT_EQ(issue.together, around + 2 + 4 + 1 + 1);
  EXPECT_EQ(issue.slowest, around + 2 + 4 + 1) << "a lane takes one side";
}

// Half of the lanes have much to do before a meeting, the other half after it.
TEST(Issue, TheSlowestLaneIsAnotherOneAfterAMeeting) {
  const std::string before = "setp.lt.s32 %p2, %r1, 16; selp.u32 %r2, 10, 1, %p2;" + loop("before");
  const std::string after = "selp.u32 %r2, 1, 10, %p2;" + loop("after");
  EXPECT_EQ(count(before + "bar.warp.sync -1;" + after).slowest, around + 2 + 30 + 1 + 1 + 30);
  EXPECT_EQ(count(before + after).slowest, around + 2 + 30 + 1 + 3);
  EXPECT_EQ(count(before + after).together, around + 2 + 30 + 1 + 30) << "they wait for each other behind a loop";
}

// Teams of 16 lanes: the first goes round 5 times between its barriers, the second 9 times.
TEST(Issue, TeamsOfAWarpStayTogetherOrTakeTurns) {
  const std::string body = R"(
  setp.lt.s32 %p2, %r1, 16;
  selp.b32 %r3, 65535, -65536, %p2;
  selp.u32 %r2, 5, 9, %p2;
  bar.warp.sync %r3;
)" + loop("again") + "bar.warp.sync %r3;";
  const IssueCount issue = count(body, 16);
  EXPECT_EQ(issue.together, around + 4 + 3 * 9 + 1);
  EXPECT_EQ(issue.serialised, 2 * (around + 4 + 1) + 3 * (5 + 9));
  EXPECT_EQ(issue.slowest, issue.together);
  EXPECT_EQ(count(body, 32).serialised, issue.together) << "one team";
}

// Each time the whole warp meets, the longer way of the two counts: 9 and 9, not 5 + 9.
TEST(Issue, TeamsWaitForEachOtherWhereTheWholeWarpMeets) {
  const std::string first = "setp.lt.s32 %p2, %r1, 16; selp.u32 %r2, 5, 9, %p2;" + loop("first");
  const std::string second = "selp.u32 %r2, 9, 5, %p2;" + loop("second");
  const IssueCount issue = count(first + "bar.warp.sync -1;" + second, 16);
  EXPECT_EQ(issue.slowest, around + 2 + 27 + 1 + 1 + 27);
  EXPECT_EQ(issue.serialised, 2 * (around + 2 + 1 + 1) + 2 * 3 * (5 + 9));
}

// Of nine lines no lane reaches the last two; a loop is executed code once, and issued five times.
TEST(Issue, CodeIsWhatSomeLaneHasExecuted) {
  const IssueCount issue = count(R"(
  setp.lt.s32 %p1, %r1, 0;
  @%p1 bra $never;
  mov.u32 %r2, 5;
$again:
  add.s32 %r2, %r2, -1;
  setp.gt.s32 %p1, %r2, 0;
  @%p1 bra $again;
  bra $end;
$never:
  mov.u32 %r2, 1;
  mov.u32 %r2, 2;
$end:
)");
  EXPECT_EQ(issue.code.size(), around + 7);
  double times = 0, size = 0;
  for (const auto& [line, use] : issue.code) times += use.times, size += use.size;
  EXPECT_EQ(times, around + 4 + 3 * 5);
  EXPECT_EQ(size, around + 7);
}

TEST(Issue, EveryWarpOfABlockCounts) {
  EXPECT_EQ(count("bar.sync 0;", 64, 64).together, 2 * (around + 1));
  EXPECT_EQ(count("bar.sync 0;", 64, 64).serialised, 2 * (around + 1));
}

TEST(Issue, SlotsAreMachineInstructionsIfThoseAreKnown) {
  const IssueCount issue = count("mov.u32 %r2, 1;", 32, 32, "", 2.5);
  EXPECT_EQ(issue.together, 2.5 * (around + 1));
  EXPECT_EQ(issue.slowest, 2.5 * (around + 1));
  EXPECT_EQ(issue.intermediate, around + 1);
}

TEST(Issue, LanesInAFunctionAreTogetherIfTheyWereCalledFromOnePlace) {
  constexpr const char* function = ".func f() { .reg .b32 %r<9>; mov.u32 %r1, 1; mov.u32 %r2, 2; ret; }\n";
  EXPECT_EQ(count("call.uni f;", 32, 32, function).together, around + 1 + 3);
  const IssueCount issue = count(R"(
  setp.lt.s32 %p1, %r1, 16;
  @%p1 bra $other;
  call.uni f; bra $end;
$other:
  call.uni f;
$end:
)",
                                 32, 32, function);
  EXPECT_EQ(issue.together, around + 2 + 2 + 3 + 1 + 3);
  EXPECT_EQ(issue.functions, (std::map<std::string, double>{{"f", 3 + 3}}));
}

TEST(Issue, AFunctionTakesTheSlotsOfThoseThatItCalls) {
  constexpr const char* functions = R"(
.func f() { .reg .b32 %r<9>; mov.u32 %r1, 1; mov.u32 %r2, 2; ret; }
.func g() { .reg .b32 %r<9>; mov.u32 %r1, 1; call.uni f; ret; }
)";
  const IssueCount issue = count("call.uni g; call.uni f;", 32, 32, functions);
  EXPECT_EQ(issue.functions, (std::map<std::string, double>{{"f", 3 + 3}, {"g", 3 + 3}}));
}

// One half of the lanes comes to the barrier by a way that stands behind it in the text. The other half waits there,
// each time: it does not do its rounds first.
TEST(Issue, LanesWaitAtAMeetingForThoseThatAreElsewhere) {
  const IssueCount issue = count(R"(
  setp.lt.s32 %p1, %r1, 16;
  mov.u32 %r2, 3;
  bra $far;
$near:
  bar.warp.sync -1;
  add.s32 %r2, %r2, -1;
  setp.eq.s32 %p2, %r2, 0;
  @%p2 bra $end;
$far:
  @%p1 bra $near;
  mov.u32 %r3, 1;
  bra $near;
$end:
)");
  EXPECT_EQ(issue.together, around + 3 + 3 * (3 + 4)) << "without waiting, each half would do its own rounds";
  EXPECT_EQ(issue.slowest, issue.together);
}

// The lower half takes a way that stands behind the loop, each time. The others wait for it at its end: they do not do
// their rounds first, as they would if the text's order counted.
TEST(Issue, LanesMeetWhereTheWaysOfABranchDo) {
  const IssueCount issue = count(R"(
  setp.lt.s32 %p1, %r1, 16;
  mov.u32 %r2, 3;
$again:
  @%p1 bra $far;
$back:
  add.s32 %r2, %r2, -1;
  setp.eq.s32 %p2, %r2, 0;
  @!%p2 bra $again;
  bra $end;
$far:
  mov.u32 %r3, 1;
  bra $back;
$end:
)");
  EXPECT_EQ(issue.together, around + 2 + 3 * (1 + 2 + 3) + 1);
}

TEST(Issue, LanesThatMeetInAFunctionFromTwoPlacesStayApart) {
  constexpr const char* function = ".func f() { bar.warp.sync -1; ret; }\n";
  const IssueCount issue = count(
      "setp.lt.s32 %p1, %r1, 16; @%p1 bra $other; call.uni f; bra $end; $other: call.uni f; $end:", 32, 32, function);
  EXPECT_EQ(issue.together, around + 2 + 2 + 2 + 1 + 2);
}

// A division by the assembler's own function where one lane has 0 / 2; 1e-310 / 1 and 1e-300 / 1e300 are such, too.
TEST(Issue, NumbersNearTheEndsOfTheRangeTakeFurtherSlots) {
  const auto special = [](const std::string& name, const std::string& a, const std::string& b) {
    const std::string second = b.empty() ? "" : ", %fd2";
    return count(".reg .f64 %fd<4>; mov.f64 %fd1, 0d3FF0000000000000; mov.f64 %fd2, 0d" + (b.empty() ? a : b) +
                     "; setp.eq.s32 %p1, %r1, 3; @%p1 mov.f64 %fd1, 0d" + a + ";" + name + " %fd3, %fd1" + second + ";",
                 32, 32, "", 1, 60)
        .special;
  };
  const std::string zero = "0000000000000000", two = "4000000000000000", huge = "7E37E43C8800759C";
  const std::string tiny = "000012688B70E62B", small = "01A56E1FC2F8F359", third = "3FD5555555555555";
  EXPECT_EQ(special("div.rn.f64", third, two), 0);
  EXPECT_EQ(special("div.rn.f64", zero, two), 60);
  EXPECT_EQ(special("div.rn.f64", tiny, two), 60);
  EXPECT_EQ(special("div.rn.f64", small, huge), 60);
  EXPECT_EQ(special("sqrt.rn.f64", third, ""), 0);
  EXPECT_EQ(special("sqrt.rn.f64", zero, ""), 60);
  EXPECT_EQ(special("rcp.rn.f64", third, ""), 0);
  EXPECT_EQ(special("rcp.rn.f64", zero, ""), 60);
}

// Lane 3 does it for all, or nobody does.
TEST(Issue, MemoryIsToldByItsSpaceAndByItsAddress) {
  const std::string own = ".local .align 8 .b8 __local_depot0[8]; .shared .align 8 .b8 memory[8];\n";
  const std::string global = "ld.param.u64 %rd1, [k_param_0];";
  const std::string local = "mov.u64 %rd1, __local_depot0; ", shared = "mov.u64 %rd1, memory; ";
  const auto accesses = [&](const std::string& body) {
    const IssueCount issue = count(own + "setp.eq.s32 %p1, %r1, 3; setp.eq.s32 %p2, %r1, 99;\n" + body);
    return std::vector<double>{issue.local, issue.shared, issue.global};
  };
  using Expected = std::vector<double>;
  EXPECT_EQ(accesses(global), Expected({0, 0, 0})) << "parameters are constants";
  EXPECT_EQ(accesses(local + "st.local.u32 [%rd1], %r1; ld.local.u32 %r2, [%rd1];"), Expected({2, 0, 0}));
  EXPECT_EQ(accesses(shared + "@%p1 st.shared.u32 [%rd1], %r1;"), Expected({0, 1, 0}));
  EXPECT_EQ(accesses(shared + "@%p2 st.shared.u32 [%rd1], %r1;"), Expected({0, 0, 0})) << "no lane does";
  EXPECT_EQ(accesses(global + "@%p1 st.global.u32 [%rd1], %r1;"), Expected({0, 0, 1}));
  EXPECT_EQ(accesses(local + "cvta.local.u64 %rd2, %rd1; st.u32 [%rd2+4], %r1;"), Expected({1, 0, 0}));
  EXPECT_EQ(accesses(shared + "cvta.shared.u64 %rd2, %rd1; ld.u32 %r2, [%rd2];"), Expected({0, 1, 0}));
  EXPECT_EQ(accesses(global + "ld.u32 %r2, [%rd1+8];"), Expected({0, 0, 1}));
}

// A slot in which lanes reach two memories counts for both.
TEST(Issue, OneSlotMayReachTwoMemories) {
  const IssueCount issue = count(R"(
  .local .align 8 .b8 __local_depot0[8];
  mov.u64 %rd1, __local_depot0;
  cvta.local.u64 %rd2, %rd1;
  ld.param.u64 %rd3, [k_param_0];
  setp.lt.s32 %p1, %r1, 16;
  selp.b64 %rd4, %rd2, %rd3, %p1;
  ld.u32 %r2, [%rd4];
)");
  EXPECT_EQ(issue.local, 1);
  EXPECT_EQ(issue.global, 1);
}

}  // namespace
}  // namespace jostle::ptx
