#pragma once
// Impulses of contacts: which contacts carry one, and their sums on each body.
#include "core/assembly/tangents.hpp"
#include "core/contacts/adhesion.hpp"
#include "core/contacts/closing_speed.hpp"
#include "core/contacts/contact_rows.hpp"
#include "core/contacts/ghosts.hpp"

namespace jostle {

/// c_n of contact c, N s; with adhesion what it is above its lower bound, so that it is 0 in an open contact.
JOSTLE_HD inline double normal_impulse(AnyWorkspace auto work, int c) { return work.row_impulse(work.block(c).normal); }

/// |D beta| of contact c, N s.
JOSTLE_HD inline double friction_impulse(const System& system, AnyWorkspace auto work, int c) {
  const ModelView& model = system.model;
  const Block& block = work.block(c);
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < block.tangents; ++i)
    sum += work.row_impulse(block.tangent + i) * world_direction(model, work.contact(c), i);
  return std::sqrt(dot(sum, sum));
}

/// Whether a contact of a pair, which carries no impulse, with this gap (m) and speed (m/s) opens so slowly that it
/// stays in the step, under Anitescu & Potra's method: a body that rocks would otherwise do so for ever. Positions
/// there follow the velocities at the start of a step, so that each hop ends faster than it began, by half of what a
/// force does in a step. Nothing is lost: below the threshold nothing is restored, and without restitution nothing at
/// all. Under the first trapezoidal scheme only what opens below the threshold, without restitution: where one contact
/// opens another, they would strike by turns.
JOSTLE_HD inline bool hops(const System& system, int pair, double gap, auto speed) {
  const ModelView& model = system.model;
  const Dimensions& d = model.dimensions;
  if (!d.keeps_hops && !d.keeps_slow_hops) return false;
  const bool restores = system.parameters().restitution[pair] > 0;
  if (restores && !d.keeps_hops) return false;
  const Vec3 gravity = vector_at(system.parameters().gravity, 0);
  double slow = system.parameters().impact_threshold();  // m/s
  if (!restores && d.keeps_hops) slow += 2 * model.step * std::sqrt(dot(gravity, gravity));
  return gap < slow * model.step && std::fabs(speed()) < slow;
}

/// Whether contact c, which carries no impulse, stays in the step because it hops or, with adhesion, is held though
/// others carry all: its pull acts, and n'v + b_n = 0. Once that is positive, the pull has not been enough, and it has
/// let go: then it does not hop either, or it would pull from afar. In a piece of length `h` (s) that is shorter than
/// the step the pull may not reach -b_n, so there it is enough that the contact does not open; and an impact, which has
/// no pull, leaves contacts held that it does not open.
JOSTLE_HD inline bool keeps_contact(const System& system, AnyWorkspace auto work, int c, double h) {
  const Dimensions& d = system.model.dimensions;
  const Contact& contact = work.contact(c);
  const int normal = work.block(c).normal;
  const auto speed = [&](double more) { return add_product(more, work.row(normal), work.next_velocity()); };
  const auto told = [&] { return prescribed_speed(d, work, normal); };
  if (!has_adhesion(system, contact.pair))
    return hops(system, contact.pair, contact.gap, [&] { return speed(told()); });
  if (h == 0) {
    const double before = add_product(told(), work.row(normal), work.velocity());
    const double slowest = rounding_speed + (before > 0 ? before : 0);
    return speed(told()) <= slowest && contains(system, work, system.state().active, contact.pair, contact.feature);
  }
  if (!(pull_of(d, work, normal) > 0)) return false;
  // The second trapezoidal scheme leaves the opening by which a normal turns in half a step, which it takes back in the
  // next one. A shorter piece has not the pull for that.
  if (facts_of(system.model.method).solves_for_sum) {
    if (!(h < system.model.step)) return false;
    const double turning = detail::turning_in_step(system, work, system.model.pairs[contact.pair], contact.feature);
    return speed(told()) <= rounding_speed + std::fabs(turning);
  }
  const bool pulls = d.keeps_hops || d.keeps_slow_hops;
  return pulls && speed(h < system.model.step ? told() : work.row_bias(normal)) <= rounding_speed;
}

/// The filtered contacts of a page that hop, as they would if they were in the LCP.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline FeatureSet filtered_hops(const System& system, AnyWorkspace auto work,
                                                                       int i) {
  FeatureSet hopping;
  const PageModel& page = system.model.pages[i];
  const PairModel& pair = system.model.pairs[page.pair];
  FeatureSet{work.filtered(i)}.for_each([&](int own) {
    const ContactGeometry at =
        contact_geometry(work.placed(pair.shape_a), work.placed(pair.shape_b), first_of_page(system, work, i) + own);
    const auto speed = [&] {
      return closing_speed(system, work, pair, at, work.predicted_pose(), work.next_velocity());
    };
    if (hops(system, page.pair, at.gap, speed)) hopping.insert(own);
  });
  return hopping;
}

/// The contacts of a page that carry an impulse, hop or are held, after a piece of length h (s).
JOSTLE_HD inline FeatureSet active_features(const System& system, AnyWorkspace auto work, int contacts, int i,
                                            double h) {
  const PageModel& page = system.model.pages[i];
  FeatureSet active;
  if constexpr (decltype(work)::has_polytopes) {
    const Dimensions& d = system.model.dimensions;
    if (d.has_filter && (d.keeps_hops || d.keeps_slow_hops)) active = filtered_hops(system, work, i);
  }
  const int first = first_of_page(system, work, i);
  if (first < 0) return active;
  for (int c = work.first_contact(page.pair); c < contacts && work.contact(c).pair == page.pair; ++c) {
    const int feature = work.contact(c).feature - first;
    if (feature < 0 || feature >= page_features) continue;
    if (normal_impulse(work, c) > 0 || keeps_contact(system, work, c, h)) active.insert(feature);
  }
  return active;
}

