#include "scenarios/text/suggest.hpp"

#include <gtest/gtest.h>

namespace jostle {
namespace {

const std::vector<std::string> keys = {"friction", "restitution", "position", "rotation", "mass", "mu", "t"};

TEST(NearestName, FindsOneSlip) {
  EXPECT_EQ(nearest_name("friciton", keys), "friction");  // swapped
  EXPECT_EQ(nearest_name("postion", keys), "position");   // missing
  EXPECT_EQ(nearest_name("masss", keys), "mass");         // extra
  EXPECT_EQ(nearest_name("rotatiom", keys), "rotation");  // wrong
  EXPECT_EQ(nearest_name("Friction", keys), "friction");  // capital
}

TEST(NearestName, IsSilentIfNothingIsNear) {
  EXPECT_EQ(nearest_name("damping", keys), "");
  EXPECT_EQ(nearest_name("x", keys), "");
  EXPECT_EQ(nearest_name("", keys), "");
  EXPECT_EQ(nearest_name("mass", {}), "");
  EXPECT_EQ(nearest_name(std::string(1000000, 'm'), keys), "");
}

TEST(NearestName, TakesTheFirstOfEquals) { EXPECT_EQ(nearest_name("bax", {"bar", "ban", "bat"}), "bar"); }

TEST(DidYouMean, IsReadyToBeAppended) {
  EXPECT_EQ(did_you_mean("friciton", keys), " (did you mean 'friction'?)");
  EXPECT_EQ(did_you_mean("zzzzzz", keys), "");
}

}  // namespace
}  // namespace jostle
