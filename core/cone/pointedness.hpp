#pragma once
// How far the friction cones of an island are from one that is not pointed [Anitescu, Potra, Stewart 1999],
// docs/theory.md (49): where impulses that balance each other are bounded by nothing. With generators g_i = n + mu d of
// length 1 in the norm of P,
//
//     margin = min |sum x_i g_i|_P,   x >= 0, sum x_i = 1
//
// Since |sum x_i g_i|^2 + 1 = x'(G + e e')x there, G = g_i'P g_j, the x of the minimum is, up to a factor, the solution
// of
//
//     0 <= (G + e e') x - e  _|_  x >= 0
//
// whose matrix is strictly copositive, so that Lemke's method finds one.
#include "core/assembly/schur.hpp"
#include "core/lcp/certificate.hpp"
#include "core/lcp/lemke.hpp"
#include "core/model/system.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// A margin of at most this counts as 0: the cone is not pointed.
inline constexpr double pointedness_tolerance = 1e-9;
/// That of a single contact without friction, the most that there is; and of a system without contacts.
inline constexpr double largest_pointedness = 1;

/// Working memory, for as many generators as the friction cones have: `numbers` holds two numbers for each, and the
/// velocities; the others are of LemkeWorkspace::sizes.
struct PointednessMemory {
  ConeGenerator* generators;
  double *numbers, *lemke_cells, *lemke_vectors;
  int* lemke_ints;
};

namespace detail {

/// Of a block; 0 unless it is a contact or a limit.
JOSTLE_HD inline int generators_of(const Block& block, bool circle) {
  if (block.normal < 0) return 0;
  if (block.tangents == 0) return 1;
  return circle && block.tangents > 1 ? circle_generators : block.betas() * (block.partner >= 0 ? 2 : 1);
}

/// Generator i of a block, without its length. With spin friction, which is independent, each is there twice, with its
/// moment either way.
JOSTLE_HD inline ConeGenerator generator_of(AnyWorkspace auto work, const Block& block, bool circle, int i) {
  static constexpr double cosine[] = {1, 0.92387953251128675613, 0.70710678118654752440, 0.38268343236508977173};
  const double mu = block.friction;
  if (block.tangents == 0) return {1, {block.normal, 0, 0}, {1, 0, 0}, 0};
  if (!circle || block.tangents == 1) {
    const int tangent = block.tangent + i % block.tangents;
    const double along = i % block.betas() < block.tangents ? mu : -mu;
    if (block.partner < 0) return {2, {block.normal, tangent, 0}, {1, along, 0}, 0};
    const Block& spin = work.block(block.partner);
    const double moment = i < block.betas() ? spin.friction : -spin.friction;
    return {3, {block.normal, tangent, spin.tangent}, {1, along, moment}, 0};
  }
  constexpr int quarter = circle_generators / 4;
  static_assert(quarter == 4);
  const double along = cosine[i % quarter], across = i % quarter == 0 ? 0.0 : cosine[quarter - i % quarter];
  const int turns = i / quarter;  // of a quarter each
  const double x = turns == 0 ? along : turns == 1 ? -across : turns == 2 ? -along : across;
  const double y = turns == 0 ? across : turns == 1 ? along : turns == 2 ? -across : -along;
  return {3, {block.normal, block.tangent, block.second_tangent()}, {1, mu * x, mu * y}, 0};
}

/// g_i'P g_j without their lengths, from the Delassus matrix.
JOSTLE_HD inline double product_of(AnyWorkspace auto work, const ConeGenerator& a, const ConeGenerator& b) {
  double sum = 0;
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.rows; ++j)
      sum = std::fma(a.weight[i] * b.weight[j], work.delassus(a.row[i] * work.rows() + b.row[j]), sum);
  }
  return sum;
}

/// G + e e' and -e.
template <AnyWorkspace Work>
struct GeneratorLcp {
  int n;
  Work work;
  const ConeGenerator* generators;

