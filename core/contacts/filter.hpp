#pragma once
// Contacts that the others of their pair of shapes make redundant are left out of the LCP (world.filter),
// docs/theory.md, "Redundant contacts".
//
// Contacts of a pair with one normal n are points over the plane across n (geometry/redundant_points.hpp): row and gap
// of such a contact are affine in its place there. So a contact on or above the lower convex hull of the others says
// nothing that these do not, and what it carries they can carry.
#include "core/contacts/at_start.hpp"
#include "core/contacts/pages.hpp"
#include "core/geometry/redundant_points.hpp"

namespace jostle {

/// So few contacts of a pair are all in the LCP.
JOSTLE_HD inline int most_unfiltered(const ModelView& model) { return model.planar ? 2 : 3; }

/// What bounds n'v of the contacts of a problem: a multiple of a length, b_n, that makes those redundant for which it
/// is larger than between others.
enum class NormalBounds {
  gaps,           ///< where the rows are
  open_gaps,      ///< the same of open contacts, else 0
  open_at_start,  ///< the gap at the start of the step, of open contacts that have carried an impulse, else 0
  alike           ///< 0
};

namespace detail {

/// The contacts of pair p in work.ungrouped() that have one normal.
template <AnyWorkspace Work>
class SharedNormal {
 public:
  /// That of `feature`.
  JOSTLE_HD SharedNormal(const System& system, const Work& work, int p, int feature, NormalBounds bounds)
      : system_(system),
        work_(work),
        bounds_(bounds),
        p_(p),
        pair_(system.model.pairs[p]),
        a_(work.placed(pair_.shape_a)),
        b_(work.placed(pair_.shape_b)),
        normal_(at(feature).normal),
        along_(system.model.planar ? cross(normal_, system.model.plane_normal) : perpendicular(normal_)),
        across_(cross(normal_, along_)) {}

  /// Writes those that are left out to work.filtered(), and takes all out of work.ungrouped().
  JOSTLE_HD void filter() const {
    const auto each = [this](auto f) { this->for_each(f); };
    if constexpr (JOSTLE_ON_DEVICE) return filter(each);
    PointOverPlane points[most_stored];
    int count = 0;
    for_each([&](const PointOverPlane& point) {
      if (count < most_stored) points[count] = point;
      ++count;
    });
    if (count > most_stored) return filter(each);
    filter([&](auto f) {
      for (int i = 0; i < count; ++i) f(points[i]);
    });
  }

 private:
  /// Points that a thread keeps, rather than to compute them again.
  static constexpr int most_stored = 128;

  /// The same, with what calls f(point) for every contact.
  JOSTLE_HD void filter(auto each) const {
    int count = 0;
    each([&](const PointOverPlane&) { ++count; });
    if (count > most_unfiltered(system_.model)) {
      each([&](const PointOverPlane& point) { filtered(point).insert(own(point)); });
      const auto keep = [this](const PointOverPlane& point) { filtered(point).erase(own(point)); };
      const double size = bounding_radius(a_) + (b_.type == ShapeType::half_space ? 0.0 : bounding_radius(b_));
      const RedundantPoints points(each, keep, filter_rounding * size);
      if (system_.model.planar)
        points.keep_over_line();
      else
        points.keep_over_plane();
    }
    each([&](const PointOverPlane& point) { work_.ungrouped(page(point)).erase(own(point)); });
  }

  /// f(point), in ascending order of the numbers of features.
  JOSTLE_HD void for_each(auto f) const {
    for (int i = pair_.first_page; i < pair_.first_page + pair_.pages; ++i) {
      FeatureSet{work_.ungrouped(i)}.for_each(first_of_page(system_, work_, i), [&](int feature) {
        PointOverPlane point;
        if (find(i, feature, point)) f(point);
      });
    }
  }

  /// Whether a contact on a page has the normal, and where it is then.
  JOSTLE_HD JOSTLE_OUTLINE bool find(int page, int feature, PointOverPlane& point) const {
    const ContactGeometry contact = at(feature);
    const Vec3 turn = contact.normal - normal_, d = contact.point_a - a_.position;
    if (!(dot(turn, turn) <= border * border)) return false;
    point = {feature, dot(along_, d), dot(across_, d), bound(page, feature, contact.gap)};
    return true;
  }

  /// m: what bounds n'v of a contact on a page, times a time that is the same for all.
  JOSTLE_HD double bound(int page, int feature, double gap) const {
    if (bounds_ == NormalBounds::gaps) return gap;
    if (bounds_ == NormalBounds::alike) return 0;
    if (bounds_ == NormalBounds::open_at_start) {
      if (!system_.state().active[page].contains(feature % page_features)) return 0;
      gap = gap_at_start(system_, work_, p_, feature);
    }
    return gap > active_gap_of(system_.model) ? gap : 0.0;
  }

