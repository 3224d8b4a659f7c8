#pragma once
// The numbers that determine every size.
#include "core/config.hpp"
#include "core/math/six.hpp"
#include "core/problem/cone.hpp"

namespace jostle {

/// Directions of the friction of a ball joint, and as many opposite ones.
inline constexpr int ball_directions = 13;

/// The rows of J of a contact: n, the first half of D, the spin about n, rolling along the first half of D.
struct RowsOfContact {
  int normal, tangent, spin, roll;
};

/// Those that a model is given; others follow from its arrays and its method.
struct GivenDimensions {
  int variables = 0;
  int directions = 8;                 ///< k, friction directions of a contact
  int rims = 0;                       ///< cylinders that may stand on a cap, or carry something on it
  int frames = 0;                     ///< bodies that have a frame of their own
  bool records_contacts = false;      ///< records have contacts (core/records)
  bool has_contact_tallies = true;    ///< impulses and contacts of each body are added up
  bool has_pointedness = false;       ///< that of the friction cones is computed in every step
  bool has_spin_friction = false;     ///< contacts resist to a spin about their normal: a row and a block of each
  bool has_rolling_friction = false;  ///< ... and to rolling: half as many rows as directions, and a block of each
  bool has_adhesion = false;          ///< some contacts carry a pull
  bool has_joint_wrenches = false;    ///< impulses of some joint are kept as vectors
  bool has_contact_wrenches = false;  ///< and those of the contacts of each body
  bool has_impact_shares = false;     ///< of impulses, what is of impacts is kept as well
};

struct Dimensions : GivenDimensions {
  int bodies = 0;
  int movers = 0;      ///< bodies that impulses move
  int prescribed = 0;  ///< bodies with prescribed motion
  int shapes = 0;
  int pairs = 0;
  int pages = 0;       ///< of feature pairs, of all pairs
  int page_slots = 0;  ///< pages whose first feature pairs follow from the poses
  bool searches_whole_pairs = false;
  int corners = 0;       ///< of polygons
  int bulges = 0;        ///< of the edges of polygons with arcs
  int hull_numbers = 0;  ///< those of the corners and faces of hulls that are not the same in all samples
  bool has_shared_hulls = false;
  int modes = 0;  ///< of contacts, that the state keeps
  int outcomes = 0;
  int operands = 0;         ///< the most that an expression needs, with their rates if the method has stages
  int shared_numbers = 0;   ///< used by several parameters
  int contacts = 0;         ///< capacity of the working memory, in contacts of one problem
  int island_contacts = 0;  ///< capacity of Lemke's memory, in contacts of one island; 0: the same
  int joints = 0;           ///< that tie bodies
  int joint_rows = 0;       ///< rows of N', their equations
  int joint_bounds = 0;     ///< frictions and motors of joints: blocks with a given bound
  int joint_limits = 0;     ///< joints with limits: two blocks each
  int speed_limits = 0;     ///< of joints: one block each
  int ball_frictions = 0;   ///< ball joints with friction: a block of ball_directions rows each
  int springs = 0;
  int force_points = 0;            ///< forces that act at a point of their body
  int blows = 0;                   ///< external impulses at given times
  int recorded_quantities = 0;     ///< that a record asks for
  bool has_plain_method = true;    ///< the method is that of plain systems
  bool has_impacts = false;        ///< the method has collisions
  bool has_mass_matrix = false;    ///< A is a full matrix, as with implicit springs
  bool has_armature = false;       ///< rotors of drives add to the inertia of the coordinates of joints
  bool has_far_forces = false;     ///< forces depend on other bodies or on joints, or act on two bodies
  bool has_stages = false;         ///< the method has stages that solve for accelerations
  bool keeps_hops = false;         ///< contacts without impulse that open slowly stay in the step (contact_sums.hpp)
  bool keeps_slow_hops = false;    ///< ... only below the threshold of impacts, and without restitution
  bool has_transitions = false;    ///< steps are divided where contacts begin to slip, stick or open
  bool has_circular_cone = false;  ///< friction is bounded by Coulomb's circle; the polygon is where its answer starts
  bool has_friction_axes = false;  ///< friction of some contacts depends on the direction
  bool has_filter = false;         ///< redundant contacts of some pairs may be left out (contacts/filter.hpp)
  bool has_counts = false;         ///< outcomes know how many values they have
  bool has_joint_loops = false;    ///< joints close a loop of bodies
  /// That of joints (joints/geometric_stiffness.hpp) divides steps with stages; else they have further rows of N'.
  bool has_geometric_stiffness = false;
  int stiff_rows = 0;  ///< the most of these

