#pragma once
// The only list of the fields of a workspace, room by room:
//
//   X(type, name, extent, memory, unit, writers, readers, meaning)
//
// `extent` is an expression of the Dimensions `d`, and of a scalar as in fields.hpp. Every pivot uses the `near` fields
// and the `cells` of the dictionary: on a GPU they lie in shared memory or registers if they fit. Writers and readers
// are rooms of core/; that hand a field to a function of another room count, too. Tests find who is not listed.

// The motion of bodies, their masses and forces.
#define JOSTLE_DYNAMICS_FIELDS(X)                                                                                     \
  X(Pose, pose, d.bodies, far, "m, 1, rad", "dynamics",                                                               \
    "prescribed contacts stages events accelerations methods records", "q_l")                                         \
  X(Pose, predicted_pose, d.bodies, far, "m, 1, rad", "dynamics accelerations",                                       \
    "prescribed contacts joints events methods records", "q^")                                                        \
  X(Pose, next_pose, d.bodies, far, "m, 1, rad", "dynamics stages events methods", "contacts joints", "q_{l+1}")      \
  X(PlacedShape, placed, d.shapes, far, "m, 1", "dynamics accelerations", "contacts events methods", "shapes at q^")  \
  X(PlacedShape, next_placed, d.shapes, far, "m, 1", "stages events methods", "contacts", "shapes at q_{l+1}")        \
  X(Vec6, velocity, d.movers, far, "m/s, rad/s", "dynamics stages accelerations",                                     \
    "contacts joints events methods records", "v_l of the bodies that impulses move; 0 for locked freedoms")          \
  X(Vec6, predicted_velocity, d.movers, far, "m/s, rad/s", "dynamics stages methods", "contacts",                     \
    "u, which leads to q^")                                                                                           \
  X(Vec6, next_velocity, d.movers, far, "m/s, rad/s", "assembly stages events methods",                               \
    "dynamics joints accelerations records", "v of the last solution")                                                \
  X(Vec6, inv_mass, d.movers, far, "1/kg, 1/(kg m^2)", "dynamics", "assembly cone events",                            \
    "diagonal of A^-1; 0 for locked freedoms")                                                                        \
  X(Vec6, root_inv_mass, d.movers, far, "1/sqrt(kg), ...", "dynamics", "guess cone stages records",                   \
    "square roots of inv_mass")                                                                                       \
  X(double, mass_matrix, d.velocities() * d.velocities() * d.has_mass_matrix, far, "kg", "dynamics", "assembly cone", \
    "A, if not diagonal; that of I for locked freedoms")                                                              \
  X(Vec6, momentum, d.movers, far, "N s, N m s", "dynamics contacts events accelerations methods",                    \
    "assembly guess stages", "r; 0 for locked freedoms")                                                              \
  X(Vec6, applied, d.movers, far, "N s, N m s", "dynamics events accelerations methods", "contacts stages records",   \
    "h k; 0 for locked freedoms")                                                                                     \
  X(Vec6, free_momentum, d.movers* d.has_adhesion, far, "N s, N m s", "methods", "", "r without adhesion")            \
  X(Vec3, gyroscopic, d.movers, far, "N m s", "dynamics events accelerations methods", "stages records",              \
    "gyroscopic impulses, body axes")                                                                                 \
  X(double, operands, d.evaluations() * d.operands, far, "",                                                          \
    "dynamics prescribed joints stages accelerations records step", "",                                               \
    "of expressions, those of a mover or outcome together")

