// The bits of the geometry are the same for every compiler, instruction set and level of optimisation.
#include <gtest/gtest.h>

#include <bit>

#include "tests/geometry/placements.hpp"

namespace jostle::test {
namespace {

/// FNV-1a over 64-bit words.
class Digest {
 public:
  void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3; }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) {
    for (int k = 0; k < 3; ++k) add(v[k]);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

std::uint64_t digest_of(const PairTypes& pair) {
  Random random(31);
  Digest digest;
  for (int trial = 0; trial < 200; ++trial) {
    const Placement p = placed_at(pair, random.uniform(-0.05, 0.05), random);
    digest.add(signed_distance(p.a, p.b));
    for (const std::uint64_t word : close_features(p.a, p.b, 0.05).words) digest.add(word);
    for (int feature = 0; feature < feature_count(pair.a, pair.b); ++feature) {
      const ContactGeometry c = contact_geometry(p.a, p.b, feature);
      digest.add(c.gap);
      digest.add(c.normal);
      digest.add(c.point_a);
      digest.add(c.point_b);
    }
  }
  return digest.value();
}

TEST(GeometryBits, AreGolden) {
  // In the order of all_pairs(). A change of these numbers is a change of results: name its cause.
  constexpr std::uint64_t golden[] = {
      0x1175187e24c89fb5, 0xfcc94b522ff23063, 0x2d79fbace77aac53, 0x64a66741587ab715, 0xb38c228fa549bbbd,
      0x47c972ea5cbf096d, 0x1168ed0d22c9a28a, 0x89cca1c2af77b0d7, 0x6f4758ba8b6aa2ca, 0x5bba20129e19eba0,
      0xc654604af20de943, 0x1a0149b2abcf2fac, 0xf10153d5b418442f, 0x270485fa51de0902,
  };
  const std::vector<PairTypes> pairs = all_pairs();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_EQ(digest_of(pairs[i]), golden[i]) << std::hex << "0x" << digest_of(pairs[i]) << " " << name(pairs[i]);
}

TEST(GeometryBits, OfAGapAloneAreThoseOfTheContact) {
  Random random(32);
  for (const PairTypes& pair : all_pairs()) {
    for (int trial = 0; trial < 5; ++trial) {
      const Placement p = placed_at(pair, random.uniform(-0.05, 0.05), random);
      for (int feature = 0; feature < feature_count(pair.a, pair.b); ++feature)
        EXPECT_EQ(bits_of(contact_gap(p.a, p.b, feature)), bits_of(contact_geometry(p.a, p.b, feature).gap))
            << name(pair);
    }
  }
}

TEST(GeometryBits, OfAllCornersOfABoxAreThoseOfEach) {
  Random random(33);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 size{random.uniform(0.01, 1), random.uniform(0.01, 1), random.uniform(0.01, 1)};
    const PlacedShape box{ShapeType::box, size, random_vector(random, 2), random.axes()};
    int next = 0;
    visit_box_corners(box, [&](int corner, const Vec3& point) {
      EXPECT_EQ(corner, next++);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(bits_of(point[k]), bits_of(box_corner(box, corner)[k]));
    });
    EXPECT_EQ(next, 8);
  }
}

}  // namespace
}  // namespace jostle::test
