#pragma once
// Jams, docs/theory.md (17a): overlaps that no motion opens are held.
#include "core/assembly/islands.hpp"
#include "core/prescribed/prescribed_motion.hpp"

namespace jostle {

namespace detail {

/// An overlap opens if it separates by more than this part of itself in the step; below, it is rounding.
inline constexpr double opening_part = 1e-6;

/// The overlaps of an island, and which of them are held, docs/theory.md (17a).
template <class Team, AnyWorkspace Work>
class Overlaps {
 public:
  JOSTLE_HD Overlaps(const Team& team, const Dimensions& d, const Island& island, const Work& work)
      : team_(team), d_(d), island_(island), work_(work) {}

  /// Whether some were held in the step before, and all of these are left. Takes the marks from work.mode(). Ends
  /// synced.
  JOSTLE_HD bool were_held() const {
    if (!any([&](int i) { return work_.mode(block(i)).held > 0; })) return false;
    team_.sync();
    team_.for_each(island_.blocks, [&](int i) {
      overlap(i).before = work_.mode(block(i));
      work_.mode(block(i)).held = 0;
    });
    team_.sync();
    const int left = count([&](int i) { return was_held(i); });
    return !any([&](int i) { return was_held(i) && !(overlap(i).before.held == left && overlaps(i)); });
  }

  /// Holds those that no motion opens: b_n := max(b_n, 0). Prescribed motion goes on. False if nothing overlaps.
  JOSTLE_HD bool hold() const {
    const bool is_any = any([&](int i) { return overlaps(i); });
    team_.sync();
    team_.for_each(island_.blocks, [&](int i) {
      overlap(i).is_held = overlaps(i);
      if (!overlap(i).is_held) return;
      overlap(i).bias = work_.row_bias(normal_of(i));
      work_.row_bias(normal_of(i)) = told(i);
    });
    team_.sync();
    return is_any;
  }

  /// Whether none that was held in the step before opens in the answer.
  JOSTLE_HD bool stay_closed() const {
    return !any([&](int i) { return was_held(i) && opens(i); });
  }

  /// Undoes hold() and goes back to the modes of the step before, those of a jam that does not go on. Begins and ends
  /// synced.
  JOSTLE_HD void release() const {
    team_.for_each(island_.blocks, [&](int i) {
      if (overlap(i).is_held) work_.row_bias(normal_of(i)) = overlap(i).bias;
      work_.mode(block(i)) = overlap(i).before;
      work_.mode(block(i)).held = 0;
    });
    team_.sync();
  }

  /// Marks those that are held and do not open, for the next step. Begins and ends synced.
  JOSTLE_HD void mark() const {
    const auto stays = [&](int i) { return overlap(i).is_held && !opens(i); };
    const int all = count(stays);
    team_.for_each(island_.blocks, [&](int i) {
      work_.mode(block(i)).held = static_cast<std::uint16_t>(all <= most_held && stays(i) ? all : 0);
    });
    team_.sync();
  }

 private:
  JOSTLE_HD bool any(auto f) const { return any_of(team_, island_.blocks, f); }
  JOSTLE_HD int count(auto f) const {
    int sum = 0;
    for (int i = 0; i < island_.blocks; ++i) sum += f(i) ? 1 : 0;
    return sum;
  }
  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }
  JOSTLE_HD Overlap& overlap(int i) const { return work_.overlap(block(i)); }
  JOSTLE_HD int normal_of(int i) const { return work_.block(block(i)).normal; }
  JOSTLE_HD bool was_held(int i) const { return overlap(i).before.held > 0; }
  JOSTLE_HD double told(int i) const { return prescribed_speed(d_, work_, normal_of(i)); }
  JOSTLE_HD bool overlaps(int i) const { return normal_of(i) >= 0 && work_.row_bias(normal_of(i)) - told(i) < 0; }
  JOSTLE_HD bool opens(int i) const {
    return work_.row_speed(normal_of(i)) > opening_part * (told(i) - overlap(i).bias);
  }

  const Team& team_;
  const Dimensions& d_;
  const Island& island_;
  const Work& work_;
};

}  // namespace detail

}  // namespace jostle