  JOSTLE_HD double entry(int i, int j) const {
    const ConeGenerator &a = generators[i], &b = generators[j];
    return std::fma(a.inv_length * b.inv_length, product_of(work, a, b), 1.0);
  }
  JOSTLE_HD static double constant(int) { return -1; }
  template <class Put>
  JOSTLE_HD void for_row(int i, Put put) const {
    for (int j = 0; j < n; ++j) put(j, entry(i, j));
  }
};

/// The generators of an island and the velocities that they give.
template <class Team, AnyWorkspace Work>
class IslandCones {
 public:
  JOSTLE_HD IslandCones(const Team& team, const Island& island, const ModelView& model, const Work& work,
                        const PointednessMemory& memory)
      : team_(team), island_(island), model_(model), work_(work), memory_(memory) {
    const bool circle = model.dimensions.has_circular_cone;
    for (int i = 0; i < island.blocks; ++i) count_ += generators_of(work.block(block(i)), circle);
  }

  /// Begins and ends synced. NaN if it is not found.
  JOSTLE_HD double margin() const {
    if (count_ == 0) return largest_pointedness;
    list_generators();
    const auto vanishes = [&](int i) { return memory_.generators[i].inv_length == 0; };
    if (any_of(team_, count_, vanishes)) return 0;
    team_.for_each(count_, [&](int i) { scales()[i] = 1; });
    team_.sync();
    LemkeOptions options;
    options.certificate_tolerance = options.exact_tolerance;
    const auto lemke = LemkeWorkspace::carve(count_, memory_.lemke_cells, memory_.lemke_vectors, memory_.lemke_ints);
    const GeneratorLcp<Work> lcp{count_, work_, memory_.generators};
    const LcpResult found = solve_lcp(team_, lcp, scales(), lemke, options, weights(), [&] { return certify(); });
    team_.sync();
    if (found.status != LcpStatus::solved) return canonical_nan();
    const double size = length_of_velocities() / sum_of_weights();
    team_.sync();
    return size <= pointedness_tolerance ? 0.0 : size;
  }

 private:
  JOSTLE_HD int block(int i) const { return work_.island_block(island_.first_block + i); }
  JOSTLE_HD double* weights() const { return memory_.numbers; }
  JOSTLE_HD double* scales() const { return memory_.numbers + count_; }
  JOSTLE_HD Span<double> velocities() const { return {memory_.numbers + 2 * count_}; }
  JOSTLE_HD int mover(int i) const { return work_.island_mover(island_.first_mover + i); }

  /// A generator without a length, one that no velocity answers to, gets the length of infinity.
  JOSTLE_HD void list_generators() const {
    constexpr double vanishing = 1e-14;  // part of the response without joints
    team_.once([&] {
      const bool circle = model_.dimensions.has_circular_cone;
      int next = 0;
      for (int b = 0; b < island_.blocks; ++b) {
        const Block& own = work_.block(block(b));
        const double scale = work_.block_scale(block(b));
        for (int i = 0; i < generators_of(own, circle); ++i) {
          ConeGenerator added = generator_of(work_, own, circle, i);
          const double square = product_of(work_, added, added);
          added.inv_length = scale * scale * square > vanishing ? 1 / std::sqrt(square) : 0.0;
          memory_.generators[next++] = added;
        }
      }
    });
    team_.sync();
  }

  JOSTLE_HD double sum_of_weights() const {
    double sum = 0;
    for (int i = 0; i < count_; ++i) sum += weights()[i];
    return sum;
  }

  /// sum x_i g_i, component k of mover m.
  JOSTLE_HD double momentum(int m, int k) const {
    double sum = 0;
    for (int i = 0; i < count_; ++i) {
      const ConeGenerator& own = memory_.generators[i];
      const double weight = weights()[i] * own.inv_length;
      if (weight == 0) continue;
      for (int r = 0; r < own.rows; ++r) {
        const ConstraintRow& row = work_.row(own.row[r]);
        const int side = side_of(row, m);
        if (side >= 0) sum = std::fma(weight * own.weight[r], row.entry[side][k], sum);
      }
    }
    return sum;
  }