  JOSTLE_HD ContactGeometry at(int feature) const { return contact_geometry<Work::has_polytopes>(a_, b_, feature); }
  JOSTLE_HD int page(const PointOverPlane& point) const { return page_of(system_, work_, p_, point.feature); }
  JOSTLE_HD static int own(const PointOverPlane& point) { return point.feature % page_features; }
  JOSTLE_HD FeatureSet& filtered(const PointOverPlane& point) const { return work_.filtered(page(point)); }

  const System& system_;
  const Work& work_;
  NormalBounds bounds_;
  int p_;
  const PairModel& pair_;
  const PlacedShape &a_, &b_;
  Vec3 normal_, along_, across_;
};

/// Whether contacts of a pair may be redundant. Those of convex shapes are corners of convex polygons, and with
/// adhesion each of them pulls.
JOSTLE_HD inline bool is_filtered(const System& system, AnyWorkspace auto work, int p) {
  const PairModel& pair = system.model.pairs[p];
  if (!may_be_concave(work.placed(pair.shape_a)) && !may_be_concave(work.placed(pair.shape_b))) return false;
  if (has_adhesion(system, p)) return false;
  return !is_left_out(system, work, p);
}

/// One lane for a pair.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline void filter_pair(const System& system, AnyWorkspace auto work, int p,
                                                               NormalBounds bounds) {
  const PairModel& pair = system.model.pairs[p];
  const int end = pair.first_page + pair.pages;
  int count = 0;
  for (int i = pair.first_page; i < end; ++i) count += work.listed(i).size();
  if (count <= most_unfiltered(system.model)) return;
  for (int i = pair.first_page; i < end; ++i) work.ungrouped(i) = work.listed(i);
  for (int i = pair.first_page; i < end; ++i) {
    while (!work.ungrouped(i).empty()) {
      int first = -1;
      work.ungrouped(i).for_each([&](int own) { first = first < 0 ? own : first; });
      const SharedNormal<decltype(work)> group(system, work, p, first_of_page(system, work, i) + first, bounds);
      group.filter();
      work.ungrouped(i).erase(first);  // even if its normal is not finite
    }
  }
}

}  // namespace detail

/// Puts filtered contacts of a page back into the LCP: these, or all.
JOSTLE_HD inline void unfilter(const System& system, AnyWorkspace auto work, int page) {
  if constexpr (decltype(work)::has_polytopes) {
    if (system.model.dimensions.has_filter) work.filtered(page) = {};
  }
}
JOSTLE_HD inline void unfilter(const System& system, AnyWorkspace auto work, int page, const FeatureSet& contacts) {
  if constexpr (decltype(work)::has_polytopes) {
    if (system.model.dimensions.has_filter) work.filtered(page) = work.filtered(page).without(contacts);
  }
}

/// The contacts of a page that are in the LCP.
JOSTLE_HD inline decltype(auto) solved_features([[maybe_unused]] const System& system, AnyWorkspace auto work,
                                                int page) {
  if constexpr (decltype(work)::has_polytopes) {
    const FeatureSet& listed = work.listed(page);
    return system.model.dimensions.has_filter ? listed.without(work.filtered(page)) : FeatureSet{listed};
  } else {
    return (work.listed(page));
  }
}

/// Whether feature pair `feature` of pair p is left out.
JOSTLE_HD inline bool is_filtered_out(const System& system, AnyWorkspace auto work, int p, int feature) {
  if constexpr (decltype(work)::has_polytopes) {
    return system.model.dimensions.has_filter &&
           work.filtered(page_of(system, work, p, feature)).contains(feature % page_features);
  }
  return false;
}

/// work.filtered_contacts(). By one lane.
JOSTLE_HD inline void count_filtered(const System& system, AnyWorkspace auto work) {
  if constexpr (decltype(work)::has_polytopes) {
    work.filtered_contacts() = 0;
    if (!system.model.dimensions.has_filter) return;
    for (int i = 0; i < system.model.dimensions.pages; ++i) work.filtered_contacts() += work.filtered(i).size();
  }
}

/// Finds the listed contacts that are left out, from the shapes where their rows are. Ends synced.
template <class Team>
JOSTLE_HD void filter_contacts(const Team& team, const System& system, AnyWorkspace auto work, NormalBounds bounds) {
  if constexpr (decltype(work)::has_polytopes) {
    if (!system.model.dimensions.has_filter) return;
    team.for_each(system.model.dimensions.pairs, [&](int p) {
      const PairModel& pair = system.model.pairs[p];
      for (int i = 0; i < pair.pages; ++i) work.filtered(pair.first_page + i) = {};
      if (detail::is_filtered(system, work, p)) detail::filter_pair(system, work, p, bounds);
    });
    team.sync();
  }
}

}  // namespace jostle
