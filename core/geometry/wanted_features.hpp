#pragma once
// Which feature pairs of two shapes a search looks for.
#include "core/geometry/contact_geometry.hpp"

namespace jostle::detail {

/// The feature pairs of one page.
struct PageOfFeatures {
  int first;
  FeatureSet& set;

  JOSTLE_HD void insert(int feature) const {
    if (feature >= first && feature < first + page_features) set.insert(feature - first);
  }
  /// Of rows of `columns` feature pairs, the first of which begins at `block`, those that it has a part of.
  JOSTLE_HD int first_row(int block, int columns) const { return first > block ? (first - block) / columns : 0; }
  JOSTLE_HD int end_of_rows(int block, int rows, int columns) const {
    const int past = first + page_features - block;
    const int end = past > 0 ? (past - 1) / columns + 1 : 0;
    return end < rows ? end : rows;
  }
};

/// All feature pairs: insert(feature) for the candidates, in no order.
template <class Insert>
struct AllFeatures {
  Insert insert;
  JOSTLE_HD int first_row(int, int) const { return 0; }
  JOSTLE_HD int end_of_rows(int, int rows, int) const { return rows; }
};

}  // namespace jostle::detail
