#pragma once
// Replays the corpus of a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace jostle::test {

/// No file of tests/fuzz/corpus/`name` has a fault, and there are at least so many files.
inline void expect_no_faults(const std::string& name, std::string (*fault_of)(std::string_view), int fewest) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/tests/fuzz/corpus/" + name)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    EXPECT_EQ(fault_of(bytes), "") << entry.path();
    ++files;
  }
  EXPECT_GE(files, fewest);
}

}  // namespace jostle::test
