// Which GPUs the code of a build runs on.
#include "cuda/capability.hpp"

#include <gtest/gtest.h>

namespace jostle {
namespace {

TEST(Capability, CodeRunsOnTheSameMajorNumberAndNoSmallerMinorOne) {
  EXPECT_TRUE(has_code_for(90, {90}));
  EXPECT_FALSE(has_code_for(80, {90}));
  EXPECT_FALSE(has_code_for(75, {80, 90}));
  EXPECT_TRUE(has_code_for(86, {80, 90}));
  EXPECT_TRUE(has_code_for(89, {80, 90}));
  EXPECT_FALSE(has_code_for(80, {86, 90})) << "made for a larger minor number";
}

TEST(Capability, IntermediateCodeOfTheNewestRunsOnAllThatAreNewer) {
  EXPECT_TRUE(has_code_for(100, {80, 90}));
  EXPECT_TRUE(has_code_for(120, {75}));
}

TEST(Capability, IsWrittenWithAPoint) { EXPECT_EQ(capabilities({75, 90, 120}), "7.5, 9.0, 12.0"); }

}  // namespace
}  // namespace jostle
