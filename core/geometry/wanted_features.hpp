#pragma once
// Which feature pairs of two shapes a search looks for.
#include "core/geometry/contact_geometry.hpp"

namespace jostle::detail {

/// The feature pairs of one page, or some of them.
struct PageOfFeatures {
  int first;
  FeatureSet& set;
  const FeatureSet* only = nullptr;  ///< if given, what is looked for

  JOSTLE_HD void insert(int feature) const {
    const int own = feature - first;
    if (own >= 0 && own < page_features && (only == nullptr || only->contains(own))) set.insert(own);
  }
  /// Whether something is looked for in a row of `columns` feature pairs that begins at `begin`.
  JOSTLE_HD bool has_part_of_row(int begin, int columns) const {
    if (begin >= first + page_features) return false;
    const int past = begin - first + columns, end = past < page_features ? past : page_features;
    int own = begin > first ? begin - first : 0;
    if (only == nullptr) return own < end;
    while (own < end && !only->contains(own)) ++own;
    return own < end;
  }
  /// Of rows of `columns` feature pairs, the first of which begins at `block`, those that it has a part of.
  JOSTLE_HD int first_row(int block, int columns) const { return first > block ? (first - block) / columns : 0; }
  JOSTLE_HD int end_of_rows(int block, int rows, int columns) const {
    const int past = first + page_features - block;
    const int end = past > 0 ? (past - 1) / columns + 1 : 0;
    return end < rows ? end : rows;
  }
};

/// All feature pairs: insert(feature) for the candidates, in no order; or, if insert has a page, those of that.
template <class Insert>
struct AllFeatures {
  Insert insert;
  JOSTLE_HD bool has_part_of_row(int begin, int columns) const {
    return page() == nullptr || page()->has_part_of_row(begin, columns);
  }
  JOSTLE_HD int first_row(int block, int columns) const {
    return page() == nullptr ? 0 : page()->first_row(block, columns);
  }
  JOSTLE_HD int end_of_rows(int block, int rows, int columns) const {
    return page() == nullptr ? rows : page()->end_of_rows(block, rows, columns);
  }

 private:
  JOSTLE_HD const PageOfFeatures* page() const {
    if constexpr (requires { insert.page; })
      return insert.page;
    else
      return nullptr;
  }
};

}  // namespace jostle::detail
