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
  double angle;  ///< planar bodies
  Mat3 axes;     ///< body to world
};

/// A feature pair in the LCP of this step.
struct Contact {
  int pair;
  int feature;
  double gap;  ///< Phi(q^), m
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

/// Pivots of an LCP that are kept to be looked at, twice what most need and more.
JOSTLE_HD constexpr int pivot_path_size(int lcp_size) { return 2 * lcp_size + 32; }

// X(type, name, extent, memory): extents with the Dimensions `d`. What every pivot touches is `near`, and the `cells`
// of the dictionary: on a GPU they lie in shared memory or registers if they fit.
#define JOSTLE_WORKSPACE(X)                                                   \
  X(Pose, pose, d.bodies, far)                                                \
  X(Pose, predicted_pose, d.bodies, far)                                      \
  X(Pose, next_pose, d.bodies, far)                                           \
  X(PlacedShape, placed, d.shapes, far)                                       \
  X(PlacedShape, next_placed, d.shapes, far)                                  \
  X(FeatureSet, listed, d.pairs, far)                                         \
  X(FeatureSet, missed, d.pairs, far)                                         \
  X(int, first_contact, d.pairs + 1, far)                                     \
  X(Contact, contact, d.contacts, far)                                        \
  X(ContactBlock, block, d.contacts, far)                                     \
  X(Wrench, external_force, d.bodies, far)                                    \
  X(double, velocity, d.freedoms, far)                                        \
  X(double, predicted_velocity, d.freedoms, far)                              \
  X(double, next_velocity, d.freedoms, far)                                   \
  X(double, inv_mass, d.freedoms, far)                                        \
  X(double, momentum, d.freedoms, far)                                        \
  X(double, free_velocity, d.freedoms, far)                                   \
  X(double, contact_rows, d.rows() * d.freedoms, far)                         \
  X(double, response, d.rows() * d.freedoms, far)                             \
  X(double, row_bias, d.rows(), far)                                          \
  X(double, row_impulse, d.rows(), far)                                       \
  X(double, delassus, d.rows() * d.rows(), far)                               \
  X(double, block_scale, d.contacts, far)                                     \
  X(double, lane_memory, (d.rows() + 1) * 2 * d.freedoms, far)                \
  X(int, orders, 2 * d.freedoms, far)                                         \
  X(LcpVariable, variables, d.lcp_size(), far)                                \
  X(double, lcp_matrix, d.lcp_size() * d.lcp_size(), far)                     \
  X(double, lcp_vector, d.lcp_size(), far)                                    \
  X(int, pivot_path, pivot_path_size(d.lcp_size()), far)                      \
  X(double, scale, d.lcp_size(), near)                                        \
  X(double, z, d.lcp_size(), near)                                            \
  X(double, lemke_vectors, LemkeWorkspace::sizes(d.lcp_size()).vectors, near) \
  X(int, lemke_ints, LemkeWorkspace::sizes(d.lcp_size()).ints, near)          \
  X(double, lemke_cells, LemkeWorkspace::sizes(d.lcp_size()).cells, cells)

/// Every array begins on a cache line.
JOSTLE_HD constexpr std::size_t aligned_bytes(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

struct Workspace {
#define JOSTLE_MEMBER(type, name, extent, memory) type* name = nullptr;
  JOSTLE_WORKSPACE(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  int contacts = 0;  ///< capacity

  struct Bytes {
    std::size_t near = 0, cells = 0, far = 0;
  };

#define JOSTLE_BYTES(type, name, extent, memory) \
  bytes.memory += aligned_bytes(sizeof(type) * static_cast<std::size_t>(extent));
  JOSTLE_HD static Bytes bytes(const Dimensions& d) {
    Bytes bytes;
    JOSTLE_WORKSPACE(JOSTLE_BYTES)
    return bytes;
  }
#undef JOSTLE_BYTES

#define JOSTLE_PLACE(type, name, extent, memory) \
  work.name = reinterpret_cast<type*>(memory);   \
  memory += aligned_bytes(sizeof(type) * static_cast<std::size_t>(extent));
  /// Each holds bytes(d), aligned to 64.
  JOSTLE_HD static Workspace carve(const Dimensions& d, std::byte* near, std::byte* cells, std::byte* far) {
    Workspace work;
    work.contacts = d.contacts;
    JOSTLE_WORKSPACE(JOSTLE_PLACE)
    return work;
  }
#undef JOSTLE_PLACE
};

}  // namespace jostle