  JOSTLE_HD int spins() const { return has_spin_friction ? 1 : 0; }
  JOSTLE_HD int rolls() const { return has_rolling_friction ? 1 : 0; }
  JOSTLE_HD bool has_moments() const { return has_spin_friction || has_rolling_friction; }
  JOSTLE_HD int rows_per_contact() const { return 1 + directions / 2 + spins() + rolls() * (directions / 2); }
  JOSTLE_HD int blocks_per_contact() const { return 1 + spins() + rolls(); }
  /// Every method writes contact c as block c, and its rows one after the other. The blocks of spin friction,
  /// then those of rolling friction, follow those of all contacts; then come blocks and rows of joints, in one order,
  /// that of their friction and motors first.
  JOSTLE_HD RowsOfContact contact_rows(int c) const {
    const int first = c * rows_per_contact();
    const int spin = first + 1 + directions / 2;
    return {first, first + 1, spin, spin + spins()};
  }
  JOSTLE_HD int contact_rows_end(int of_contacts) const { return of_contacts * rows_per_contact(); }
  JOSTLE_HD int contact_blocks_end(int of_contacts) const { return of_contacts * blocks_per_contact(); }
  /// The block of friction or motor number b, whose row is this one.
  JOSTLE_HD int bound_block(int b, int row) const { return contact_blocks_end((row - b) / rows_per_contact()) + b; }
  JOSTLE_HD int variables_per_contact() const { return directions + 2 + 3 * spins() + rolls() * (directions + 1); }
  /// The first of the blocks, and of the rows, of joints (write_joint_blocks): friction and motors, then limits of
  /// speeds where all are listed.
  JOSTLE_HD int joint_speeds() const { return joint_bounds + speed_limits; }
  /// Blocks of joints; each has one row, but for those of ball joints.
  JOSTLE_HD int joint_blocks() const { return joint_speeds() + 2 * joint_limits + ball_frictions; }
  JOSTLE_HD int blocks() const { return contacts * blocks_per_contact() + joint_blocks(); }
  JOSTLE_HD int rows() const {
    return contacts * rows_per_contact() + joint_blocks() + (ball_directions - 1) * ball_frictions;
  }
  JOSTLE_HD int lcp_size() const {
    return contacts * variables_per_contact() + 3 * joint_bounds + speed_limits + 2 * joint_limits +
           (2 * ball_directions + 1) * ball_frictions;
  }
  /// n of the largest island that Lemke's memory has room for.
  JOSTLE_HD int island_lcp_size() const {
    return lcp_size() - (island_contacts > 0 ? (contacts - island_contacts) * variables_per_contact() : 0);
  }
  JOSTLE_HD int velocities() const { return 6 * movers; }
  /// Bodies that are not fixed: movers, then those with prescribed motion.
  JOSTLE_HD int moving() const { return movers + prescribed; }

  /// Expressions that lanes evaluate at the same time.
  JOSTLE_HD int evaluations() const {
    int most = 1;
    for (const int count : {movers, prescribed, outcomes, joints}) most = count > most ? count : most;
    return most;
  }

  /// Numbers of the limits of speeds: two for every joint, if there are any.
  JOSTLE_HD int speed_bounds() const { return speed_limits > 0 ? 2 * joints : 0; }
  /// Numbers of joint_wrench: force and moment of each joint, world.
  JOSTLE_HD int wrenches() const { return has_joint_wrenches ? 6 * joints : 0; }
  /// Numbers of contact_wrench: force and moment of each body, world.
  JOSTLE_HD int pushes() const { return has_contact_wrenches ? 6 * bodies : 0; }
  JOSTLE_HD int impact_shares() const { return has_impact_shares ? 1 : 0; }
  JOSTLE_HD int tallied_bodies() const { return has_contact_tallies ? bodies : 0; }

  /// The most rows of N', and groups of them that have the same bodies.
  JOSTLE_HD int equations() const { return joint_rows + stiff_rows; }
  JOSTLE_HD int equation_groups() const { return stiff_rows > 0 ? 2 * joints : joints; }
  /// Integers of LU factors for each row (LuFactors::orders), and of those of a symmetric matrix (LdlFactors).
  static constexpr int lu_orders = 7, ldl_orders = 4;
  /// Integers of the factors of N' A^-1 N or, with a full matrix A, of both.
  JOSTLE_HD int factor_orders() const {
    return has_mass_matrix ? lu_orders * (velocities() + equations()) : ldl_orders * equations();
  }

