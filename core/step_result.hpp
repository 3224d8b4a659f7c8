#pragma once
// Input and result of a step.
#include "core/config.hpp"
#include "core/math/bits.hpp"
#include "core/status.hpp"

namespace jostle {

/// When a step, or a part of one, begins, and how long it is; s.
struct TimeStep {
  double time = 0;
  double h = 0;
};

/// Collision::pair, if nothing closes.
inline constexpr int no_pair = -2;

/// The first feature pair that closes on a path.
struct Collision {
  double time = infinity();  ///< s from the start of the path; infinity: there is none
  int pair = -1;             ///< -1: not a pair of shapes but a limit of a joint; no_pair (-2): nothing closes
  int feature = 0;           ///< or twice the number of the joint, + 1 for the upper limit
};

/// A step has gained energy if this is more than this part of the energy in play; below, it is rounding.
inline constexpr double energy_rounding = 1e-12;

/// J: what a step has added to the kinetic energy beyond the work of forces at the mean velocity and at v_{l+1}, and
/// the most kinetic energy in it.
struct StepEnergy {
  double by_mean = 0;
  double by_end = 0;
  double in_play = 0;
  double by_drives = 0;  ///< work of motors, which is no gain; with stages that of friction of joints, too

  JOSTLE_HD void add(const StepEnergy& other) {
    by_mean += other.by_mean;
    by_end += other.by_end;
    in_play += other.in_play;
    by_drives += other.by_drives;
  }
  /// The gain by both accounts; 0 for a loss and for rounding errors.
  JOSTLE_HD double gain() const {
    if (is_nan(by_mean) || is_nan(by_end)) return canonical_nan();
    const double gained = by_mean < by_end ? by_mean : by_end;
    return gained > energy_rounding * in_play ? gained : 0.0;
  }
};

/// The result of the solves of one step.
struct StepResult {
  Status status = Status::ok;
  int contacts = 0;          ///< in the LCP
  int resting = 0;           ///< contacts of islands at rest, which are not computed
  int filtered = 0;          ///< the most contacts that were left out of a problem as redundant
  int pivots = 0;            ///< of all LCPs of the step
  double residual = 0;       ///< the largest certificate
  double penetration = 0;    ///< m, the deepest of the listed contacts
  double energy_gain = 0;    ///< J, beyond the work of forces
  bool held = false;         ///< a jam was held: overlaps, or errors of joints, stay as no motion takes them away
  int events = 0;            ///< impacts and transitions
  int projections = 0;       ///< of positions, after the last sub-step; the workspace is left as the last one needs it
  int poisson = 0;           ///< of the events, those without a solution by Newton's law, made by Poisson's
  bool first_order = false;  ///< the gyroscopic torque of a body was implicit at first order only
  bool no_rows = false;      ///< the record has no room for its rows: with status `capacity`, the step was not made
  bool rests = false;        ///< the step began in the bits of the one before, so it ended like it
  int substeps = 0;          ///< 0: the step was not divided
  int solves = 0;            ///< LCPs: islands of all problems
  int guessed = 0;           ///< of these, answered by the modes of the step before, or at rest since then,
  int corrected = 0;         ///< by modes that were corrected,
  int pivoted = 0;           ///< or by Lemke's method
  int vertex = 0;            ///< answers that are not those of least norm
  int lcp_size = 0;          ///< n of the last problem, all islands that are computed; 0: no blocks
  int largest_island = 0;    ///< blocks of it, in that problem
  int path = 0;              ///< pivots of the last problem that work.pivot_path holds