// Bodies with prescribed motion.
#define JOSTLE_PRESCRIBED_FIELDS(X)                                                                                  \
  X(Vec6, prescribed_velocity, d.prescribed, far, "m/s, rad/s", "prescribed stages events accelerations",            \
    "dynamics methods", "of bodies with prescribed motion")                                                          \
  X(Vec6, prescribed_first, d.prescribed, far, "m/s, rad/s, world", "prescribed", "", "their velocities at t_l")     \
  X(Vec6, prescribed_last, d.prescribed, far, "m/s, rad/s, world", "prescribed", "", "at t_l + h")                   \
  X(Pose, prescribed_pose, d.prescribed, far, "m, 1, rad", "prescribed", "", "where they are at t_l")                \
  X(Vec6, prescribed_rate, d.prescribed, far, "m/s, rad/s; m/s^2, rad/s^2", "prescribed stages events",              \
    "dynamics accelerations methods", "what rows have of them: their velocities, or their accelerations in a stage") \
  X(PrescribedHalf, prescribed_half, (d.rows() + d.joint_rows) * (d.prescribed > 0), far, "1, m", "prescribed",      \
    "stages methods", "of rows of J, then of N'")

// Which contacts a step has.
#define JOSTLE_CONTACTS_FIELDS(X)                                                                                  \
  X(FeatureSet, listed, d.pages, far, "1", "contacts events", "methods",                                           \
    "feature pairs that are contacts of the step")                                                                 \
  X(FeatureSet, missed, d.pages, far, "1", "contacts methods", "", "feature pairs that should have been contacts") \
  X(FeatureSet, held, d.pages* d.has_impacts, far, "1", "events", "",                                              \
    "listed contacts that hold at the start of a way")                                                             \
  X(int, first_contact, d.pairs + 1, far, "1", "contacts", "stages events records",                                \
    "of each pair; at the end the number of contacts")                                                             \
  X(int, resting_contacts, 1, far, "1", "contacts", "", "contacts of islands at rest, which have no number")       \
  X(int, leaves_out, 1, far, "1", "contacts events", "", "whether islands at rest are left out")                   \
  X(int, rest_island, d.resting_movers(), far, "1", "contacts", "stages",                                          \
    "of each mover: the island at rest to which it belongs, as in the state; 0: it moves, or may")                 \
  X(Contact, contact, d.contacts, far, "m, 1", "contacts", "assembly stages events accelerations methods records", \
    "frames of the contacts at q^")                                                                                \
  X(double, row_pull, d.rows() * d.has_adhesion, far, "N s", "contacts methods", "",                               \
    "h a of normals, which their c_n is less by")

// Joints.
#define JOSTLE_JOINTS_FIELDS(X)                                                                               \
  X(ConstraintRow, joint_row, d.equations(), far, "1, m", "joints", "assembly events accelerations records",  \
    "rows of N'")                                                                                             \
  X(double, joint_bias, d.equations(), far, "m/s", "joints methods", "assembly", "s")                         \
  X(JointRows, rows_of_joint, d.equation_groups(), far, "1", "joints", "assembly",                            \
    "of each joint, then of those that are stiff")                                                            \
  X(double, softness, d.stiff_rows, far, "1/kg", "joints", "assembly",                                        \
    "D^-1 of the rows of N' behind those of the joints")                                                      \
  X(int, used_stiff_rows, 1 * (d.stiff_rows > 0), far, "1", "joints", "", "how many such rows there are")     \
  X(int, used_stiff_groups, 1 * (d.stiff_rows > 0), far, "1", "joints", "", "and groups of them")             \
  X(JointBlockRows, joint_block, d.joints, far, "1", "joints events", "stages accelerations methods records", \
    "rows of the blocks of each joint")                                                                       \
  X(int, listed_limits, d.joints, far, "1", "joints events accelerations", "",                                \
    "limits that are in the LCP: bits as lower_limit")

