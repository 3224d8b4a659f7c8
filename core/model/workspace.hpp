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
#include "core/model/workspace_fields.hpp"
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

/// Where the fields of a workspace lie, the same for all teams of a launch.
struct WorkspaceLayout {
#define JOSTLE_MEMBER(type, name, extent, memory, unit, writers, readers, meaning) std::size_t name = 0;
  JOSTLE_WORKSPACE(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  std::size_t near = 0, cells = 0, far = 0;  ///< bytes of a team
  int contacts = 0, rows = 0;                ///< capacity; a row of the Delassus matrix has `rows` numbers
  int alternating = 1;                       ///< teams whose elements alternate in the far memory

  WorkspaceLayout() = default;
#define JOSTLE_PLACE(type, name, extent, memory, unit, writers, readers, meaning) \
  name = memory##_teams * memory;                                                 \
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
/// field, or the one number of a scalar. In the far memory, elements of `Step` teams alternate. `SystemTraits`: for
/// which code (traits.hpp).
template <class SystemTraits, int Step>
class WorkspaceView : private detail::TeamNumber<Step> {
 public:
  using Traits = SystemTraits;
  static constexpr bool is_coupled = Traits::is_coupled, has_cones = Traits::has_cones,
                        has_impacts = Traits::has_impacts, has_records = Traits::has_records,
                        has_polytopes = Traits::has_polytopes, has_wrenches = Traits::has_wrenches;

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

#define JOSTLE_ACCESS(type, name, extent, memory, unit, writers, readers, meaning) \
  JOSTLE_HD decltype(auto) name() const {                                          \
    if constexpr (is_scalar(#extent))                                              \
      return (memory##_field<type>(layout_->name)[0]);                             \
    else                                                                           \
      return memory##_field<type>(layout_->name);                                  \
  }                                                                                \
  JOSTLE_HD type& name(int i) const requires(!is_scalar(#extent)) { return name()[i]; }
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

/// f(work), for code that answers a problem: of systems that couple bodies, or that do not, as the model is.
template <AnyWorkspace Work>
JOSTLE_HD auto with_coupling(const Dimensions& d, const Work& work, auto f) {
  if constexpr (Work::is_coupled) {
    if (d.is_coupled()) return f(work);
  }
  return f(work.template as<UncoupledPart<typename Work::Traits>>());
}

}  // namespace jostle
