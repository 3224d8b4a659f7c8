#pragma once
// What one team needs while it steps one system: shared memory on a GPU, one buffer per thread on a CPU.
// Nothing here outlives a step.
#include "core/assembly/mixed_lcp.hpp"
#include "core/lcp/workspace.hpp"
#include "core/math/rotation.hpp"
#include "core/model/fields.hpp"

namespace jostle {

struct Pose {
  Vec3 position;
  Quaternion orientation;
  Real angle;  ///< planar bodies
  Mat3 axes;   ///< body to world
};

/// A feature pair in the LCP of this step.
struct Contact {
  int pair;
  int feature;
  Real gap;  ///< Phi(q^), m
  Vec3 normal;
  Vec3 tangent_1;
  Vec3 tangent_2;
  Vec3 arm_a;  ///< from the centre of mass of a, m
  Vec3 arm_b;
};

/// What acts on a body.
struct Wrench {
  Vec3 force;   ///< N, world
  Vec3 torque;  ///< N m, body axes
};

// X(type, name, extent): extents with the Dimensions `d`.
#define JOSTLE_WORKSPACE(X)                                       \
  X(Pose, pose, d.bodies)                                         \
  X(Pose, predicted_pose, d.bodies)                               \
  X(Pose, next_pose, d.bodies)                                    \
  X(PlacedShape, placed, d.shapes)                                \
  X(PlacedShape, next_placed, d.shapes)                           \
  X(FeatureSet, listed, d.pairs)                                  \
  X(FeatureSet, missed, d.pairs)                                  \
  X(int, first_contact, d.pairs + 1)                              \
  X(Contact, contact, d.contacts)                                 \
  X(ContactBlock, block, d.contacts)                              \
  X(Wrench, external_force, d.bodies)                             \
  X(Real, velocity, d.freedoms)                                   \
  X(Real, predicted_velocity, d.freedoms)                         \
  X(Real, next_velocity, d.freedoms)                              \
  X(Real, inv_mass, d.freedoms)                                   \
  X(Real, momentum, d.freedoms)                                   \
  X(Real, free_velocity, d.freedoms)                              \
  X(Real, contact_rows, d.rows() * d.freedoms)                    \
  X(Real, response, d.rows() * d.freedoms)                        \
  X(Real, row_bias, d.rows())                                     \
  X(Real, row_impulse, d.rows())                                  \
  X(Real, delassus, d.rows() * d.rows())                          \
  X(Real, block_scale, d.contacts)                                \
  X(Real, lane_memory, (d.rows() + 1) * 2 * d.freedoms)           \
  X(int, orders, 2 * d.freedoms)                                  \
  X(LcpVariable, variables, d.lcp_size())                         \
  X(Real, lcp_matrix, d.lcp_size() * d.lcp_size())                \
  X(Real, lcp_vector, d.lcp_size())                               \
  X(Real, scale, d.lcp_size())                                    \
  X(Real, z, d.lcp_size())                                        \
  X(Real, lemke_reals, LemkeWorkspace::sizes(d.lcp_size()).reals) \
  X(int, lemke_ints, LemkeWorkspace::sizes(d.lcp_size()).ints)

/// Every array begins on a cache line.
JOSTLE_HD constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

struct Workspace {
#define JOSTLE_MEMBER(type, name, extent) type* name = nullptr;
  JOSTLE_WORKSPACE(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  int contacts = 0;  ///< capacity

#define JOSTLE_BYTES(type, name, extent) bytes += aligned_bytes(sizeof(type) * static_cast<std::size_t>(extent));
  JOSTLE_HD static std::size_t bytes(const Dimensions& d) {
    std::size_t bytes = 0;
    JOSTLE_WORKSPACE(JOSTLE_BYTES)
    return bytes;
  }
#undef JOSTLE_BYTES

#define JOSTLE_PLACE(type, name, extent)       \
  work.name = reinterpret_cast<type*>(memory); \
  memory += aligned_bytes(sizeof(type) * static_cast<std::size_t>(extent));
  /// `memory` holds bytes(d), aligned to 64.
  JOSTLE_HD static Workspace carve(const Dimensions& d, std::byte* memory) {
    Workspace work;
    work.contacts = d.contacts;
    JOSTLE_WORKSPACE(JOSTLE_PLACE)
    return work;
  }
#undef JOSTLE_PLACE
};

}  // namespace jostle