// The mixed LCP that a method writes, and its answer.
#define JOSTLE_PROBLEM_FIELDS(X)                                                                                       \
  X(Block, block, d.blocks(), far, "1, N s", "contacts joints events accelerations",                                   \
    "assembly guess cone stages methods records", "blocks of the mixed LCP")                                           \
  X(ConstraintRow, row, d.rows(), far, "1, m", "contacts joints",                                                      \
    "assembly guess cone stages events accelerations methods records", "rows of J")                                    \
  X(double, row_bias, d.rows(), far, "m/s", "contacts joints stages events accelerations methods",                     \
    "assembly guess records", "b_n and b_t; a column -d has -b_t")                                                     \
  X(double, row_impulse, d.rows(), far, "N s", "assembly cone events accelerations methods",                           \
    "joints guess stages records", "p = (c_n, beta of d minus that of -d)")                                            \
  X(double, row_speed, d.rows(), far, "m/s", "assembly guess stages", "cone records",                                  \
    "row . v + bias at the last velocities")                                                                           \
  X(double, joint_impulse, d.equations(), far, "N s, N m s", "assembly events methods", "joints stages accelerations", \
    "c_nu; 0 for redundant rows")                                                                                      \
  X(Mode, mode, d.blocks(), far, "1", "contacts joints guess events", "methods",                                       \
    "of each block: in the step before; in the answer")                                                                \
  X(double, z, d.lcp_size(), near, "N s, m/s", "guess stages", "assembly records", "(beta, c_n, lambda)")

// Islands, the Schur complement and the LCP.
#define JOSTLE_ASSEMBLY_FIELDS(X)                                                                                      \
  X(int, islands, 1, far, "1", "assembly", "cone stages records batch", "how many there are")                          \
  X(Island, island, d.movers, far, "1", "assembly stages", "cone records batch",                                       \
    "parts of the mixed LCP that do not touch each other")                                                             \
  X(int, tied_to, d.movers, far, "1", "assembly", "", "a lower mover of the same island, or itself")                   \
  X(int, island_of, d.movers, far, "1", "assembly", "stages records", "of each mover with a block")                    \
  X(int, local_mover, d.movers, far, "1", "assembly", "guess records", "its number in the island")                     \
  X(int, island_mover, d.movers, far, "1", "assembly", "guess cone stages", "movers, island after island")             \
  X(int, island_block, d.blocks(), far, "1", "assembly", "guess cone stages records", "blocks, island after island")   \
  X(MoverBlocks, mover_blocks, d.movers, far, "1", "assembly", "guess stages",                                         \
    "where the blocks of each mover are listed")                                                                       \
  X(int, mover_block, 2 * d.blocks(), far, "1", "assembly", "guess", "blocks, mover after mover")                      \
  X(BlockVariables, block_variables, d.blocks(), far, "1", "assembly", "guess", "where the variables of a block are")  \
  X(Vec6, free_velocity, d.movers, far, "m/s, rad/s", "assembly", "guess stages events", "v0")                         \
  X(double, untied_velocity, d.velocities() * (d.joint_rows > 0 || d.has_spin_friction), far, "m/s, rad/s",            \
    "assembly", "", "A^-1 (r + J'p): v without the impulses of joints")                                                \
  X(double, delassus, d.rows() * d.rows(), far, "1/kg", "assembly guess", "cone events", "J P J'")                     \
  X(double, block_response, d.blocks(), far, "1/kg", "assembly", "guess", "n' A^-1 n of each block")                   \
  X(double, block_scale, d.blocks(), far, "sqrt(kg)", "assembly", "guess cone events",                                 \
    "s of each block, a power of two")                                                                                 \
  X(LcpVariable, variable, d.lcp_size(), far, "1", "assembly", "records", "origin of each variable of the LCP")        \
  X(double, lcp_vector, d.lcp_size(), far, "m/s, N s", "assembly guess stages", "", "q")                               \
  X(double, scale, d.lcp_size(), near, "sqrt(kg)", "assembly", "stages", "S, powers of two")                           \
  X(double, turned_response, 72 * d.equation_groups(), far, "1/kg", "assembly", "",                                    \
    "A^-1 N, joint after joint, turned")                                                                               \
  X(double, mass_factors, d.velocities() * d.velocities() * d.has_mass_matrix, far, "kg", "assembly", "", "LU of A")   \
  X(double, joint_factors, d.equations() * room_for_sixes(d.equations()), far, "1/kg", "assembly", "",                 \
    "L' or LU of N' A^-1 N")                                                                                           \
  X(double, joint_pivot, d.equations(), far, "1/kg", "assembly", "", "D, if A is diagonal")                            \
  X(double, response, d.has_mass_matrix* d.rows() * d.velocities(), far, "1/kg", "assembly", "",                       \
    "P J', column after column, if A is not diagonal")                                                                 \
  X(double, lu_scale, d.is_coupled() * (d.velocities() + round_up_to_six(d.equations())), far, "1", "assembly", "",    \
    "of both")                                                                                                         \
  X(int, orders, d.is_coupled() * (2 * d.velocities() + 3 * d.equations()), far, "1", "assembly", "",                  \
    "of rows and columns")                                                                                             \
  X(int, factor_rank, 1 * (d.is_coupled() || d.has_transitions), far, "1", "assembly", "events",                       \
    "of the matrix that has been factorised last")                                                                     \
  X(int, joint_rank, 1 * (d.joint_rows > 0), far, "1", "assembly", "", "independent rows of N'")                       \
  X(double, joint_column, d.equations() * d.joint_columns(), far, "sqrt(kg) m/s", "assembly", "",                      \
    "Y = L^-1 S N' A^-1 J' if A is diagonal")                                                                          \
  X(double, joint_quotient, d.equations() * d.joint_columns(), far, "sqrt(kg) m/s", "assembly", "", "D^-1 Y")          \
  X(double, lane_memory, d.working_lanes() * d.lane_numbers(), far, "", "assembly", "", "working memory of the lanes") \
  X(int, used_rows, 1 * d.is_coupled(), far, "1", "assembly", "", "how many J has")                                    \
  X(int, used_joint_rows, 1 * d.is_coupled(), far, "1", "assembly", "", "how many N' has")                             \
  X(int, used_groups, 1 * d.is_coupled(), far, "1", "assembly", "", "groups of them that have the same bodies")

