// The scenarios that come with jostle: their names are a promise, and each says what to expect of it.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "scenarios/reader/reader.hpp"
#include "tests/support/library_digest.hpp"

namespace jostle {
namespace {

constexpr const char* library = JOSTLE_SOURCE_DIR "/scenarios/library";

TEST(Library, HasTheScenariosOfTheTests) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(library)) names.push_back(entry.path().stem().string());
  EXPECT_THAT(names, testing::UnorderedElementsAreArray(whole_library()));
}

TEST(Library, EachHasATitleOutcomesAndACountIfItDraws) {
  for (const auto& entry : std::filesystem::directory_iterator(library)) {
    const Scenario scenario = read_scenario(entry.path().string());
    EXPECT_NE(scenario.title, "") << entry.path();
    EXPECT_FALSE(scenario.outcomes.empty()) << entry.path();
    EXPECT_EQ(draws_anything(scenario), scenario.sample.count > 0) << entry.path();
  }
}

TEST(Library, IsWholeInTheListsOfBenchmarksAndOfTheCheckOfGpus) {
  for (const char* list : {"/benchmarks/tables.hpp", "/tools/gpu/plans.py"}) {
    std::ifstream file(JOSTLE_SOURCE_DIR + std::string(list));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const std::string& name : whole_library()) EXPECT_THAT(text, testing::HasSubstr('"' + name + '"')) << list;
  }
}

}  // namespace
}  // namespace jostle
