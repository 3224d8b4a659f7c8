// Replays the corpus of the expression fuzzer.
#include "tests/fuzz/corpus.hpp"

#include "tests/fuzz/expression_target.hpp"

namespace jostle {
namespace {

TEST(ExpressionCorpus, HasNoFaults) { test::expect_no_faults("expression", test::fault_of_bytes, 20); }

}  // namespace
}  // namespace jostle