// The linear system of modes.
#define JOSTLE_GUESS_FIELDS(X)                                                                                        \
  X(Mode, next_mode, d.blocks(), far, "1", "guess methods", "", "modes that will be tried next")                      \
  X(ModeEquations, mode_equations, d.blocks() * d.has_modes() * !d.is_coupled(), far, "1, m, m/s, N s", "guess", "",  \
    "the linear system of the modes")                                                                                 \
  X(CoupledEquations, coupled_equations, d.blocks() * d.has_modes() * d.is_coupled(), far, "1, m, m/s, N s", "guess", \
    "", "that of coupled bodies")                                                                                     \
  X(Vec3, proximal_impulse, d.blocks() * d.has_modes(), far, "N s", "guess", "",                                      \
    "centre of a proximal LCP: along the normal and the tangents")                                                    \
  X(MatrixBand, band, d.movers* d.has_modes(), far, "1", "guess", "", "blocks in which each block row has entries")   \
  X(double, mode_velocity, d.velocities() * d.has_modes() * !d.is_coupled(), far, "sqrt(kg) m/s", "guess", "",        \
    "u = sqrt(A) v")                                                                                                  \
  X(double, mode_change, d.mode_unknowns(), far, "sqrt(kg) m/s; m/s, N s", "guess", "",                               \
    "right side and solution of the linear system")                                                                   \
  X(double, mode_matrix, (d.mode_unknowns() * d.mode_unknowns()), far, "1, 1/kg", "guess", "",                        \
    "its matrix, and the factors")                                                                                    \
  X(int, mode_unknown, d.is_coupled() * d.mode_unknowns(), far, "1", "guess", "",                                     \
    "block and equation of each unknown")                                                                             \
  X(int, mode_unknowns, 1 * d.is_coupled() * d.has_modes(), far, "1", "guess", "", "how many there are")              \
  X(int, first_unknown, d.is_coupled() * d.has_modes() * d.blocks(), far, "1", "guess", "", "of each block")          \
  X(int, base_row, d.base_rows(), far, "1", "guess", "", "rows on which modes rest, three for each block; -1: none")  \
  X(double, base_impulse, d.base_rows(), far, "N s", "guess", "", "of these rows")                                    \
  X(double, base_response, d.base_rows() * d.base_rows(), far, "1/kg", "guess", "", "J P J' of these rows")

