#include "core/lcp/basis_history.hpp"

#include <gtest/gtest.h>

namespace jostle {
namespace {

// The bases {0,1,2}, then one exchange each.
TEST(BasisHistory, KnowsTheBasisBeforeTheFirstPivot) {
  BasisHistory history;
  EXPECT_FALSE(history.repeats_after(0, 5));
  EXPECT_FALSE(history.repeats_after(1, 6));
  EXPECT_FALSE(history.repeats_after(6, 0));
  EXPECT_TRUE(history.repeats_after(5, 1));
}

TEST(BasisHistory, ToldApartByWhatIsBasicNotByTheOrder) {
  BasisHistory history;
  EXPECT_FALSE(history.repeats_after(0, 5));
  EXPECT_FALSE(history.repeats_after(1, 0));  // {0, 2, 5}
  EXPECT_TRUE(history.repeats_after(5, 1));   // {0, 1, 2}
}

// Brent: a cycle of length c entered after s pivots is noticed within 2 max(s, c) + c of them.
TEST(BasisHistory, NoticesACycleThatBeginsLate) {
  for (const int start : {0, 1, 10, 100}) {
    for (const int length : {2, 3, 7, 50}) {
      BasisHistory history;
      int pivots = 0;
      for (int i = 0; i < start; ++i, ++pivots) ASSERT_FALSE(history.repeats_after(i, 1000 + i));
      bool repeats = false;
      while (!repeats && pivots < 1000) {
        const int i = (pivots - start) % length;  // variable 2000 + i makes place for the next
        repeats = history.repeats_after(2000 + i, 2000 + (i + 1) % length);
        ++pivots;
      }
      EXPECT_TRUE(repeats);
      EXPECT_LE(pivots, 2 * std::max(start, length) + length + 2) << start << " " << length;
    }
  }
}

}  // namespace
}  // namespace jostle
