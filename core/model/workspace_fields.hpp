#pragma once
// The only list of the fields of a workspace, room by room:
//
//   X(type, name, extent, memory, unit, writers, readers, meaning)    written by its own room, too
//
// `extent` is an expression of the Dimensions `d`, and of a scalar as in fields.hpp. Every pivot uses the `near` fields
// and the `cells` of the dictionary: on a GPU they lie in shared memory or registers if they fit. Writers and readers
// are rooms of core/; that hand a field to a function of another room count, too. Tests find who is not listed.

#define JOSTLE_DYNAMICS_FIELDS(X)                                                                                   \
  X(Pose, pose, d.bodies, far, "m, 1, rad", "", "prescribed contacts stages events accelerations methods", "q_l")   \
  X(Pose, predicted_pose, d.bodies, far, "m, 1, rad", "accelerations",                                              \
    "prescribed contacts joints stages events methods records", "q^")                                               \
  X(Pose, next_pose, d.bodies, far, "m, 1, rad", "stages events methods", "contacts joints", "q_{l+1}")             \
  X(PlacedShape, placed, d.shapes, far, "m, 1", "accelerations", "contacts stages events methods", "shapes at q^")  \
  X(Vec6, velocity, d.movers, far, "m/s, rad/s", "stages accelerations", "contacts joints events methods records",  \
    "v_l of the bodies that impulses move; 0 for locked freedoms")                                                  \
  X(Vec6, predicted_velocity, d.movers, far, "m/s, rad/s", "stages methods", "contacts",                            \
    "u, which leads to q^; trapezoidal: the mean")                                                                  \
  X(Vec6, inv_mass, d.movers, far, "1/kg, 1/(kg m^2)", "", "assembly cone stages", "diagonal of A^-1; 0: locked")   \
  X(Vec6, root_inv_mass, d.movers, far, "1/sqrt(kg), ...", "", "guess cone stages records", "roots of inv_mass")    \
  X(double, mass_matrix, d.velocities() * d.velocities() * d.has_mass_matrix, far, "kg", "", "assembly cone",       \
    "A, if not diagonal; that of I for locked freedoms")                                                            \
  X(Vec6, momentum, d.movers, far, "N s, N m s", "contacts events accelerations methods", "assembly guess stages",  \
    "r; 0 for locked freedoms")                                                                                     \
  X(Vec6, applied, d.movers, far, "N s, N m s", "events accelerations methods", "contacts stages records", "h k")   \
  X(Vec3, gyroscopic, d.movers, far, "N m s", "events accelerations methods", "stages records",                     \
    "its impulse, body axes")                                                                                       \
  X(double, operands, d.evaluations() * d.operands, far, "", "prescribed joints stages accelerations records step", \
    "", "of expressions, those of a mover or outcome together")

#define JOSTLE_PRESCRIBED_FIELDS(X)                                                                                  \
  X(Vec6, prescribed_velocity, d.prescribed, far, "m/s, rad/s", "stages events accelerations",                       \
    "dynamics contacts methods", "of bodies with prescribed motion")                                                 \
  X(Vec6, prescribed_first, d.prescribed, far, "m/s, rad/s, world", "", "", "their velocities at t_l")               \
  X(Vec6, prescribed_last, d.prescribed, far, "m/s, rad/s, world", "", "", "at t_l + h")                             \
  X(Pose, prescribed_pose, d.prescribed, far, "m, 1, rad", "", "", "where they are at t_l")                          \
  X(Vec6, prescribed_rate, d.prescribed, far, "m/s, rad/s; m/s^2, rad/s^2", "contacts stages events",                \
    "dynamics accelerations methods", "what rows have of them: their velocities, or their accelerations in a stage") \
  X(PrescribedHalf, prescribed_half, (d.rows() + d.equations()) * (d.prescribed > 0), far, "1, m", "",               \
    "stages methods", "of rows of J, then of N'")

