// The rows that the stages write for turned, spinning bodies are derivatives of the gap and slip of their contacts.
#include "core/methods/stewart_trinkle.hpp"
#include "tests/core/built_system.hpp"
#include "tests/geometry/placements.hpp"

namespace jostle {
namespace {

using test::PairTypes;
using test::Random;

constexpr double row_step = 0.01;
constexpr double row_difference = 1e-6;
constexpr int trials = 40;

/// Two bodies, each with one shape beside its centre of mass; at q^ the shapes overlap a little.
class ContactRows : public testing::TestWithParam<PairTypes> {
 protected:
  static BuiltSystem touching(const PairTypes& types, Random& random) {
    BuiltSystem built(row_step, 8);
    const int a = built.add_body();
    const int b = types.b == ShapeType::half_space ? built.add_fixed_body() : built.add_body();
    for (const auto& [body, type] : {std::pair{a, types.a}, std::pair{b, types.b}}) {
      const PlacedShape shape = test::random_shape(type, random);
      built.add_shape(body, type, shape.size, 0.2 * shape.position, shape.axes);
    }
    built.add_pair(a, b);
    built.build(0.3);
    const StateView state = built.state();
    for (const int body : {a, b}) {
      set_quaternion(state.orientation, body, exponential_map(random_vector(random, 3)));
      if (built.model().bodies[body].fixed) continue;
      set_vector(state.velocity, body, random_vector(random, 2));
      set_vector(state.spin, body, random_vector(random, 20));
    }
    bring_together(built, random);
    return built;
  }

  /// f(built, contacts) for pairs of random placement, with their contact rows written.
  template <class F>
  static void for_each_trial(unsigned seed, F f) {
    Random random(seed);
    for (int trial = 0; trial < trials; ++trial) {
      SCOPED_TRACE(trial);
      BuiltSystem built = touching(GetParam(), random);
      const int contacts = built.list();
      ASSERT_GE(contacts, 1);
      write_contact_rows(SerialTeam{}, built.system(), built.work(), contacts, built.work().pose(),
                         [&](const Contact& contact, const ConstraintRow& n, double told) {
                           return predicted_bias(built.system(), built.work(), built.model().step, contact.gap, n, told,
                                                 0);
                         });
      f(built, contacts);
    }
  }

