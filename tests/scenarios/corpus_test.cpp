// Replays the corpora of the fuzzers of scenarios and of parts.
#include "tests/fuzz/corpus.hpp"

#include "tests/fuzz/parts_target.hpp"
#include "tests/fuzz/scenario_target.hpp"

namespace jostle {
namespace {

TEST(ScenarioCorpus, HasNoFaults) { test::expect_no_faults("scenario", test::fault_of_scenario, 200); }

TEST(PartsCorpus, HasNoFaults) { test::expect_no_faults("parts", test::fault_of_part, 4); }

}  // namespace
}  // namespace jostle
