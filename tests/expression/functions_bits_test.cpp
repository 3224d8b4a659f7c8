// The bits of the functions are the same for every compiler, instruction set and level of optimisation.
#include <gtest/gtest.h>

#include "tests/expression/function_digest.hpp"

namespace jostle {
namespace {

TEST(FunctionBits, AreGolden) {
  std::uint64_t digest = 0;
  for (std::uint64_t i = 0; i < test::digest_count; ++i) digest += test::function_digest(i);
  EXPECT_EQ(digest, test::golden_digest) << std::hex << "0x" << digest << ": name the cause of a change";
}

}  // namespace
}  // namespace jostle