#define JOSTLE_CONTACTS_FIELDS(X)                                                                               \
  X(FeatureSet, listed, d.pages, far, "1", "events", "methods", "feature pairs that are contacts of the step")  \
  X(FeatureSet, missed, d.pages, far, "1", "methods", "",                                                       \
    "that should have been contacts; trapezoidal: that are open")                                               \
  X(FeatureSet, filtered, d.pages* d.has_filter, far, "1", "", "stages events records",                         \
    "listed, but left out of the LCP as redundant")                                                             \
  X(FeatureSet, ungrouped, d.pages* d.has_filter, far, "1", "", "", "of which this is still to be found out")   \
  X(FeatureSet, found, d.pages* d.searches_whole_pairs, far, "1", "", "", "of pairs that are searched whole")   \
  X(int, page_first, d.page_slots, far, "1", "", "stages",                                                      \
    "the first feature pair of each page of a sparse pair; -1: it is free")                                     \
  X(int, lacks_pages, 1 * (d.page_slots > 0), far, "1", "", "", "whether a pair needs more of them")            \
  X(int, filtered_contacts, 1, far, "1", "", "records", "how many are left out")                                \
  X(int, first_contact, d.pairs + 1, far, "1", "", "stages events records", "of each pair; last, their number") \
  X(int, resting_contacts, 1, far, "1", "", "", "contacts of islands at rest, which have no number")            \
  X(int, leaves_out, 1, far, "1", "events", "", "whether islands at rest are left out")                         \
  X(int, rest_island, d.resting_movers(), far, "1", "", "stages",                                               \
    "of each mover: the island at rest to which it belongs, as in the state; 0: it moves, or may")              \
  X(Contact, contact, d.contacts, far, "m, 1", "", "assembly stages events accelerations methods records",      \
    "frames of the contacts at q^")                                                                             \
  X(double, row_pull, d.rows() * d.has_adhesion, far, "N s", "methods", "", "h a of normals, in their c_n")

#define JOSTLE_JOINTS_FIELDS(X)                                                                                       \
  X(ConstraintRow, joint_row, d.equations(), far, "1, m", "", "assembly stages events methods accelerations records", \
    "rows of N'")                                                                                                     \
  X(double, joint_bias, d.equations(), far, "m/s", "stages methods", "assembly", "s")                                 \
  X(double, joint_opening, d.joint_rows, far, "m, 1", "", "assembly", "Theta of loops at q^; 0 of other joints")      \
  X(double, joint_rounding, d.joint_rows, far, "m/s", "", "assembly", "rounding errors of s of loops; 0 of others")   \
  X(JointRows, rows_of_joint, d.equation_groups(), far, "1", "", "assembly", "of each joint, then the stiff ones")    \
  X(double, softness, d.stiff_rows, far, "1/kg", "", "assembly", "D^-1 of the rows of N' behind those of the joints") \
  X(int, used_stiff_rows, 1 * (d.stiff_rows > 0), far, "1", "", "", "how many such rows there are")                   \
  X(int, used_stiff_groups, 1 * (d.stiff_rows > 0), far, "1", "", "", "and groups of them")                           \
  X(int, stiff_joint, d.equation_groups() - d.joints, far, "1", "", "", "the joint of each group")                    \
  X(JointBlockRows, joint_block, d.joints, far, "1", "events", "stages accelerations methods records",                \
    "rows of the blocks of each joint")                                                                               \
  X(int, listed_limits, d.joints, far, "1", "events accelerations", "", "limits in the LCP: bits as lower_limit")

