#pragma once
// The mode of a contact: what it does in a step. Given the modes of all contacts, a mixed LCP becomes a linear system
// (mode_system.hpp).
#include "core/assembly/mixed_lcp.hpp"
#include "core/config.hpp"

namespace jostle {

/// Directions are those of theory.md (7), d_0 .. d_{k-1}.
struct Mode {
  enum class Kind : std::uint8_t {
    unknown,  ///< none is kept: the contact is new
    open,     ///< no impulse
    stick,    ///< closed, and no slip; of a frictionless contact: closed
    slip,     ///< closed; the friction impulse is mu c_n d_i
    between,  ///< closed; the friction impulse is mu c_n times a mean of d_i and d_{i+1}
  };
  Kind kind = Kind::unknown;
  std::uint8_t direction = 0;  ///< i; 0 for the other kinds

  JOSTLE_HD bool operator==(const Mode& other) const { return kind == other.kind && direction == other.direction; }
};

/// A feature and its mode as the state keeps them; 0: none. Features are below 256, directions below 64.
struct KeptMode {
  int code = 0;
  JOSTLE_HD static KeptMode of(int feature, Mode mode) {
    return {feature << 9 | mode.direction << 3 | static_cast<int>(mode.kind)};
  }
  JOSTLE_HD int feature() const { return code >> 9; }
  JOSTLE_HD Mode mode() const { return {static_cast<Mode::Kind>(code & 7), static_cast<std::uint8_t>(code >> 3 & 63)}; }
};

/// Equations of the linear system for each block: the normal and two tangents, or less.
inline constexpr int mode_rows_per_block = 3;

/// One equation of the system.
struct ModeRow {
  ConstraintRow row, column;  ///< of R and C, in velocities sqrt(A) v
  double bias;                ///< b, m/s
  double weight;              ///< 1 / (eps G), kg; 0: there is no such row
  double impulse;             ///< x, N s
  double defect;              ///< R v + b, m/s; of an open contact as the first solve leaves it
};

/// The blocks that touch a body, and the other bodies in its rows of the matrix.
struct ModeBand {
  int count;        ///< of the blocks
  int first, last;  ///< bodies
};

/// Whether modes can describe every block of the mixed LCPs of a model: all are contacts or limits.
JOSTLE_HD inline bool has_modes(const Block& block) { return block.normal >= 0 && block.opposites && block.bound == 0; }

}  // namespace jostle
