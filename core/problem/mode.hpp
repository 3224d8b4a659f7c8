#pragma once
// The mode of a contact: what it does in a step. Given the modes of all contacts, a mixed LCP becomes a linear system
// (mode_system.hpp).
#include "core/config.hpp"
#include "core/problem/mixed_lcp.hpp"

namespace jostle {

/// Directions are those of theory.md (7), d_0 .. d_{k-1}.
struct Mode {
  enum class Kind : std::uint8_t {
    unknown,  ///< none is kept: the contact is new
    open,     ///< no impulse
    stick,    ///< closed, and no slip; of a frictionless contact: closed; of other friction: no slip
    slip,     ///< closed; the friction impulse is mu c_n d_i, or b_c d_i
    between,  ///< closed; the friction impulse is mu c_n times a mean of d_i and d_{i+1}
  };
  Kind kind = Kind::unknown;   ///< in work.mode() until its island is solved: Guess::begin
  std::uint8_t direction = 0;  ///< i; 0 for the other kinds
  std::uint16_t held = 0;      ///< from step to step: of how many overlaps that are held this is one; 0: of none

  JOSTLE_HD static Mode slip(int i) { return {Kind::slip, static_cast<std::uint8_t>(i)}; }
  JOSTLE_HD static Mode between(int i) { return {Kind::between, static_cast<std::uint8_t>(i)}; }
  JOSTLE_HD bool slips() const { return kind == Kind::slip || kind == Kind::between; }
  /// Does the same.
  JOSTLE_HD bool operator==(const Mode& other) const { return kind == other.kind && direction == other.direction; }
  /// ... and is of as many overlaps that are held.
  JOSTLE_HD bool is_same(const Mode& other) const { return *this == other && held == other.held; }
};
inline constexpr int most_held = 0xffff;

/// A contact and its mode as the state keeps them.
struct KeptMode {
  Mode mode;
  int number = 0;  ///< of its feature pair, plus 1; 0: none

  JOSTLE_HD static KeptMode of(int feature, Mode mode) { return {mode, feature + 1}; }
  JOSTLE_HD bool is_none() const { return number == 0; }
  JOSTLE_HD int feature() const { return number - 1; }
  JOSTLE_HD bool operator==(const KeptMode& other) const { return mode.is_same(other.mode) && number == other.number; }
};

/// The overlap of a block, where some are held.
struct Overlap {
  double bias = 0;  ///< b_n before it was held
  bool is_held = false;
  Mode before;  ///< that of the step before, with its mark
};

/// The equations of the linear system for each block: the normal and two tangents, or less.
inline constexpr int most_mode_equations = 3;

/// The equations of the mode of one contact, R v + b = 0, along the normal and along two unit tangents at right angles
/// (ModeFrame), and their unknowns. Only the first ones act; the others tell how the contact slips.
struct ModeUnknowns {
  int count, acting;
  double weight;                        ///< 1 / (eps G), kg
  double bias[most_mode_equations];     ///< b, m/s
  double impulse[most_mode_equations];  ///< x, N s
  double defect[most_mode_equations];   ///< R v + b, m/s; of those that do not act as the first solve leaves it
};

/// ... in velocities u = sqrt(A) v, so that A is the identity.
struct ModeEquations : ModeUnknowns {
  int body[2];                       ///< as in ConstraintRow
  Vec6 row[most_mode_equations][2];  ///< of R
  Vec6 push[2];                      ///< row of C, transposed, of the first equation; those of the others are of R

  JOSTLE_HD const Vec6& column(int equation, int side) const {
    return equation == 0 ? push[side] : row[equation][side];
  }
};

/// ... of coupled bodies, as weights of the base rows of a block (coupled_form.hpp).
struct CoupledEquations : ModeUnknowns {
  double row[most_mode_equations][most_mode_equations];  ///< of R
  double push[most_mode_equations];                      ///< of C, of the first equation
  double moment[2];  ///< of spin and rolling friction that slips: the impulse of the base rows, over c_n of the contact
  bool pushes;       ///< of a contact: its spin or rolling friction slips
  bool are_mode_rows;  ///< the equations, which all act, and their impulses

  JOSTLE_HD const double (&column(int equation) const)[most_mode_equations] {
    return equation == 0 ? push : row[equation];
  }
};

/// The blocks of a banded matrix in which a block of rows has entries: first .. last.
struct MatrixBand {
  int first, last;
};

/// Whether a mode can describe a block: a contact or a limit, friction or a motor of a joint, spin or rolling friction.
JOSTLE_HD inline bool is_described_by_mode(const Block& block) {
  return block.opposites && (block.normal < 0 ? block.tangents == 1 || block.is_moment() : block.bound == 0);
}

}  // namespace jostle