// Of no single room, the mixed LCP and its answer first of all.
#define JOSTLE_SHARED_FIELDS(X)                                                                                        \
  X(Vec6, next_velocity, d.movers, far, "m/s, rad/s", "assembly stages events methods",                                \
    "dynamics contacts joints accelerations records", "v of the last solution")                                        \
  X(PlacedShape, next_placed, d.shapes, far, "m, 1", "stages events methods", "contacts", "shapes at q_{l+1}")         \
  X(Vec6, free_momentum, d.movers* d.has_adhesion, far, "N s, N m s", "methods", "", "r without adhesion")             \
  X(double, shared_number, d.shared_numbers, far, "", "step", "", "numbers used by several parameters")                \
  X(Block, block, d.blocks(), far, "1, N s", "contacts joints events accelerations",                                   \
    "assembly guess cone stages methods records", "blocks of the mixed LCP")                                           \
  X(ConstraintRow, row, d.rows(), far, "1, m", "contacts joints",                                                      \
    "assembly guess cone stages events accelerations methods records", "rows of J")                                    \
  X(double, row_bias, d.rows(), far, "m/s", "contacts joints stages events accelerations methods",                     \
    "assembly guess records", "b_n and b_t; a column -d has -b_t")                                                     \
  X(double, row_impulse, d.rows(), far, "N s", "assembly cone events accelerations methods",                           \
    "contacts joints guess stages records", "p = (c_n, beta of d minus that of -d)")                                   \
  X(double, row_speed, d.rows(), far, "m/s", "assembly guess stages", "cone records", "row . v + bias, at the end")    \
  X(double, joint_impulse, d.equations(), far, "N s, N m s", "assembly events methods", "joints stages accelerations", \
    "c_nu; 0 for redundant rows")                                                                                      \
  X(Mode, mode, d.blocks(), far, "1", "contacts joints guess events stages", "methods",                                \
    "in the step before; in the answer")                                                                               \
  X(int, ends_slip, d.contacts* d.has_impacts, far, "1", "methods", "events records",                                  \
    "trapezoidal: 1 for contacts whose friction is applied to the slip at the end of the piece")                       \
  X(double, z, d.lcp_size(), near, "N s, m/s", "guess stages", "assembly records", "(beta, c_n, lambda)")