  /// P sum x_i g_i. Ends synced.
  JOSTLE_HD void write_velocities() const {
    const Dimensions& d = model_.dimensions;
    if constexpr (Work::is_coupled) {
      const LaneMemory lane(d, work_, 0);
      team_.for_each(d.velocities(), [&](int i) { lane.right_side[i] = momentum(i / 6, i % 6); });
      team_.sync();
      team_.once([&] { Elimination(d, work_).apply(lane, false, lane.solution); });
      team_.sync();
      team_.for_each(d.velocities(), [&](int i) { velocities()[i] = lane.solution[i]; });
    } else {
      team_.for_each(6 * island_.movers, [&](int i) {
        const int m = mover(i / 6), k = i % 6;
        velocities()[6 * m + k] = work_.inv_mass(m)[k] * momentum(m, k);
      });
    }
    team_.sync();
  }

  /// max |min(x, w)|, w from the velocities.
  JOSTLE_HD double certify() const {
    write_velocities();
    const double excess = sum_of_weights() - 1;
    return largest_by_number(team_, count_, [&](int i) {
      const ConeGenerator& own = memory_.generators[i];
      double speed = 0;
      for (int r = 0; r < own.rows; ++r) speed += own.weight[r] * product(work_.row(own.row[r]), velocities());
      return natural_residual(weights()[i], own.inv_length * speed + excess);
    });
  }

  /// sqrt(v'A v); every lane computes it.
  JOSTLE_HD double length_of_velocities() const {
    const Dimensions& d = model_.dimensions;
    double sum = 0;
    for (int i = 0; i < 6 * island_.movers; ++i) {
      const int m = mover(i / 6), k = i % 6;
      const double speed = velocities()[6 * m + k], root = work_.root_inv_mass(m)[k];
      if (d.has_mass_matrix) {
        for (int j = 0; j < d.velocities(); ++j)
          sum += speed * work_.mass_matrix((6 * m + k) * d.velocities() + j) * velocities()[j];
      } else if (root > 0) {
        sum += (speed / root) * (speed / root);
      }
    }
    return std::sqrt(sum);
  }

  const Team& team_;
  const Island& island_;
  const ModelView& model_;
  const Work& work_;
  const PointednessMemory& memory_;
  int count_ = 0;
};

}  // namespace detail

/// The least margin of the islands of the last problem in the workspace, which has blocks. Forms the Delassus matrix of
/// each anew. NaN if one is not found. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE double pointedness_of_islands(const Team& team, const ModelView& model, AnyWorkspace auto work,
                                                       const PointednessMemory& memory) {
  double least = largest_pointedness;
  for (int i = 0; i < work.islands(); ++i) {
    const Island island = work.island(i);
    if (island.blocks > 0) form_delassus(team, model.dimensions, island, work);
    const detail::IslandCones<Team, decltype(work)> cones(team, island, model, work, memory);
    const double margin = cones.margin();
    if (!(margin >= least)) least = margin;
    if (is_nan(margin)) return margin;
  }
  return least;
}

/// The same for any model.
template <class Team>
JOSTLE_HD double pointedness(const Team& team, const ModelView& model, AnyWorkspace auto work,
                             const PointednessMemory& memory) {
  return with_coupling(model.dimensions, work,
                       [&](auto own) { return pointedness_of_islands(team, model, own, memory); });
}

/// Writes the pointedness of an accepted step to the state, if the model asks for it.
template <class Team>
JOSTLE_HD void accept_pointedness(const Team& team, const System& system, AnyWorkspace auto work,
                                  const StepResult& result) {
  const ModelView& model = system.model;
  if (!model.dimensions.has_pointedness) return;
  const PointednessMemory memory{work.generator(), work.generator_numbers(), work.lemke_cells(), work.lemke_vectors(),
                                 work.lemke_ints()};
  const double margin = result.lcp_size > 0 ? pointedness(team, model, work, memory) : largest_pointedness;
  team.once([&] { system.state().pointedness() = margin; });
  team.sync();
}

}  // namespace jostle
