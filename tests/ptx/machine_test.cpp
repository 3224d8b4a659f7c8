// The machine itself, on small texts.
#include "tests/ptx/machine.hpp"

#include <gmock/gmock.h>

#include <numeric>

namespace jostle::ptx {
namespace {

/// Runs `body` by a warp. Lane i begins with %r1 = i; what it leaves in %r2 is returned.
std::vector<std::uint32_t> run(const std::string& body, unsigned seed = 1, const std::string& variables = "") {
  const Program program(".version 9.0\n.target sm_90\n" + variables + R"(
.visible .entry test_kernel(
  .param .u64 test_kernel_param_0
)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [test_kernel_param_0];
  mov.u32 %r1, %tid.x;
)" + body + R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
)");
  std::vector<std::uint32_t> left(32);
  std::uint32_t* const memory = left.data();
  Launch launch;
  launch.parameters = std::as_bytes(std::span(&memory, 1));
  launch.seed = seed;
  run_kernel(program, program.kernel("test_kernel"), launch);
  return left;
}

std::string fault_of(const std::string& body) {
  try {
    run(body);
    return {};
  } catch (const Fault& fault) {
    return fault.what();
  }
}

TEST(Machine, ShufflesByXorWithinTheLanesOfAMask) {
  std::vector<std::uint32_t> expected(32);
  for (std::uint32_t i = 0; i < 32; ++i) expected[i] = i ^ 4;
  for (const unsigned seed : {1u, 2u, 3u})
    EXPECT_EQ(run("shfl.sync.bfly.b32 %r2|%p1, %r1, 4, 31, -1;", seed), expected);
}

// __shfl_sync(mask, value, 0, 8): from the first lane of each eight.
TEST(Machine, ShufflesFromALaneOfASegment) {
  std::vector<std::uint32_t> expected(32);
  for (std::uint32_t i = 0; i < 32; ++i) expected[i] = i / 8 * 8;
  EXPECT_EQ(run("shfl.sync.idx.b32 %r2|%p1, %r1, 0, 6175, -1;"), expected);
}

TEST(Machine, TablesOfTheModuleAreRead) {
  const auto left =
      run("mov.u64 %rd4, table; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd4, %rd5; ld.global.u32 %r2, [%rd6];", 1,
          ".global .align 4 .b8 table[128] = {1, 0, 0, 0, 2, 1};");
  EXPECT_EQ(left[0], 1u);
  EXPECT_EQ(left[1], 0x102u);
  EXPECT_EQ(left[31], 0u);
  EXPECT_THROW(run("", 1, ".global .align 4 .b8 table[128] {1};"), Fault);
  EXPECT_EQ(run("mov.u64 %rd4, table; ld.global.u32 %r2, [%rd4];", 1, ".weak .global .align 4 .b8 table[4];")[3], 0u);
  const std::string table = ".global .align 4 .b8 table[4] = {7};";
  EXPECT_EQ(run("mov.u64 %rd4, table; ld.global.nc.u32 %r2, [%rd4];", 1, table)[3], 7u);
  EXPECT_THROW(run("ld.global.nc.u32 %r2, [%rd1];", 1, table), Fault) << "it is written";
}

TEST(Machine, AnyIsTrueForAllIfItIsForOne) {
  EXPECT_THAT(run("setp.eq.s32 %p1, %r1, 17; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;"),
              testing::Each(1u));
  EXPECT_THAT(run("setp.eq.s32 %p1, %r1, 99; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;"),
              testing::Each(0u));
}

TEST(Machine, LoopsAndPredicatesAreLaneByLane) {  // 0 + 1 + ... + i
  const auto left = run(R"(
  mov.u32 %r2, 0;
  mov.u32 %r3, %r1;
$again:
  add.s32 %r2, %r2, %r3;
  add.s32 %r3, %r3, -1;
  setp.gt.s32 %p1, %r3, 0;
  @%p1 bra $again;
)");
  EXPECT_EQ(left[1], 1u);
  EXPECT_EQ(left[31], 31u * 32 / 2);
}

/// %r2 of lane 5 after the instructions.
std::uint32_t of_five(const std::string& body) { return run(body)[5]; }

TEST(Machine, WordsAreShiftedInsertedAndPermuted) {
  EXPECT_EQ(of_five("shl.b32 %r2, %r1, 32;"), 0u);
  EXPECT_EQ(of_five("mov.u32 %r3, -8; shr.s32 %r2, %r3, 40;"), 0xFFFFFFFFu);
  EXPECT_EQ(of_five("mov.u32 %r3, -8; shr.u32 %r2, %r3, 28;"), 15u);
  EXPECT_EQ(of_five("mov.u32 %r3, -8; shr.b32 %r2, %r3, 28;"), 15u);
  EXPECT_EQ(of_five("mov.u32 %r3, -8; shr.b32 %r2, %r3, 32;"), 0u);
  EXPECT_EQ(of_five("mov.u32 %r3, 255; bfi.b32 %r2, %r1, %r3, 4, 8;"), 0x5Fu);
  EXPECT_EQ(of_five("mov.u32 %r3, 0x12345678; bfe.u32 %r2, %r3, %r1, 8;"), 0xB3u);
  EXPECT_EQ(of_five("mov.u32 %r3, 0x12345678; bfe.u32 %r2, %r3, 16, 32;"), 0x1234u);
  EXPECT_EQ(of_five("mov.u32 %r3, 0x44332211; mov.u32 %r4, 0x88776655; prmt.b32 %r2, %r3, %r4, 0x7052;"), 0x88116633u);
  EXPECT_EQ(of_five("{ .reg .b16 tmp, high; mov.b32 {tmp, high}, 0x12345678; cvt.u32.u16 %r2, high; }"), 0x1234u);
  EXPECT_EQ(of_five("mul.hi.s32 %r2, %r1, -1;"), 0xFFFFFFFFu);
  EXPECT_EQ(of_five("mov.u32 %r3, 0x80000001; shf.l.wrap.b32 %r2, %r3, %r1, 36;"), 0x58u) << "by 4";
}

TEST(Machine, CarriesGoFromWordToWord) {  // 2^64 - 1 + 1, and 0 - 1
  EXPECT_EQ(of_five("mov.u64 %rd4, -1; add.cc.s64 %rd5, %rd4, 1; addc.s64 %rd6, 0, 0; cvt.u32.u64 %r2, %rd6;"), 1u);
  EXPECT_EQ(of_five("mov.u64 %rd4, 0; sub.cc.s64 %rd5, %rd4, 1; subc.s64 %rd6, 5, 0; cvt.u32.u64 %r2, %rd6;"), 4u);
}

TEST(Machine, NumbersAreComparedAndTruncatedWithNaNsAmongThem) {
  const std::string nan = ".reg .f64 %fd<4>; mov.f64 %fd1, 0d7FF8000000000000; mov.f64 %fd2, 0d41F0000000000000;";
  const auto holds = [&](const std::string& comparison) {
    return of_five(nan + "setp." + comparison + ".f64 %p1, %fd1, %fd2; selp.u32 %r2, 1, 0, %p1;") == 1;
  };
  for (const char* ordered : {"eq", "ne", "lt", "le", "gt", "ge", "num"}) EXPECT_FALSE(holds(ordered)) << ordered;
  for (const char* unordered : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"})
    EXPECT_TRUE(holds(unordered)) << unordered;
  EXPECT_EQ(of_five(nan + "cvt.rzi.s32.f64 %r2, %fd2;"), 0x7FFFFFFFu) << "2^32";
  EXPECT_EQ(of_five(nan + "cvt.rzi.s32.f64 %r2, %fd1;"), 0x80000000u);
  EXPECT_EQ(of_five(nan + "neg.f64 %fd3, %fd2; cvt.rzi.s32.f64 %r2, %fd3;"), 0x80000000u);
}

TEST(Machine, AShuffleOutOfRangeGivesTheLaneItself) {  // a clamp of 15: lanes of the upper half have no partner
  const auto left = run("shfl.sync.bfly.b32 %r2|%p1, %r1, 16, 15, -1; selp.u32 %r2, %r2, 99, %p1;");
  EXPECT_EQ(left[3], 99u);
  EXPECT_EQ(left[19], 3u);
}

TEST(Machine, CountsEveryInstructionMeetingsIncluded) {
  const Program program(".visible .entry k(.param .u64 k_param_0) { bar.warp.sync -1; bar.sync 0; ret; }");
  std::uint64_t nothing = 0;
  Launch launch;
  launch.parameters = std::as_bytes(std::span(&nothing, 1));
  EXPECT_EQ(run_kernel(program, program.kernel("k"), launch), 3 * 32);
}

TEST(Machine, LanesThatWaitForEverAreAFault) {
  const std::string half = "setp.lt.s32 %p1, %r1, 16; @%p1 bra $there; bar.warp.sync -1; $there: mov.u32 %r2, 0;";
  EXPECT_THAT(fault_of(half), testing::HasSubstr("lanes wait for each other for ever"));
  EXPECT_THAT(fault_of("setp.lt.s32 %p1, %r1, 16; @%p1 bra $b; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; bra $end;\n"
                       "$b: bar.warp.sync -1; $end: mov.u32 %r2, 0;"),
              testing::HasSubstr("lanes wait for each other for ever"));
}

TEST(Machine, WhatItDoesNotKnowIsAFault) {
  EXPECT_EQ(fault_of("popc.b32 %r2, %r1;"), "unknown instruction popc.b32");
  EXPECT_EQ(fault_of("mov.u32 %r2, somewhere;"), "unknown name somewhere in test_kernel");
  EXPECT_EQ(fault_of("call.uni nowhere, (param0);"), "unknown name param0 in test_kernel");
  EXPECT_EQ(fault_of("call.uni nowhere;"), "nothing defines nowhere");
  EXPECT_EQ(fault_of("mov.u32 %r2, %laneid;"), "unknown register %laneid");
  EXPECT_EQ(fault_of("st.global.u32 [%rd1+2], %r1;"), "a misaligned address: st.global.u32 [ %rd1 + 2 ] , %r1");
}

TEST(Machine, FunctionsGetAndGiveBack) {
  const Program program(R"(
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [twice_param_0];
  shl.b32 %r2, %r1, 1;
  st.param.b32 [func_retval0+0], %r2;
  ret;
}
.visible .entry test_kernel(.param .align 8 .b8 test_kernel_param_0[16])
{
  .local .align 8 .b8 __local_depot0[8];
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  mov.u64 %rd4, __local_depot0;
  mov.b64 %rd1, test_kernel_param_0;
  ld.param.u32 %r1, [%rd1+8];
  { // callseq 0, 0
  .param .b32 param0;
  st.param.b32 [param0+0], %r1;
  .param .b32 retval0;
  call.uni (retval0), twice, (param0);
  ld.param.b32 %r2, [retval0+0];
  }
  st.local.u32 [%rd4+4], %r2;
  ld.local.u32 %r3, [%rd4+4];
  ld.param.u64 %rd2, [%rd1];
  st.global.u32 [%rd2], %r3;
  ret;
}
)");
  struct {
    std::uint32_t* memory;
    std::uint32_t number, unused;
  } parameters{nullptr, 21, 0};
  std::uint32_t left = 0;
  parameters.memory = &left;
  Launch launch;
  launch.threads = 1;
  launch.parameters = std::as_bytes(std::span(&parameters, 1));
  run_kernel(program, program.kernel("test_kernel"), launch);
  EXPECT_EQ(left, 42u);
}

}  // namespace
}  // namespace jostle::ptx