#define JOSTLE_ASSEMBLY_FIELDS(X)                                                                                      \
  X(int, islands, 1, far, "1", "", "cone stages records batch", "how many there are")                                  \
  X(Island, island, d.movers, far, "1", "stages", "cone records batch", "parts that do not touch each other")          \
  X(int, tied_to, d.movers, far, "1", "methods", "", "a lower mover of the same island, or itself")                    \
  X(int, island_of, d.movers, far, "1", "", "stages records", "of each mover with a block")                            \
  X(int, local_mover, d.movers, far, "1", "", "guess records", "its number in the island")                             \
  X(int, island_mover, d.movers, far, "1", "", "guess cone stages", "movers, island after island")                     \
  X(int, island_block, d.blocks(), far, "1", "", "guess cone stages records", "blocks, island after island")           \
  X(MoverBlocks, mover_blocks, d.movers, far, "1", "", "guess stages", "where the blocks of each mover are listed")    \
  X(int, mover_block, 2 * d.blocks(), far, "1", "", "guess", "blocks, mover after mover")                              \
  X(BlockVariables, block_variables, d.blocks(), far, "1", "", "guess", "where the variables of a block are")          \
  X(Vec6, free_velocity, d.movers, far, "m/s, rad/s", "", "guess stages events", "v0")                                 \
  X(double, velocity_without_joints, d.velocities() * (d.joint_rows > 0 || d.has_moments()), far, "m/s, rad/s",        \
    "stages", "", "A^-1 (r + J'p): v without the impulses of joints")                                                  \
  X(double, delassus, d.rows() * d.rows(), far, "1/kg", "guess", "cone", "J P J'")                                     \
  X(double, block_response, d.blocks(), far, "1/kg", "", "guess stages", "n' A^-1 n of each block")                    \
  X(double, block_scale, d.blocks(), far, "sqrt(kg)", "", "guess cone events", "s of each block, a power of two")      \
  X(LcpVariable, variable, d.lcp_size(), far, "1", "", "records", "origin of each variable of the LCP")                \
  X(double, lcp_vector, d.lcp_size(), far, "m/s, N s", "guess stages", "", "q")                                        \
  X(double, scale, d.lcp_size(), near, "sqrt(kg)", "", "stages", "S, powers of two")                                   \
  X(double, transposed_response, 72 * d.equation_groups(), far, "1/kg", "", "", "A^-1 N, joint after joint, turned")   \
  X(double, mass_factors, d.velocities() * d.velocities() * d.has_mass_matrix, far, "kg", "", "", "LU of A")           \
  X(double, joint_factors, d.equations() * room_for_sixes(d.equations()), far, "1/kg", "", "", "L' or LU, N'A^-1 N")   \
  X(double, joint_pivot, d.equations(), far, "1/kg", "", "", "D, if A is diagonal")                                    \
  X(double, response, d.has_mass_matrix* d.rows() * d.velocities(), far, "1/kg", "", "", "P J', if A is not diagonal") \
  X(double, lu_scale, d.is_coupled() * (d.velocities() + round_up_to_six(d.equations())), far, "1", "", "", "of both") \
  X(int, orders, d.is_coupled() * d.factor_orders(), far, "1", "", "", "of rows and columns, and parts of matrices")   \
  X(int, factor_rank, 1 * d.is_coupled(), far, "1", "", "", "of the last LU")                                          \
  X(int, joint_rank, 1 * (d.joint_rows > 0), far, "1", "", "", "independent rows of N'")                               \
  X(double, joint_dependence, 1 * (d.joint_rows > 0), far, "1", "", "stages step",                                     \
    "pivots up to which rows are dependent")                                                                           \
  X(double, joint_column, d.equations() * d.joint_columns(), far, "sqrt(kg) m/s", "", "", "Y = L^-1 S N' A^-1 J'")     \
  X(double, joint_quotient, d.equations() * d.joint_columns(), far, "sqrt(kg) m/s", "", "", "D^-1 Y")                  \
  X(double, lane_memory, d.working_lanes() * d.lane_numbers(), far, "", "", "", "working memory of the lanes")         \
  X(int, used_rows, 1 * d.is_coupled(), far, "1", "", "", "how many J has")                                            \
  X(int, used_joint_rows, 1 * d.is_coupled(), far, "1", "", "methods", "how many N' has")                              \
  X(int, used_groups, 1 * d.is_coupled(), far, "1", "", "joints", "groups of them that have the same bodies")

#define JOSTLE_GUESS_FIELDS(X)                                                                                       \
  X(Mode, next_mode, d.blocks(), far, "1", "methods", "", "to be tried next; trapezoidal: of pressed contacts")      \
  X(Mode, first_mode, d.blocks() * d.has_modes(), far, "1", "", "",                                                  \
    "of the first guess; then of sweeps; after Lemke, of a correction")                                              \
  X(ModeEquations, mode_equations, d.blocks() * d.has_modes() * !d.is_coupled(), far, "1, m, m/s, N s", "", "",      \
    "the linear system of the modes")                                                                                \
  X(CoupledEquations, coupled_equations, d.blocks() * d.has_modes() * d.is_coupled(), far, "1, m, m/s, N s", "", "", \
    "that of coupled bodies")                                                                                        \
  X(Vec3, proximal_impulse, d.blocks() * d.has_modes(), far, "N s", "", "", "centre of a proximal LCP: n, t1, t2")   \
  X(MatrixBand, band, d.movers* d.has_modes(), far, "1", "", "", "blocks in which each block row has entries")       \
  X(double, mode_velocity, d.velocities() * d.has_modes() * !d.is_coupled(), far, "sqrt(kg) m/s", "", "",            \
    "u = sqrt(A) v")                                                                                                 \
  X(double, mode_change, d.mode_unknowns(), far, "sqrt(kg) m/s; m/s, N s", "", "", "right side, and solution")       \
  X(double, mode_matrix, d.mode_unknowns() * d.mode_unknowns(), far, "1, 1/kg", "", "", "matrix and factors")        \
  X(int, mode_unknown, d.is_coupled() * d.mode_unknowns(), far, "1", "", "", "block and equation of each unknown")   \
  X(int, mode_unknowns, 1 * d.is_coupled() * d.has_modes(), far, "1", "", "", "how many there are")                  \
  X(int, first_unknown, d.is_coupled() * d.has_modes() * d.blocks(), far, "1", "", "", "of each block")              \
  X(int, mode_row, d.mode_rows(), far, "1", "", "", "rows on which modes rest, three places a block; -1: none")      \
  X(double, mode_row_impulse, d.mode_rows(), far, "N s", "", "", "of these rows")                                    \
  X(double, mode_row_response, d.mode_rows() * d.mode_rows(), far, "1/kg", "", "", "J P J' of these rows")

