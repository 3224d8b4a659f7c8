#pragma once
// What one team needs while it steps one system: shared memory on a GPU, one buffer per thread on a CPU.
// Nothing here outlives a step.
#include <concepts>

#include "core/geometry/contact_geometry.hpp"
#include "core/lcp/workspace.hpp"
#include "core/math/rotation.hpp"
#include "core/math/span.hpp"
#include "core/model/fields.hpp"
#include "core/model/traits.hpp"
#include "core/problem/cone.hpp"
#include "core/problem/mixed_lcp.hpp"
#include "core/problem/mode.hpp"

namespace jostle {

struct Pose {
  Vec3 position;
  Quaternion orientation;
  double angle;  ///< planar bodies
  Mat3 axes;     ///< body to world
};

/// A feature pair in the LCP of this step.
struct Contact {
  int pair;
  int feature;
  int block;   ///< of the mixed LCP
  double gap;  ///< Phi(q^), m
  Vec3 normal;
  Vec3 tangent_1;
  Vec3 tangent_2;
  Vec3 arm_a;  ///< from the centre of mass of a, m
  Vec3 arm_b;
};

/// The rows of J that belong to a joint; -1: there is none.
struct JointBlockRows {
  int friction = -1, motor = -1, lower = -1, upper = -1;
  int slowest = -1, fastest = -1;  ///< the limits of the speed
  int ball = -1, ball_rows = 0;    ///< the first one of the friction of a ball joint, and how many there are
};

/// The rows of N' that belong to a joint.
struct JointRows {
  int first, count;
  int body[2];  ///< as in each ConstraintRow
};

/// The half of a row that belongs to a body with prescribed motion.
struct PrescribedHalf {
  int number;  ///< of that body; -1: the row has none
  Vec6 entry;
  double speed;  ///< entry . its velocity, m/s or rad/s
};

/// Pivots of an LCP that are kept for inspection, more than twice what most need.
JOSTLE_HD constexpr int pivot_path_size(int lcp_size) { return 2 * lcp_size + 32; }

JOSTLE_HD constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}
/// Rounds up to whole cache lines.
JOSTLE_HD constexpr std::size_t round_up_to_line(std::size_t bytes) { return round_up(bytes, 64); }

