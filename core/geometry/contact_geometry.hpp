#pragma once
// What every shape pair supplies. A pair of shapes has a fixed, finite list of FEATURE PAIRS (a corner
// on a face, an edge across an edge...), numbered from 0; the number is a contact's identity from
// step to step. A feature pair's gap, normal and points are smooth functions of the poses.
#include <cstdint>

#include "core/geometry/shape.hpp"
#include "core/math/bits.hpp"

namespace jostle {

/// Gaps below this are rounding, m.
inline constexpr double gap_rounding = 1e-12;

/// Smaller overlaps are none, m.
inline constexpr double least_overlap = 1e-9;

/// One feature pair of two shapes at given poses.
struct ContactGeometry {
  double gap;    ///< Phi, m; negative in penetration
  Vec3 normal;   ///< unit, from a to b
  Vec3 point_a;  ///< on the surface of a, world, m
  Vec3 point_b;  ///< on the surface of b; point_b - point_a = gap * normal
};

/// The same pair with the shapes swapped.
JOSTLE_HD inline ContactGeometry swapped(const ContactGeometry& c) { return {c.gap, -c.normal, c.point_b, c.point_a}; }

/// The feature pairs of two shapes come in pages of so many.
inline constexpr int page_features = 256;

/// How many pages hold the numbers of so many feature pairs.
JOSTLE_HD constexpr int pages_of(int features) { return (features + page_features - 1) / page_features; }

/// visit(i) for the rows of a block of feature pairs, each of `columns`, of which the page that begins with feature
/// pair `first` has a part. `block`: the first feature pair of the block.
JOSTLE_HD void for_each_row_of_page(int first, int block, int rows, int columns, auto visit) {
  const int begin = first > block ? (first - block) / columns : 0;
  for (int i = begin; i < rows && block + i * columns < first + page_features; ++i) visit(i);
}

/// A set of feature pairs of one page, in ascending order of their numbers. Numbers count from the page's first one.
struct FeatureSet {
  std::uint64_t words[page_features / 64] = {};

  JOSTLE_HD void insert(int feature) {
    const std::uint64_t bit = std::uint64_t{1} << (feature % 64);
    for (int w = 0; w < page_features / 64; ++w) words[w] |= w == feature / 64 ? bit : 0;  // words stay in registers
  }
  JOSTLE_HD void insert(const FeatureSet& other) {
    for (int w = 0; w < page_features / 64; ++w) words[w] |= other.words[w];
  }
  JOSTLE_HD void erase(int feature) {
    const std::uint64_t bit = std::uint64_t{1} << (feature % 64);
    for (int w = 0; w < page_features / 64; ++w) words[w] &= w == feature / 64 ? ~bit : ~std::uint64_t{0};
  }
  JOSTLE_HD bool contains(int feature) const { return (words[feature / 64] >> (feature % 64)) & 1; }

  JOSTLE_HD bool contains(const FeatureSet& other) const {
    std::uint64_t missing = 0;
    for (int w = 0; w < page_features / 64; ++w) missing |= other.words[w] & ~words[w];
    return missing == 0;
  }

  JOSTLE_HD int size() const {
    int count = 0;
    for (const std::uint64_t word : words) count += count_ones(word);
    return count;
  }

  JOSTLE_HD FeatureSet without(const FeatureSet& other) const {
    FeatureSet rest;
    for (int w = 0; w < page_features / 64; ++w) rest.words[w] = words[w] & ~other.words[w];
    return rest;
  }

  JOSTLE_HD bool operator==(const FeatureSet& other) const {
    return words[0] == other.words[0] && words[1] == other.words[1] && words[2] == other.words[2] &&
           words[3] == other.words[3];
  }
  JOSTLE_HD bool empty() const { return (words[0] | words[1] | words[2] | words[3]) == 0; }

  /// Of a set that is not empty.
  JOSTLE_HD int lowest() const {
    int w = page_features / 64 - 1;
    std::uint64_t word = words[w];
    for (int i = w; i-- > 0;)
      if (words[i] != 0) w = i, word = words[i];
    return 64 * w + lowest_one(word);
  }

  /// Calls f(feature) in ascending order; f does not change the set.
  template <class F>
  JOSTLE_HD void for_each(F f) const {
    if constexpr (JOSTLE_ON_DEVICE) {  // the loop over words is unrolled, and would have f four times
      for (FeatureSet rest = *this; !rest.empty();) {
        const int feature = rest.lowest();
        rest.erase(feature);
        f(feature);
      }
    } else {
      for (int w = 0; w < page_features / 64; ++w)
        for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) f(64 * w + lowest_one(rest));
    }
  }
  /// The same with the numbers of a page whose first feature pair is `first`.
  template <class F>
  JOSTLE_HD void for_each(int first, F f) const {
    for_each([&](int feature) { f(first + feature); });
  }
};

}  // namespace jostle