// The circular cone, and pointedness.
#define JOSTLE_CONE_FIELDS(X)                                                                                 \
  X(ConeEquation, cone_equation, d.cone_equations(), far, "sqrt(kg) m/s", "cone", "", "of the circular cone") \
  X(int, cone_first, d.blocks() * d.has_circular_cone, far, "1", "cone", "", "first equation of each block")  \
  X(int, cone_count, 1 * d.has_circular_cone, far, "1", "cone", "", "equations of the island")                \
  X(double, cone_matrix, d.cone_equations() * (d.cone_equations() + 1), far, "1", "cone", "",                 \
    "of a Newton step, and its right side")                                                                   \
  X(ConeGenerator, generator, d.generators(), near, "1", "cone", "", "generators of the friction cones")      \
  X(double, generator_numbers, d.has_pointedness*(2 * d.generators() + d.velocities()), near, "", "cone", "", \
    "weights of the generators, scales, and the velocity that they give")

// The solution of a problem, and what a step keeps.
#define JOSTLE_STAGES_FIELDS(X)                                                                                    \
  X(double, shared_number, d.shared_numbers, far, "", "step", "", "numbers used by several parameters")            \
  X(std::uint64_t, kept_state, state_words(d), far, "", "stages", "", "the state before a divided step")           \
  X(double, kept_z, d.lcp_size() * d.has_modes(), far, "N s, m/s", "stages", "", "Lemke's answer")                 \
  X(int, cone_steps, 1 * d.has_circular_cone, far, "1", "stages", "", "Newton steps of the last island")           \
  X(std::int16_t, pivot_path, pivot_path_size(d.lcp_size()), far, "1", "stages", "",                               \
    "the leaving variable of each pivot")                                                                          \
  X(double, lemke_vectors, LemkeWorkspace::sizes(d.largest_lcp()).vectors, near, "", "stages", "cone",             \
    "of Lemke's method")                                                                                           \
  X(int, lemke_ints, LemkeWorkspace::sizes(d.largest_lcp()).ints, near, "", "stages", "cone", "of Lemke's method") \
  X(double, lemke_cells, LemkeWorkspace::sizes(d.largest_lcp()).cells, cells, "", "stages", "cone",                \
    "Lemke's dictionary")

// Impacts and transitions.
#define JOSTLE_EVENTS_FIELDS(X)                                                                                   \
  X(double, row_restitution, d.rows() * d.has_impacts, far, "1", "events", "", "e of normals, e_t of tangents")   \
  X(double, compression_impulse, d.rows() * d.has_impacts, far, "N s", "events", "", "p^c")                       \
  X(double, compression_reaction, d.joint_rows* d.has_impacts, far, "N s, N m s", "events", "",                   \
    "c_nu of the compression")                                                                                    \
  X(Mode, mode_before, d.contacts* d.has_transitions, far, "1", "events", "methods",                              \
    "of each contact, in the step before")                                                                        \
  X(BasisEquation, basis_equation, d.basis_equations(), far, "1, 1/kg", "events", "", "what those modes ask for") \
  X(double, basis_matrix, (d.basis_equations() * d.basis_equations()), far, "1/kg", "events", "",                 \
    "of them, then its LU")                                                                                       \
  X(double, basis_scale, d.basis_equations(), far, "1", "events", "", "of that LU")                               \
  X(int, basis_order, 2 * d.basis_equations(), far, "1", "events", "", "of its rows and columns")                 \
  X(double, basis_sum, d.basis_equations(), far, "1", "events", "", "working memory of its solution")             \
  X(double, basis_defect, d.basis_equations(), far, "m/s", "events", "", "-R v - b")                              \
  X(double, basis_change, d.basis_equations(), far, "N s", "events", "", "of the impulses in a proximal step")    \
  X(double, basis_impulse, d.basis_equations(), far, "N s", "events", "methods", "impulses of the modes before")  \
  X(double, basis_speed, d.rows() * d.has_transitions, far, "m/s", "events", "", "row . v + bias with these impulses")