// The only list of the fields of a workspace:
//
//   X(type, name, extent, memory, unit, writer, meaning)
//
// `extent` is an expression of the Dimensions `d`; fields with d.joint_rows or d.has_mass_matrix exist if a model
// couples its bodies by more than contacts. Every pivot uses the `near` fields and the `cells` of the dictionary: on a
// GPU they lie in shared memory or registers if they fit.
#define JOSTLE_WORKSPACE(X)                                                                                            \
  X(Pose, pose, d.bodies, far, "m, 1, rad", "begin", "q_l")                                                            \
  X(Pose, predicted_pose, d.bodies, far, "m, 1, rad", "begin, next, take", "q^")                                       \
  X(Pose, next_pose, d.bodies, far, "m, 1, rad", "initialise, take", "q_{l+1}")                                        \
  X(PlacedShape, placed, d.shapes, far, "m, 1", "begin, next, take", "shapes at q^")                                   \
  X(PlacedShape, next_placed, d.shapes, far, "m, 1", "initialise, take", "shapes at q_{l+1}")                          \
  X(FeatureSet, listed, d.pairs, far, "1", "list_contacts, add_missed_contacts",                                       \
    "feature pairs that are contacts of the step")                                                                     \
  X(FeatureSet, missed, d.pairs, far, "1", "add_missed_contacts", "feature pairs that should have been contacts")      \
  X(int, first_contact, d.pairs + 1, far, "1", "number_contacts", "of each pair; at the end the number of contacts")   \
  X(int, resting_contacts, 1, far, "1", "number_contacts", "contacts of islands at rest, which have no number")        \
  X(int, leaves_out, 1, far, "1", "begin_rest", "whether islands at rest are left out")                                \
  X(int, rest_island, d.resting_movers(), far, "1", "begin_rest, wake_touched, keep_rest",                             \
    "of each mover: the island at rest to which it belongs, as in the state; 0: it moves, or may")                     \
  X(Contact, contact, d.contacts, far, "m, 1", "number_contacts, write_contact_rows", "frames of the contacts at q^")  \
  X(Vec6, velocity, d.movers, far, "m/s, rad/s", "load_masses",                                                        \
    "v_l of the bodies that impulses move; 0 for locked freedoms")                                                     \
  X(Vec6, predicted_velocity, d.movers, far, "m/s, rad/s", "begin, next, take", "u, which leads to q^")                \
  X(Vec6, next_velocity, d.movers, far, "m/s, rad/s", "solve", "v of the last solution")                               \
  X(Vec6, prescribed_velocity, d.prescribed, far, "m/s, rad/s", "begin, next, initialise",                             \
    "of bodies with prescribed motion")                                                                                \
  X(Vec6, prescribed_first, d.prescribed, far, "m/s, rad/s, world", "load_line", "their velocities at t_l")            \
  X(Vec6, prescribed_last, d.prescribed, far, "m/s, rad/s, world", "load_line", "at t_l + h")                          \
  X(Pose, prescribed_pose, d.prescribed, far, "m, 1, rad", "load_line", "where they are at t_l")                       \
  X(Vec6, prescribed_rate, d.prescribed, far, "m/s, rad/s; m/s^2, rad/s^2", "begin, next, initialise",                 \
    "what rows have of them: their velocities, or their accelerations in a stage")                                     \
  X(PrescribedHalf, prescribed_half, (d.rows() + d.joint_rows) * (d.prescribed > 0), far, "1, m", "next",              \
    "of rows of J, then of N'")                                                                                        \
  X(Vec6, inv_mass, d.movers, far, "1/kg, 1/(kg m^2)", "load_masses", "diagonal of A^-1; 0 for locked freedoms")       \
  X(Vec6, momentum, d.movers, far, "N s, N m s", "load_momentum", "r; 0 for locked freedoms")                          \
  X(Vec6, applied, d.movers, far, "N s, N m s", "load_momentum", "h k; 0 for locked freedoms")                         \
  X(Vec6, free_momentum, d.movers* d.has_adhesion, far, "N s, N m s", "begin", "r without adhesion")                   \
  X(Vec3, gyroscopic, d.movers, far, "N m s", "load_momentum", "gyroscopic impulses, body axes")                       \
  X(std::uint64_t, kept_state, state_words(d), far, "", "keep_state", "the state before a divided step")               \
  X(Vec6, free_velocity, d.movers, far, "m/s, rad/s", "write_free_motion, assemble_coupled", "v0")                     \
  X(double, operands, d.evaluations() * d.operands, far, "", "load, load_momentum, record_outcomes",                   \
    "of expressions, those of a mover or outcome together")                                                            \
  X(double, shared_number, d.shared_numbers, far, "", "load", "numbers used by several parameters")                    \
  X(Block, block, d.blocks(), far, "1, N s", "next", "blocks of the mixed LCP")                                        \
  X(ConstraintRow, row, d.rows(), far, "1, m", "next", "rows of J")                                                    \
  X(double, row_bias, d.rows(), far, "m/s", "next", "b_n and b_t; a column -d has -b_t")                               \
  X(double, row_impulse, d.rows(), far, "N s", "solve", "p = (c_n, beta of d minus that of -d)")                       \
  X(double, row_pull, d.rows() * d.has_adhesion, far, "N s", "next", "h a of normals, which their c_n is less by")     \
  X(double, delassus, d.rows() * d.rows(), far, "1/kg", "form_delassus, assemble_coupled", "J P J'")                   \
  X(double, row_speed, d.rows(), far, "m/s", "solve", "row . v + bias at the last velocities")                         \
  X(double, block_response, d.blocks(), far, "1/kg", "write_free_motion, assemble_coupled", "n' A^-1 n of each block") \
  X(double, block_scale, d.blocks(), far, "sqrt(kg)", "write_free_motion, assemble_coupled",                           \
    "s of each block, a power of two")                                                                                 \
  X(Mode, mode, d.blocks(), far, "1", "next, solve", "of each block: in the step before; in the answer")               \
  X(Mode, next_mode, d.blocks(), far, "1", "solve", "modes that will be tried next")                                   \
  X(double, kept_z, d.lcp_size() * d.has_modes(), far, "N s, m/s", "solve", "Lemke's answer")                          \
  X(ModeEquations, mode_equations, d.blocks() * d.has_modes(), far, "1, m, m/s, N s",                                  \
    "solve_regularised, solve_modes", "the linear system of the modes")                                                \
  X(Vec6, root_inv_mass, d.movers, far, "1/sqrt(kg), ...", "load_masses", "square roots of inv_mass")                  \
  X(MatrixBand, band, d.movers* d.has_modes(), far, "1", "find_bands", "blocks in which each block row has entries")   \
  X(double, mode_velocity, d.mode_velocities(), far, "sqrt(kg) m/s; N s", "solve_regularised, solve_modes",            \
    "u = sqrt(A) v; of coupled bodies the impulses of rows of J")                                                      \
  X(double, mode_change, d.mode_unknowns(), far, "sqrt(kg) m/s; m/s, N s", "solve_regularised, solve_modes",           \
    "right side and solution of the linear system")                                                                    \
  X(double, mode_matrix, (d.mode_unknowns() * d.mode_unknowns()), far, "1, 1/kg", "solve_regularised, solve_modes",    \
    "its matrix, and the factors")                                                                                     \
  X(int, mode_unknown, d.is_coupled() * d.mode_unknowns(), far, "1", "solve_regularised",                              \
    "block and equation of each unknown")                                                                              \
  X(int, mode_unknowns, d.is_coupled() * d.has_modes(), far, "1", "solve_regularised", "how many there are")           \
  X(int, first_unknown, d.is_coupled() * d.has_modes() * d.blocks(), far, "1", "solve_regularised", "of each block")   \
  X(int, base_row, d.is_coupled() * d.mode_velocities(), far, "1", "write_base_responses",                             \
    "rows on which modes rest, three for each block; -1: none")                                                        \
  X(double, base_response, d.is_coupled() * d.mode_velocities() * d.mode_velocities(), far, "1/kg",                    \
    "write_base_responses", "J P J' of the rows on which modes rest")                                                  \
  X(int, islands, 1, far, "1", "find_islands", "how many there are")                                                   \
  X(Island, island, d.movers, far, "1", "find_islands", "parts of the mixed LCP that do not touch each other")         \
  X(int, tied_to, d.movers, far, "1", "find_islands", "a lower mover of the same island, or itself")                   \
  X(int, island_of, d.movers, far, "1", "find_islands", "of each mover with a block")                                  \
  X(int, local_mover, d.movers, far, "1", "find_islands", "its number in the island")                                  \
  X(int, island_mover, d.movers, far, "1", "find_islands", "movers, island after island")                              \
  X(int, island_block, d.blocks(), far, "1", "find_islands", "blocks, island after island")                            \
  X(MoverBlocks, mover_blocks, d.movers, far, "1", "find_islands", "where the blocks of each mover are listed")        \
  X(int, mover_block, 2 * d.blocks(), far, "1", "find_islands", "blocks, mover after mover")                           \
  X(BlockVariables, block_variables, d.blocks(), far, "1", "find_islands", "where the variables of a block are")       \
  X(LcpVariable, variable, d.lcp_size(), far, "1", "number_lcp", "origin of each variable of the LCP")                 \
  X(double, lcp_vector, d.lcp_size(), far, "m/s, N s", "number_lcp", "q")                                              \
  X(std::int16_t, pivot_path, pivot_path_size(d.lcp_size()), far, "1", "solve", "the leaving variable of each pivot")  \
  X(ConstraintRow, joint_row, d.equations(), far, "1, m", "next", "rows of N'")                                        \
  X(double, joint_bias, d.equations(), far, "m/s", "next", "s")                                                        \
  X(JointRows, rows_of_joint, d.equation_groups(), far, "1", "next", "of each joint, then of those that are stiff")    \
  X(double, turned_response, 72 * d.equation_groups(), far, "1/kg", "assemble_coupled",                                \
    "A^-1 N, joint after joint, turned")                                                                               \
  X(double, mass_matrix, d.velocities() * d.velocities() * d.has_mass_matrix, far, "kg", "next",                       \
    "A, if not diagonal; that of I for locked freedoms")                                                               \
  X(double, mass_factors, d.velocities() * d.velocities() * d.has_mass_matrix, far, "kg", "assemble_coupled",          \
    "LU of A")                                                                                                         \
  X(double, joint_factors, d.equations() * room_for_sixes(d.equations()), far, "1/kg", "assemble_coupled",             \
    "L' or LU of N' A^-1 N")                                                                                           \
  X(double, joint_pivot, d.equations(), far, "1/kg", "assemble_coupled", "D, if A is diagonal")                        \
  X(double, response, d.has_mass_matrix* d.rows() * d.velocities(), far, "1/kg", "assemble_coupled",                   \
    "P J', column after column, if A is not diagonal")                                                                 \
  X(double, lu_scale, d.is_coupled() * (d.velocities() + round_up_to_six(d.equations())), far, "1",                    \
    "assemble_coupled", "of both")                                                                                     \
  X(int, orders, d.is_coupled() * (2 * d.velocities() + 3 * d.equations()), far, "1", "assemble_coupled",              \
    "of rows and columns")                                                                                             \
  X(double, joint_column, d.equations() * d.joint_columns(), far, "sqrt(kg) m/s", "assemble_coupled",                  \
    "Y = L^-1 S N' A^-1 J' if A is diagonal")                                                                          \
  X(double, joint_quotient, d.equations() * d.joint_columns(), far, "sqrt(kg) m/s", "assemble_coupled", "D^-1 Y")      \
  X(double, lane_memory, d.working_lanes() * d.lane_numbers(), far, "", "assemble_coupled, write_velocities",          \
    "working memory of the lanes")                                                                                     \
  X(double, joint_impulse, d.equations(), far, "N s, N m s", "write_velocities, write_joint_impulses",                 \
    "c_nu; 0 for redundant rows")                                                                                      \
  X(double, untied_velocity, d.velocities() * (d.joint_rows > 0 || d.has_spin_friction), far, "m/s, rad/s",            \
    "write_velocities, write_joint_impulses", "A^-1 (r + J'p): v without the impulses of joints")                      \
  X(int, coupled_rows, 3 * d.is_coupled(), far, "1", "assemble_coupled", "how many J and N' have, and groups of N'")   \
  X(int, joint_rank, (d.joint_rows > 0), far, "1", "assemble_coupled", "independent rows of N'")                       \
  X(double, softness, d.stiff_rows, far, "1/kg", "next", "D^-1 of the rows of N' behind those of the joints")          \
  X(int, stiff, 2 * (d.stiff_rows > 0), far, "1", "next", "how many such rows there are, and groups of them")          \
  X(JointBlockRows, joint_block, d.joints, far, "1", "next", "rows of the blocks of each joint")                       \
  X(int, listed_limits, d.joints, far, "1", "begin, take", "limits that are in the LCP: bits as lower_limit")          \
  X(double, row_restitution, d.rows() * d.has_impacts, far, "1", "next", "e of normals, e_t of tangents")              \
  X(double, compression_impulse, d.rows() * d.has_impacts, far, "N s", "take", "p^c")                                  \
  X(double, compression_reaction, d.joint_rows* d.has_impacts, far, "N s, N m s", "take", "c_nu of the compression")   \
  X(Vec6, start_velocity, d.movers* d.has_stages, far, "m/s, rad/s", "begin", "v_l, while velocity is a stage's")      \
  X(Vec6, stage_rate, d.moving() * d.has_stages, far, "m/s, rad/s", "begin, take",                                     \
    "y' of the last stage: of movers, then of bodies with prescribed motion")                                          \
  X(Vec6, way, d.moving() * d.has_stages, far, "m, rad", "begin, take",                                                \
    "y of q_{l+1} = q_l (+) y so far, of the same")                                                                    \
  X(Vec6, prescribed_start, d.prescribed* d.has_stages, far, "m/s, rad/s", "begin", "their velocities at q_l")         \
  X(Vec3, stage_push, d.contacts* d.has_stages, far, "N s, world", "take", "of each contact, for records")             \
  X(Vec6, stage_wrench, d.bodies* d.has_stages, far, "N s, N m s", "take",                                             \
    "of contacts on each body, moments in the axes of the body, for records")                                          \
  X(Vec3, stage_given, d.prescribed* d.has_stages, far, "N s, world", "take", "the impulses that they give")           \
  X(Vec6, velocity_change, d.movers* d.has_stages, far, "m/s, rad/s", "begin, take", "v_{l+1} - v_l of the stages")    \
  X(double, stage_impulse, d.rows() * d.has_stages, far, "N s", "take", "p of the stages")                             \
  X(double, held_impulse, d.rows() * d.has_stages, far, "N s", "take",                                                 \
    "the same of rows that hold at the end, else 0")                                                                   \
  X(double, stage_reaction, d.joint_rows* d.has_stages, far, "N s, N m s", "take", "of joints, of the stages")         \
  X(double, sliding_speed, d.joint_bounds* d.has_stages, far, "m/s, rad/s", "begin", "of frictions and motors")        \
  X(double, sliding_force, d.joint_bounds* d.has_stages, far, "N, N m", "begin",                                       \
    "of frictions and motors that slide; else 0")                                                                      \
  X(Mode, mode_before, d.contacts* d.has_transitions, far, "1", "take", "of each contact, in the step before")         \
  X(BasisEquation, basis_equation, d.basis_equations(), far, "1, 1/kg", "take", "what those modes ask for")            \
  X(double, basis_matrix, (d.basis_equations() * d.basis_equations()), far, "1/kg", "take", "of them, then its LU")    \
  X(double, basis_scale, d.basis_equations(), far, "1", "take", "of that LU")                                          \
  X(int, basis_order, 2 * d.basis_equations(), far, "1", "take", "of its rows and columns")                            \
  X(double, basis_sum, d.basis_equations(), far, "1", "take", "working memory of its solution")                        \
  X(double, basis_defect, d.basis_equations(), far, "m/s", "take", "-R v - b")                                         \
  X(double, basis_change, d.basis_equations(), far, "N s", "take", "of the impulses in a proximal step")               \
  X(double, basis_impulse, d.basis_equations(), far, "N s", "take", "impulses of the modes before")                    \
  X(double, basis_speed, d.rows() * d.has_transitions, far, "m/s", "take", "row . v + bias with these impulses")       \
  X(int, is_shared, d.contacts* d.records_contacts, far, "1", "record", "of each contact: impulse is not unique")      \
  X(double, span_basis, (d.span_size() * (d.span_size() + 1)), far, "1/sqrt(kg)", "record",                            \
    "independent columns of impulses, at right angles")                                                                \
  X(double, span_factor, (d.span_size() * (d.span_size() + 1)), far, "1", "record", "their triangular factor")         \
  X(double, span_part, d.span_size(), far, "1", "record", "parts of a column along the basis")                         \
  X(double, span_inverse, d.span_size(), far, "kg", "record", "inverse square of each column of the basis")            \
  X(double, span_square, d.span_size(), far, "1/kg", "record", "square of each column of impulses")                    \
  X(int, span_owner, d.span_size(), far, "1", "record", "whose each column of the basis is")                           \
  X(ConeEquation, cone_equation, d.cone_equations(), far, "sqrt(kg) m/s", "solve", "of the circular cone")             \
  X(int, cone_first, d.blocks() * d.has_circular_cone, far, "1", "solve", "first equation of each block")              \
  X(int, cone_count, 1 * d.has_circular_cone, far, "1", "solve", "equations of the island")                            \
  X(int, cone_steps, 1 * d.has_circular_cone, far, "1", "solve", "Newton steps of the last island")                    \
  X(double, cone_matrix, d.cone_equations() * (d.cone_equations() + 1), far, "1", "solve",                             \
    "of a Newton step, and its right side")                                                                            \
  X(ConeGenerator, generator, d.generators(), near, "1", "pointedness", "generators of the friction cones")            \
  X(double, generator_numbers, d.has_pointedness*(2 * d.generators() + d.velocities()), near, "", "pointedness",       \
    "weights of the generators, scales, and the velocity that they give")                                              \
  X(double, scale, d.lcp_size(), near, "sqrt(kg)", "number_lcp", "S, powers of two")                                   \
  X(double, z, d.lcp_size(), near, "N s, m/s", "solve", "(beta, c_n, lambda)")                                         \
  X(double, lemke_vectors, LemkeWorkspace::sizes(d.largest_lcp()).vectors, near, "", "solve", "of Lemke's method")     \
  X(int, lemke_ints, LemkeWorkspace::sizes(d.largest_lcp()).ints, near, "", "solve", "of Lemke's method")              \
  X(double, lemke_cells, LemkeWorkspace::sizes(d.largest_lcp()).cells, cells, "", "solve", "Lemke's dictionary")

