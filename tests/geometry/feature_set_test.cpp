// Sets of feature pairs, which devices count without the compiler's own functions.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "core/geometry/contact_geometry.hpp"

namespace jostle {
namespace {

TEST(Bits, AreCountedAndFound) {
  EXPECT_EQ(count_ones(0), 0);
  EXPECT_EQ(lowest_one(0), 64);
  EXPECT_EQ(count_ones(~std::uint64_t{0}), 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(lowest_one(std::uint64_t{1} << i), i);
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 100'000; ++trial) {
    std::uint64_t word = random();
    for (int k = trial % 4; k > 0; --k) word &= random();  // fewer ones
    ASSERT_EQ(count_ones(word), std::popcount(word)) << word;
    ASSERT_EQ(lowest_one(word), std::countr_zero(word)) << word;
  }
}

TEST(FeatureSet, HasWhatWasInsertedInAscendingOrder) {
  FeatureSet set;
  EXPECT_TRUE(set.empty());
  for (const int feature : {200, 3, 63, 64, 255, 0, 3}) set.insert(feature);
  std::vector<int> features;
  set.for_each([&](int feature) { features.push_back(feature); });
  EXPECT_EQ(features, (std::vector<int>{0, 3, 63, 64, 200, 255}));
  EXPECT_EQ(set.size(), 6);
  EXPECT_TRUE(set.contains(200));
  EXPECT_FALSE(set.contains(199));
}

TEST(FeatureSet, HasWhatIsLeft) {
  FeatureSet set, other;
  for (const int feature : {0, 63, 64, 130, 255}) set.insert(feature);
  for (const int feature : {63, 130, 200}) other.insert(feature);
  FeatureSet rest = set.without(other);
  for (const int feature : {0, 64, 255}) EXPECT_TRUE(rest.contains(feature)) << feature;
  EXPECT_EQ(rest.size(), 3);
  rest.erase(64), rest.erase(200);
  EXPECT_EQ(rest.size(), 2);
  rest.insert(other);
  EXPECT_EQ(rest.size(), 5);
  EXPECT_TRUE(rest.contains(other));
}

}  // namespace
}  // namespace jostle