  /// Whether bodies are coupled by more than the rows of J; J P J' is then a full matrix. So it is, for the sake of one
  /// code, with spin and rolling friction.
  JOSTLE_HD bool is_coupled() const { return joint_rows > 0 || has_mass_matrix || has_moments(); }
  /// Whether LCPs are answered by modes (core/guess), whose matrix grows with the square of the bodies. Transitions
  /// need it.
  JOSTLE_HD bool has_modes() const { return movers <= 64 || has_transitions; }
  /// The most unknowns of the linear system of modes; of coupled bodies, whose unknowns are impulses, three mode rows
  /// for every block.
  JOSTLE_HD int mode_unknowns() const {
    const int of_contact = 3 + spins() + 2 * rolls();
    return !has_modes() ? 0 : is_coupled() ? round_up_to_six(of_contact * contacts + joint_blocks()) : velocities();
  }
  JOSTLE_HD int mode_rows() const { return is_coupled() && has_modes() ? round_up_to_six(3 * blocks()) : 0; }
  /// Whether a problem may consist of several islands, none of which needs memory for all of its contacts.
  JOSTLE_HD bool has_islands() const { return !is_coupled() && !has_cones() && movers > 1; }
  /// Whether a step has more to do with friction cones than their polygons ask for (core/cone).
  JOSTLE_HD bool has_cones() const { return has_circular_cone || has_pointedness; }
  /// Whether a step needs no more than contacts under the method of Stewart and Trinkle, of shapes other than polygons
  /// and hulls.
  JOSTLE_HD bool is_plain() const {
    return has_plain_method && !is_coupled() && !has_cones() && !has_impacts && blows == 0 && !has_far_forces &&
           !has_friction_axes && !has_adhesion && corners == 0 && hull_numbers == 0 && !has_shared_hulls &&
           !has_contact_wrenches;
  }
  /// The most equations of a problem with the circular cone.
  JOSTLE_HD int cone_equations() const { return has_circular_cone ? 3 * contacts + joint_blocks() : 0; }
  /// The most generators of the friction cones.
  JOSTLE_HD int generators() const {
    if (!has_pointedness) return 0;
    return contacts * (has_circular_cone ? circle_generators : directions * (1 + spins())) + speed_limits +
           2 * joint_limits;
  }
  /// n of the largest LCP that Lemke's method gets.
  JOSTLE_HD int largest_lcp() const { return island_lcp_size() > generators() ? island_lcp_size() : generators(); }
  /// Movers whose islands may rest while others move (contacts/rest.hpp); one alone rests as the whole system does.
  /// None where something else than a contact may move a body at rest, or tallies come from another problem.
  JOSTLE_HD int resting_movers() const {
    if (movers < 2) return 0;
    const bool only_contacts = prescribed == 0 && springs == 0 && blows == 0 && !has_far_forces && !has_impacts &&
                               !has_cones() && !has_adhesion && !has_contact_wrenches;
    return has_modes() && !is_coupled() && only_contacts ? movers : 0;
  }
  /// Contacts at rest whose impulses the state keeps, for the tallies.
  JOSTLE_HD int resting_impulses() const { return has_contact_tallies && resting_movers() > 0 ? modes : 0; }
  /// Components of an island's velocity whose independent impulses are counted (core/records/redundancy.hpp).
  JOSTLE_HD int span_size() const { return records_contacts ? velocities() : 0; }
  /// Lanes of the assembly that have working memory, and the numbers of each.
  JOSTLE_HD int working_lanes() const { return has_mass_matrix ? rows() + equations() + 1 : is_coupled() ? 1 : 0; }
  JOSTLE_HD int lane_numbers() const { return 2 * velocities() + lane_sums() + 2 * equations(); }
  /// Of them, those for the solution of a linear system.
  JOSTLE_HD int lane_sums() const {
    return velocities() > round_up_to_six(equations()) ? velocities() : round_up_to_six(equations());
  }
  /// Columns of the equations of joints if A is diagonal: of all rows of J, or of three for every block; twelve at a
  /// time.
  JOSTLE_HD int joint_columns() const {
    const int most = rows() > 3 * blocks() ? rows() : 3 * blocks();
    return has_mass_matrix ? 0 : (most + 11) / 12 * 12;
  }
};

}  // namespace jostle