/// Where the fields of a workspace lie, the same for all teams of a launch.
struct WorkspaceLayout {
#define JOSTLE_MEMBER(type, name, extent, memory, unit, writer, meaning) std::size_t name = 0;
  JOSTLE_WORKSPACE(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  std::size_t near = 0, cells = 0, far = 0;  ///< bytes of a team
  int contacts = 0, rows = 0;                ///< capacity; a row of the Delassus matrix has `rows` numbers
  int alternating = 1;                       ///< teams whose elements alternate in the far memory

  WorkspaceLayout() = default;
#define JOSTLE_PLACE(type, name, extent, memory, unit, writer, meaning) \
  name = memory##_teams * memory;                                       \
  memory += round_up(sizeof(type) * static_cast<std::size_t>(extent), memory##_alignment);
  JOSTLE_HD explicit WorkspaceLayout(const Dimensions& d, int teams = 1)
      : contacts(d.contacts), rows(d.rows()), alternating(teams) {
    const std::size_t near_teams = 1, cells_teams = 1, far_teams = static_cast<std::size_t>(teams);
    JOSTLE_WORKSPACE(JOSTLE_PLACE)
  }
#undef JOSTLE_PLACE

  /// Data read by whole vector registers begin on a cache line.
  static constexpr std::size_t near_alignment = 64, cells_alignment = 64, far_alignment = 8;
};

namespace detail {

/// The number of a team among those whose elements alternate; empty if it is alone.
template <int Step>
struct TeamNumber {
  int own_number = 0;
  JOSTLE_HD int value() const { return own_number; }
};
template <>
struct TeamNumber<1> {
  TeamNumber() = default;
  JOSTLE_HD explicit TeamNumber(int) {}
  JOSTLE_HD static int value() { return 0; }
};

}  // namespace detail

/// The memory of a team, as a few base addresses: `work.name(i)` is an element of a field, `work.name()` the whole
/// field. In the far memory, elements of `Step` teams alternate. `SystemTraits`: for
/// which code (traits.hpp).
template <class SystemTraits, int Step>
class WorkspaceView : private detail::TeamNumber<Step> {
 public:
  using Traits = SystemTraits;
  static constexpr bool is_coupled = Traits::is_coupled, has_cones = Traits::has_cones,
                        has_impacts = Traits::has_impacts, has_records = Traits::has_records,
                        has_wrenches = Traits::has_wrenches;

  WorkspaceView() = default;
  /// Each holds what the layout says, the far memory `Step` times as much; `near` and `cells` are aligned to 64.
  /// `number`: of the team among those whose elements alternate. The layout must outlive the view.
  JOSTLE_HD WorkspaceView(const WorkspaceLayout& layout, std::byte* near, std::byte* cells, std::byte* far,
                          int number = 0)
      : detail::TeamNumber<Step>{number}, layout_(&layout), near_(near), cells_(cells), far_(far) {}

  /// The same memory for other code.
  template <class Other>
  JOSTLE_HD WorkspaceView<Other, Step> as() const {
    return {*layout_, near_, cells_, far_, this->value()};
  }

  static constexpr int step = Step;
  JOSTLE_HD int contacts() const { return layout_->contacts; }
  JOSTLE_HD int rows() const { return layout_->rows; }

#define JOSTLE_ACCESS(type, name, extent, memory, unit, writer, meaning)      \
  JOSTLE_HD auto name() const { return memory##_field<type>(layout_->name); } \
  JOSTLE_HD type& name(int i) const { return name()[i]; }
  JOSTLE_WORKSPACE(JOSTLE_ACCESS)
#undef JOSTLE_ACCESS

 private:
  template <class T>
  JOSTLE_HD T* near_field(std::size_t offset) const {
    return reinterpret_cast<T*>(near_ + offset);
  }
  template <class T>
  JOSTLE_HD T* cells_field(std::size_t offset) const {
    return reinterpret_cast<T*>(cells_ + offset);
  }
  template <class T>
  JOSTLE_HD Span<T, Step> far_field(std::size_t offset) const {
    return {reinterpret_cast<T*>(far_ + offset) + this->value()};
  }

  const WorkspaceLayout* layout_ = nullptr;
  std::byte *near_ = nullptr, *cells_ = nullptr, *far_ = nullptr;
};

/// The workspace of a CPU, and of teams that are large enough to read whole lines of their own.
using Workspace = WorkspaceView<AllSystems, 1>;

template <class Work>
concept AnyWorkspace = std::same_as<Work, WorkspaceView<typename Work::Traits, Work::step>>;

}  // namespace jostle