/// Whether pair p ends a whole step with other active contacts, or other modes, than those with which it began.
JOSTLE_HD inline bool changes_contacts(const System& system, AnyWorkspace auto work, int contacts, int p) {
  const PairModel& pair = system.model.pairs[p];
  bool same = true;
  for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i)
    same = same && active_features(system, work, contacts, i, system.model.step) == system.state().active[i];
  return !same || !has_kept_modes(system, work, contacts, p);
}

/// A normal impulse is a rounding error up to this part of the largest one on its body.
inline constexpr double impulse_rounding = 1e-11;

/// visit(normal impulse, friction, contact or -1) for the contacts of one body, pair after pair; -1: of an island at
/// rest.
JOSTLE_HD inline void for_each_impulse_on(const System& system, AnyWorkspace auto work, int body, auto visit) {
  const ModelView& model = system.model;
  for (int p = 0; p < model.dimensions.pairs; ++p) {
    const PairModel& pair = model.pairs[p];
    if (model.shapes[pair.shape_a].body != body && model.shapes[pair.shape_b].body != body) continue;
    for (int c = work.first_contact(p); c < work.first_contact(p + 1); ++c)
      visit(normal_impulse(work, c), friction_impulse(system, work, c), c);
    if (!is_left_out(system, work, p)) continue;
    const double* kept = system.state().rest_impulse + 2 * pair.first_mode;
    for_each_mode_in_state(system, p, [&](int, KeptMode) { visit(kept[0], kept[1], -1), kept += 2; });
  }
}

/// How many normal impulses on a body are above `least` (N s).
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline int count_impulses(const System& system, AnyWorkspace auto work, int body,
                                                                 double least) {
  int count = 0;
  for_each_impulse_on(system, work, body, [&](double normal, double, int) { count += normal > least; });
  return count;
}

/// Sums over the contacts of one body, pair after pair; those of later pieces are added to what is there. How many
/// carry an impulse is the most of any piece: contacts of different pieces may be the same ones, and a body that
/// strikes has none in the piece after.
JOSTLE_HD inline void sum_impulses(const System& system, AnyWorkspace auto work, int body, const PieceFacts& piece) {
  const ModelView& model = system.model;
  const bool first = piece.first;
  const double before = first ? 0.0 : system.state().normal_impulse[body];
  double normal = before;
  double friction = first ? 0.0 : system.state().friction_impulse[body];
  const int closed_before = first ? 0 : system.state().contacts[body];
  int closed = 0;
  double largest = 0, least = infinity();  // of those that are not 0
  for_each_impulse_on(system, work, body, [&](double of_normal, double of_friction, int c) {
    normal += of_normal;
    friction += of_friction;
    if (of_normal > 0) {
      ++closed;
      largest = of_normal > largest ? of_normal : largest;
      least = of_normal < least ? of_normal : least;
    }
    if (c >= 0 && model.dimensions.has_adhesion) normal -= pull_of(model.dimensions, work, work.block(c).normal);
  });
  if (least <= impulse_rounding * largest) closed = count_impulses(system, work, body, impulse_rounding * largest);
  system.state().normal_impulse[body] = normal;
  if (model.dimensions.has_impact_shares) add_share(first, piece, normal - before, system.state().normal_impact[body]);
  system.state().friction_impulse[body] = friction;
  system.state().contacts[body] = closed > closed_before ? closed : closed_before;
}

/// Adds to `wrench` what the contacts of a piece have given a body: the impulse, and its moment about the centre of
/// mass, world. `first`: it is 0 before; `has_stages`: work.stage_wrench() has it.
JOSTLE_HD JOSTLE_OUTLINE inline void add_contact_wrench(const System& system, AnyWorkspace auto work, int contacts,
                                                        int body, bool first, bool has_stages, double* wrench) {
  const ModelView& model = system.model;
  const auto add = [&](const Vec3& impulse, const Vec3& moment, double sign) {
    for (int k = 0; k < 3; ++k) wrench[k] += sign * impulse[k], wrench[3 + k] += sign * moment[k];
  };
  for (int k = 0; first && k < 6; ++k) wrench[k] = 0;
  if (has_stages) {
    const Vec6 sum = work.stage_wrench(body);
    return add(sum.linear(), rotate(work.predicted_pose(body).axes, sum.angular()), 1);
  }
  for_each_contact_of(model, work, contacts, body, [&](int c, double sign, const Vec3& arm) {
    const Contact& contact = work.contact(c);
    const Block& block = work.block(c);
    const Direction along = tangential_impulse(model, work, block);
    const double normal = work.row_impulse(block.normal) - pull_of(model.dimensions, work, block.normal);
    const Vec3 P = normal * contact.normal + along.x * contact.tangent_1 + along.y * contact.tangent_2;
    Vec3 moment = cross(arm, P);
    if (block.partner >= 0) moment += spin_impulse(work, c) * contact.normal;
    if (block.roller >= 0) moment += rolling_impulse(model, work, c);
    add(P, moment, sign);
  });
}

/// The same, for the share of impacts.
JOSTLE_HD inline void add_contact_impact(const System& system, AnyWorkspace auto work, int contacts, int body,
                                         const PieceFacts& piece) {
  double* const share = system.state().contact_impact + 6 * body;
  if (piece.strikes) return add_contact_wrench(system, work, contacts, body, piece.first, false, share);
  for (int k = 0; piece.first && k < 6; ++k) share[k] = 0;
}

}  // namespace jostle
