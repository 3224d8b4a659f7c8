#pragma once
// From a dictionary to the z of its basis.
#include "core/lcp/dictionary.hpp"
#include "core/lcp/places.hpp"
#include "core/math/bits.hpp"
#include "core/team.hpp"

namespace jostle {

/// Writes the z of a dictionary's constants and returns its residual. The certificate is long, computed at several
/// places, and needs its own registers.
template <class Team, class Certify>
JOSTLE_HD JOSTLE_OUTLINE double read_answer_of(Team team, LemkePlaces places, Dictionary rows, const double* scale,
                                               double* z, Certify& certify) {
  team.sync();
  team.for_each(places.n, [=](int k) {
    const int row = places.place_of_z(k);
    if constexpr (Thread<Team>) {  // without branches, which could not be foretold
      const double value = chosen(row >= 0, rows.constant(row >= 0 ? row : 0), 0.0);
      z[k] = chosen(value > 0, scale[k] * value, 0.0);
    } else {
      const double value = row >= 0 ? rows.constant(row) : 0.0;
      z[k] = value > 0 ? scale[k] * value : 0.0;
    }
  });
  team.sync();
  return certify();
}

}  // namespace jostle