  /// Moves body 0 so that at q^ its shape overlaps the other by about a centimetre.
  static void bring_together(BuiltSystem& built, Random& random) {
    built.predict_step();
    PlacedShape a = built.work().placed(0);
    const PlacedShape b = built.work().placed(1);
    const Vec3 start = a.position;
    const bool plane = b.type == ShapeType::half_space;
    const Vec3 centre = b.position, away = plane ? Vec3(b.axes.col(2)) : random.direction();
    double near = plane ? -5 : 0, far = 5;
    for (int i = 0; i < 60; ++i) {
      const double middle = (near + far) / 2;
      a.position = centre + middle * away;
      (signed_distance(a, b) < -0.01 ? near : far) = middle;
    }
    set_vector(built.state().position, 0, vector_at(built.state().position, 0) + a.position - start);
  }
};

INSTANTIATE_TEST_SUITE_P(Shapes, ContactRows, testing::ValuesIn(test::all_pairs()),
                         [](const auto& pair) { return test::name(pair.param); });

struct Freedom {
  int body, component;
};

/// The pose q^ of a body, from which the generalised velocity e_k has taken it on for `time`: the spin of a step is
/// that of the body axes at q_l, whatever the axes are at q^.
Pose carried_on(const BuiltSystem& built, int body, const Freedom& freedom, double time) {
  Pose pose = built.work().predicted_pose(body);
  if (freedom.body != body) return pose;
  if (freedom.component < 3) {
    pose.position[freedom.component] += time;
  } else {
    const Vec3 axis = built.work().pose(body).axes.col(freedom.component - 3);
    pose.axes = test::turned(axis, time) * pose.axes;
  }
  return pose;
}

/// The point of a body that is at `arm` from its centre of mass at q^, when the body has come to `pose`.
Vec3 carried_point(const BuiltSystem& built, int body, const Vec3& arm, const Pose& pose) {
  return pose.position + rotate(pose.axes, rotate_back(built.work().predicted_pose(body).axes, arm));
}

Pose carried_by_its_velocity(const BuiltSystem& built, int body, double time) {
  const Pose pose = built.work().pose(body);
  const int mover = built.model().bodies[body].mover;
  return mover == no_body ? pose : moved(built.model(), body, pose, time, built.work().velocity(mover));
}

/// The gap of a contact, and the points of the two bodies that touched at q^.
struct Touch {
  double gap;
  Vec3 normal, slip;
};

Touch touch_at(BuiltSystem& built, const Contact& contact, const Pose (&poses)[2]) {
  const ContactGeometry g = contact_geometry(place_shape(built.system(), 0, poses[0]),
                                             place_shape(built.system(), 1, poses[1]), contact.feature);
  return {g.gap, g.normal,
          carried_point(built, 1, contact.arm_b, poses[1]) - carried_point(built, 0, contact.arm_a, poses[0])};
}

Vec3 direction(const ModelView& model, const Contact& contact, int i) {
  return model.direction_cosine[i] * contact.tangent_1 + model.direction_sine[i] * contact.tangent_2;
}

/// Compares entry k, or its product with a velocity, of all rows of contact c with central differences over `time`.
/// Returns false if the normal flips on the way: then the gap has no derivative.
template <class Entry>
bool compare(BuiltSystem& built, int c, double time, const Touch& before, const Touch& after, Entry entry) {
  if (dot(before.normal, after.normal) < 0.99) return false;
  const ModelView& model = built.model();
  const int rows = model.dimensions.rows_per_contact();
  EXPECT_NEAR(entry(c * rows), (after.gap - before.gap) / (2 * time), 1e-6) << "normal of contact " << c;
  for (int i = 0; i < rows - 1; ++i) {
    const double slip = dot(direction(model, built.work().contact(c), i), after.slip - before.slip) / (2 * time);
    EXPECT_NEAR(entry(c * rows + 1 + i), slip, 1e-6) << "direction " << i << " of contact " << c;
  }
  return true;
}

TEST_P(ContactRows, AreTheRatesOfGapAndSlipUnderEveryFreedom) {
  int compared = 0, kinks = 0;
  for_each_trial(51, [&](BuiltSystem& built, int contacts) {
    for (int c = 0; c < contacts; ++c) {
      for (int i = 0; i < built.model().dimensions.velocities(); ++i) {
        const Freedom freedom{built.model().movers[i / 6], i % 6};
        if (!built.model().bodies[freedom.body].is_free(freedom.component)) continue;
        const auto touch = [&](double time) {
          const Pose poses[2] = {carried_on(built, 0, freedom, time), carried_on(built, 1, freedom, time)};
          return touch_at(built, built.work().contact(c), poses);
        };
        const auto entry = [&](int r) {
          const ConstraintRow& row = built.work().row(r);
          const int side = side_of(row, i / 6);
          return side < 0 ? 0.0 : row.entry[side][freedom.component];
        };
        const bool smooth = compare(built, c, row_difference, touch(-row_difference), touch(row_difference), entry);
        ++(smooth ? compared : kinks);
      }
    }
  });
  EXPECT_GE(compared, trials * 6);
  EXPECT_LE(kinks, compared / 1000);
}

// A body's own velocity takes it on along q_l (+) t v, through q^ at t = h.
TEST_P(ContactRows, TimesTheVelocityAreTheRatesAlongTheMotion) {
  for_each_trial(52, [&](BuiltSystem& built, int contacts) {
    const Workspace work = built.work();
    for (int c = 0; c < contacts; ++c) {
      const auto touch = [&](double time) {
        const Pose poses[2] = {carried_by_its_velocity(built, 0, time), carried_by_its_velocity(built, 1, time)};
        return touch_at(built, work.contact(c), poses);
      };
      const auto product = [&](int row) { return add_product(0, work.row(row), work.velocity()); };
      compare(built, c, row_difference, touch(row_step - row_difference), touch(row_step + row_difference), product);
    }
  });
}

// b_n = Phi(q^)/h - n'u, hence n'v + b_n >= 0 keeps the gap open to first order; nothing drives the tangents.
TEST_P(ContactRows, AreBiasedByTheGapThatTheStepStartsFrom) {
  for_each_trial(53, [&](BuiltSystem& built, int contacts) {
    const Workspace work = built.work();
    for (int c = 0; c < contacts; ++c) {
      const Block& block = work.block(c);
      const double approach = add_product(0, work.row(block.normal), work.velocity());
      const double gap = contact_geometry(work.placed(0), work.placed(1), work.contact(c).feature).gap;
      EXPECT_NEAR(work.row_bias(block.normal), gap / row_step - approach, 1e-12);
      for (int i = 0; i < block.tangents; ++i) EXPECT_EQ(work.row_bias(block.tangent + i), 0);
    }
  });
}

}  // namespace
}  // namespace jostle