#define JOSTLE_CONE_FIELDS(X)                                                                                 \
  X(ConeEquation, cone_equation, d.cone_equations(), far, "sqrt(kg) m/s", "", "", "of the circular cone")     \
  X(int, cone_first, d.blocks() * d.has_circular_cone, far, "1", "", "", "first equation of each block")      \
  X(int, cone_count, 1 * d.has_circular_cone, far, "1", "", "", "equations of the island")                    \
  X(double, cone_matrix, d.cone_equations() * (d.cone_equations() + 1), far, "1", "", "", "of a Newton step") \
  X(ConeGenerator, generator, d.generators(), near, "1", "", "", "generators of the friction cones")          \
  X(double, generator_numbers, d.has_pointedness*(2 * d.generators() + d.velocities()), near, "", "", "",     \
    "weights of the generators, scales, and the velocity that they give")

#define JOSTLE_STAGES_FIELDS(X)                                                                                       \
  X(std::uint64_t, kept_state, state_words(d), far, "", "", "", "the state before a divided step")                    \
  X(Overlap, overlap, d.blocks(), far, "m/s", "", "", "of each block, where overlaps are held")                       \
  X(double, joint_stress, d.equations(), far, "N s, N m s", "", "",                                                   \
    "impulses of joints that balance those along a ray of Lemke's method")                                            \
  X(double, kept_z, d.lcp_size() * d.has_modes(), far, "N s, m/s", "", "", "Lemke's answer")                          \
  X(int, cone_steps, 1 * d.has_circular_cone, far, "1", "", "", "Newton steps of the last island")                    \
  X(std::int16_t, pivot_path, pivot_path_size(d.lcp_size()), far, "1", "", "", "the leaving variable of each pivot")  \
  X(double, lemke_vectors, LemkeWorkspace::sizes(d.largest_lcp()).vectors, near, "", "", "cone", "of Lemke's method") \
  X(int, lemke_ints, LemkeWorkspace::sizes(d.largest_lcp()).ints, near, "", "", "cone", "of Lemke's method")          \
  X(double, lemke_cells, LemkeWorkspace::sizes(d.largest_lcp()).cells, cells, "", "", "cone", "Lemke's dictionary")

#define JOSTLE_EVENTS_FIELDS(X)                                                                                       \
  X(int, stands, d.movers* d.has_impacts, far, "1", "methods", "stages",                                              \
    "trapezoidal: 1 for movers of islands that the piece does not move")                                              \
  X(FeatureSet, held, d.pages* d.has_impacts, far, "1", "", "", "listed, that hold at the start of a way")            \
  X(double, row_restitution, d.rows() * d.has_impacts, far, "1", "", "", "e of normals, e_t of tangents")             \
  X(double, compression_impulse, d.rows() * d.has_impacts, far, "N s", "", "", "p^c")                                 \
  X(double, compression_reaction, d.joint_rows* d.has_impacts, far, "N s, N m s", "", "", "c_nu of the compression")  \
  X(Mode, mode_before, d.contacts* d.has_transitions, far, "1", "", "methods", "of each contact, in the step before") \
  X(int, counts, d.contacts* d.has_transitions, far, "1", "", "",                                                     \
    "of each contact, a sum: what of it counts in a search (Counts)")