  JOSTLE_HD int all_contacts() const { return contacts + resting; }
};

/// What a piece of a step is. A motion is up to the method, all else is the same for all methods.
enum class Piece {
  motion,
  rest,          ///< a motion after a transition, with none any more
  impact,        ///< of contacts and limits, events/impact.hpp
  blow,          ///< external impulses, events/blow.hpp
  joint_impact,  ///< where velocities contradict joints, events/joint_impact.hpp
  projection     ///< of positions, after the last motion, events/projection.hpp
};

JOSTLE_HD constexpr bool has_contacts(Piece piece) { return piece <= Piece::impact; }
JOSTLE_HD constexpr bool takes_no_time(Piece piece) {
  return piece == Piece::impact || piece == Piece::blow || piece == Piece::joint_impact;
}

/// What others have to know of a piece that adds to the impulses of a step.
struct PieceFacts {
  bool first;            ///< of the step
  bool first_of_joints;  ///< no impact of the joints came before it, either
  bool has_stages;
  bool strikes;  ///< it takes no time: an impact, of contacts or joints, or a blow
};

/// Adds what a piece gives to the share that those without a length have of a sum.
JOSTLE_HD inline void add_share(bool first, const PieceFacts& piece, double given, double& share) {
  share = (first ? 0.0 : share) + (piece.strikes ? given : 0.0);
}

/// A step in progress; the same on all lanes of a team. A sub-step consists of pieces, in which the method's contacts
/// do not change: it begins with one of the whole sub-step, which `begin` may shorten.
struct StepProgress {
  TimeStep step;      ///< the current piece; of length 0: an impact
  double left = 0;    ///< s, of the sub-step after this piece
  double passed = 0;  ///< s, of the whole step before it
  StepResult result;
  StepEnergy energy;                 ///< of the pieces so far
  double energy_at_start = 0;        ///< J, kinetic, of the step; 0 in its first piece
  int halvings = 0;                  ///< the step is divided into 2^halvings sub-steps
  int part = 0;                      ///< number of the current one
  int pieces = 0;                    ///< accepted in this step
  Piece piece = Piece::motion;       ///< the current one
  Piece next_piece = Piece::motion;  ///< the next one
  int phase = 0;                     ///< up to the method; 0 at the start of a piece
  int round = 0;
  bool ends_slips = false;     ///< trapezoidal: slips of some contacts end in the piece
  int lists = 0;               ///< of contacts that Stewart and Trinkle's method has made in the piece
  int rows = 0, blocks = 0;    ///< of the problem
  double approach = 0;         ///< m/s, the least n'v- in it
  double work = 0;             ///< J, of forces and motors in the piece; of a method with stages
  double work_of_drives = 0;   ///< J, the part of it of motors and friction of joints
  double unseen_hop = 0;       ///< m/s: contacts that separated so fast came back within rounding errors
  double residual_before = 0;  ///< before the problem
  double overlap = 0;          ///< m, that a projection takes away; if it settles bodies, the widest gap that it closes
  bool settles = false;        ///< the projection closes gaps of contacts that hold, (53e)
  int projections = 0;         ///< of positions, at the end of the sub-step
  bool stays = false;          ///< no projection can take the overlap away
  int kept = 0;                ///< 1: the state before the step is kept, as pieces have changed it
  bool knows_forces = false;   ///< it is the first step of a system, made again with the forces of its joints
  int closed = 0;              ///< 1 + the last sub-step that has been looked at for an impact of the joints
  int idle_pair = no_pair;     ///< whose shapes met in the impact before, by features that do not approach
  bool joints_struck = false;  ///< an impact of the joints has been accepted in this step
  bool jumped = false;         ///< velocities have jumped where it begins, by a blow or as joints carry on what is told
  double struck = -1;          ///< s, of the step: external impulses up to then have acted
  StepResult before_projection;
  Collision collision;  ///< at the end of the current piece, or before it

  JOSTLE_HD bool has_more_pieces() const { return left > 0 || next_piece != Piece::motion; }
  JOSTLE_HD bool is_last_part() const { return part + 1 >= 1 << halvings; }
  JOSTLE_HD bool has_more() const { return has_more_pieces() || !is_last_part(); }
};

/// Of the current piece. `has_stages`: it is one of a method with stages that lasts.
JOSTLE_HD inline PieceFacts facts_of(const StepProgress& progress, bool has_stages) {
  const bool is_first = progress.pieces == 0;
  return {.first = is_first,
          .first_of_joints = is_first && !progress.joints_struck,
          .has_stages = has_stages,
          .strikes = takes_no_time(progress.piece)};
}

/// Why a call of `simulate` (step.hpp) ended.
enum class Pause { finished, overflow, records_full };

}  // namespace jostle