// Stages of a Runge-Kutta step.
#define JOSTLE_ACCELERATIONS_FIELDS(X)                                                                  \
  X(Vec6, start_velocity, d.movers* d.has_stages, far, "m/s, rad/s", "accelerations", "",               \
    "v_l, while velocity is a stage's")                                                                 \
  X(Vec6, stage_rate, d.moving() * d.has_stages, far, "m/s, rad/s", "accelerations", "",                \
    "y' of the last stage: of movers, then of bodies with prescribed motion")                           \
  X(Vec6, way, d.moving() * d.has_stages, far, "m, rad", "accelerations", "",                           \
    "y of q_{l+1} = q_l (+) y so far, of the same")                                                     \
  X(Vec6, prescribed_start, d.prescribed* d.has_stages, far, "m/s, rad/s", "accelerations", "",         \
    "their velocities at q_l")                                                                          \
  X(Vec3, stage_push, d.contacts* d.has_stages, far, "N s, world", "accelerations", "records",          \
    "of each contact, for records")                                                                     \
  X(Vec6, stage_wrench, d.bodies* d.has_stages, far, "N s, N m s", "accelerations", "records",          \
    "of contacts on each body, moments in the axes of the body, for records")                           \
  X(Vec3, stage_given, d.prescribed* d.has_stages, far, "N s, world", "accelerations", "stages",        \
    "the impulses that they give")                                                                      \
  X(Vec6, velocity_change, d.movers* d.has_stages, far, "m/s, rad/s", "accelerations", "",              \
    "v_{l+1} - v_l of the stages")                                                                      \
  X(double, stage_impulse, d.rows() * d.has_stages, far, "N s", "accelerations", "", "p of the stages") \
  X(double, held_impulse, d.rows() * d.has_stages, far, "N s", "accelerations", "",                     \
    "the same of rows that hold at the end, else 0")                                                    \
  X(double, stage_reaction, d.joint_rows* d.has_stages, far, "N s, N m s", "accelerations", "",         \
    "of joints, of the stages")                                                                         \
  X(double, sliding_speed, d.joint_bounds* d.has_stages, far, "m/s, rad/s", "accelerations", "",        \
    "of frictions and motors")                                                                          \
  X(double, sliding_force, d.joint_bounds* d.has_stages, far, "N, N m", "accelerations", "",            \
    "of frictions and motors that slide; else 0")

// Which impulses are unique.
#define JOSTLE_RECORDS_FIELDS(X)                                                                                       \
  X(int, is_shared, d.contacts* d.records_contacts, far, "1", "records", "", "of each contact: impulse is not unique") \
  X(double, span_basis, (d.span_size() * (d.span_size() + 1)), far, "1/sqrt(kg)", "records", "",                       \
    "independent columns of impulses, at right angles")                                                                \
  X(double, span_factor, (d.span_size() * (d.span_size() + 1)), far, "1", "records", "", "their triangular factor")    \
  X(double, span_part, d.span_size(), far, "1", "records", "", "parts of a column along the basis")                    \
  X(double, span_inverse, d.span_size(), far, "kg", "records", "", "inverse square of each column of the basis")       \
  X(double, span_square, d.span_size(), far, "1/kg", "records", "", "square of each column of impulses")               \
  X(int, span_owner, d.span_size(), far, "1", "records", "", "whose each column of the basis is")

#define JOSTLE_WORKSPACE(X)                                                                      \
  JOSTLE_DYNAMICS_FIELDS(X)                                                                      \
  JOSTLE_PRESCRIBED_FIELDS(X)                                                                    \
  JOSTLE_CONTACTS_FIELDS(X)                                                                      \
  JOSTLE_JOINTS_FIELDS(X)                                                                        \
  JOSTLE_PROBLEM_FIELDS(X)                                                                       \
  JOSTLE_ASSEMBLY_FIELDS(X) JOSTLE_GUESS_FIELDS(X) JOSTLE_CONE_FIELDS(X) JOSTLE_STAGES_FIELDS(X) \
      JOSTLE_EVENTS_FIELDS(X) JOSTLE_ACCELERATIONS_FIELDS(X) JOSTLE_RECORDS_FIELDS(X)