#define JOSTLE_ACCELERATIONS_FIELDS(X)                                                                                 \
  X(Vec6, start_velocity, d.movers* d.has_stages, far, "m/s, rad/s", "", "", "v_l, while velocity is a stage's")       \
  X(Vec6, stage_rate, d.moving() * d.has_stages, far, "m/s, rad/s", "", "",                                            \
    "y' of the last stage: of movers, then of bodies with prescribed motion")                                          \
  X(Vec6, way, d.moving() * d.has_stages, far, "m, rad", "", "events", "y of q_{l+1} = q_l (+) y so far, of the same") \
  X(Vec6, prescribed_start, d.prescribed* d.has_stages, far, "m/s, rad/s", "", "stages events",                        \
    "their velocities at q_l")                                                                                         \
  X(Vec3, stage_push, d.contacts* d.has_stages, far, "N s, world", "", "records", "of each contact, for records")      \
  X(Vec6, stage_wrench, d.bodies* d.has_stages, far, "N s, N m s", "", "stages",                                       \
    "of contacts on each body, moments in the axes of the body, for records")                                          \
  X(Vec3, stage_given, d.prescribed* d.has_stages, far, "N s, world", "", "stages", "the impulses that they give")     \
  X(Vec6, velocity_change, d.movers* d.has_stages, far, "m/s, rad/s", "", "", "v_{l+1} - v_l of the stages")           \
  X(double, stage_impulse, d.rows() * d.has_stages, far, "N s", "", "", "p of the stages")                             \
  X(double, held_impulse, d.rows() * d.has_stages, far, "N s", "", "events", "of rows that hold at the end, else 0")   \
  X(double, stage_reaction, d.joint_rows* d.has_stages, far, "N s, N m s", "", "", "of joints, of the stages")         \
  X(double, stage_joint_wrench, d.wrenches() * d.has_stages, far, "N s, N m s, world", "", "joints",                   \
    "of joints on their second bodies")                                                                                \
  X(double, sliding_speed, d.joint_bounds* d.has_stages, far, "m/s, rad/s", "", "", "of frictions and motors")         \
  X(double, sliding_force, d.joint_bounds* d.has_stages, far, "N, N m", "", "", "of those that slide; else 0")

#define JOSTLE_RECORDS_FIELDS(X)                                                                                   \
  X(int, is_shared, d.contacts* d.records_contacts, far, "1", "", "", "of each contact: impulse is not unique")    \
  X(double, span_basis, d.span_size() * (d.span_size() + 1), far, "1/sqrt(kg)", "", "", "columns at right angles") \
  X(double, span_factor, d.span_size() * (d.span_size() + 1), far, "1", "", "", "their triangular factor")         \
  X(double, span_part, d.span_size(), far, "1", "", "", "parts of a column along the basis")                       \
  X(double, span_inverse, d.span_size(), far, "kg", "", "", "inverse square of each column of the basis")          \
  X(double, span_square, d.span_size(), far, "1/kg", "", "", "square of each column of impulses")                  \
  X(int, span_owner, d.span_size(), far, "1", "", "", "whose each column of the basis is")

#define JOSTLE_WORKSPACE(X)   \
  JOSTLE_DYNAMICS_FIELDS(X)   \
  JOSTLE_PRESCRIBED_FIELDS(X) \
  JOSTLE_CONTACTS_FIELDS(X)   \
  JOSTLE_JOINTS_FIELDS(X)     \
  JOSTLE_SHARED_FIELDS(X)     \
  JOSTLE_ASSEMBLY_FIELDS(X)   \
  JOSTLE_GUESS_FIELDS(X)      \
  JOSTLE_CONE_FIELDS(X)       \
  JOSTLE_STAGES_FIELDS(X) JOSTLE_EVENTS_FIELDS(X) JOSTLE_ACCELERATIONS_FIELDS(X) JOSTLE_RECORDS_FIELDS(X)
