// Replays the corpus of the expression fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/expression_target.hpp"

namespace jostle {
namespace {

TEST(ExpressionCorpus, HasNoFaults) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/tests/fuzz/corpus/expression")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    EXPECT_EQ(test::fault_of_bytes(bytes), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 20);
}

}  // namespace
}  // namespace jostle
