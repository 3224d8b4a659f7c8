#include "drivers/program/cpu_check.hpp"

#include <gtest/gtest.h>

namespace jostle {
namespace {

TEST(CpuCheck, IsContentWithTheProcessorThatRunsTheTests) { EXPECT_EQ(missing_cpu_feature(), nullptr); }

}  // namespace
}  // namespace jostle
