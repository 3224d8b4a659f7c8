#pragma once
// Rows of bodies that are coupled: as one number for each velocity, and what they give each other.
#include "core/assembly/rows.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

namespace detail {

/// Working memory of one lane.
template <AnyWorkspace Work>
struct LaneMemory {
  using Numbers = Span<double, Work::step>;
  JOSTLE_HD LaneMemory(const Dimensions& d, const Work& work, int lane)
      : right_side(work.lane_memory().from(lane * d.lane_numbers())),
        solution(right_side.from(d.velocities())),
        sums(solution.from(d.velocities())),
        defect(sums.from(d.lane_sums())),
        multiplier(defect.from(d.equations())) {}
  Numbers right_side, solution;  ///< velocities each
  Numbers sums;                  ///< for solutions of linear systems
  Numbers defect, multiplier;    ///< equations() each
};

/// One number per velocity, seen body by body.
template <class Numbers>
struct ByBody {
  Numbers x;
  JOSTLE_HD Numbers operator[](int body) const { return x.from(6 * body); }
};

/// row . x, x being one number per velocity.
template <class Numbers>
JOSTLE_HD double product(const ConstraintRow& row, const Numbers& x) {
  return add_product(0, row, ByBody<Numbers>{x});
}

/// A row as one number per velocity.
template <class Numbers>
JOSTLE_HD void expand(const Dimensions& d, const ConstraintRow& row, const Numbers& x) {
  for (int i = 0; i < d.velocities(); ++i) x[i] = 0;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    for (int k = 0; k < 6; ++k) x[6 * row.body[side] + k] = row.entry[side][k];
  }
}

/// The halves of A^-1 row' for a diagonal A.
JOSTLE_HD inline void respond(AnyWorkspace auto work, const ConstraintRow& row, Vec6 (&response)[2]) {
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
    store(six(work.inv_mass(row.body[side])) * six(row.entry[side]), response[side]);
}

/// J_r A^-1 J_s' of a row r with others, for a diagonal A, six numbers at a time.
template <AnyWorkspace Work>
class RowResponse {
 public:
  JOSTLE_HD RowResponse(const Work& work, const ConstraintRow& row) : bodies_{row.body[0], row.body[1]} {
    for (int side = 0; side < 2 && bodies_[side] != no_body; ++side)
      response_[side] = six(work.inv_mass(bodies_[side])) * six(row.entry[side]);
  }
  /// Whether another row has a body of this one. product() is for that row, and for others with the same bodies.
  JOSTLE_HD bool meets(const ConstraintRow& other) {
    for (int side = 0; side < 2; ++side) shared_[side] = bodies_[side] == no_body ? -1 : side_of(other, bodies_[side]);
    return shared_[0] >= 0 || shared_[1] >= 0;
  }
  JOSTLE_HD double product(const ConstraintRow& other) const {
    double sum = 0;
    for (int side = 0; side < 2; ++side)
      if (shared_[side] >= 0) sum += dot(six(other.entry[shared_[side]]), response_[side]);
    return sum;
  }
  /// put(i, product) for the rows before place `count` of a list that share a body with this one. The first of a group
  /// is there, and those after it have its bodies.
  JOSTLE_HD void for_each_product(const auto& rows, int count, auto put) {
    for (int first = 0; first < count; first += rows.group) {
      if (!meets(rows.all[rows.row(first)])) continue;
      for (int i = first; i < first + rows.group && i < count; ++i)
        if (const int r = rows.row(i); r >= 0) put(i, product(rows.all[r]));
    }
  }

 private:
  int bodies_[2];
  int shared_[2];  // the half of the other row that belongs to each of them, or -1
  Six response_[2] = {};
};

/// x += factor * row.
template <class Numbers>
JOSTLE_HD void add_row(const ConstraintRow& row, double factor, const Numbers& x) {
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    for (int k = 0; k < 6; ++k) x[6 * row.body[side] + k] += factor * row.entry[side][k];
  }
}

}  // namespace detail

}  // namespace jostle
