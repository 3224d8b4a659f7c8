// Replays the corpus of the fuzzer of LCP files.
#include "tests/fuzz/corpus.hpp"
#include "tests/fuzz/lcps_target.hpp"

namespace jostle {
namespace {

TEST(LcpCorpus, HasNoFaults) { test::expect_no_faults("lcps", test::fault_of_lcps, 6); }

}  // namespace
}  // namespace jostle
