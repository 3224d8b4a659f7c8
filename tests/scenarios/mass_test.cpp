// Mass, centre of mass and inertia of bodies; and that the motion of a body is the same in whatever frame it is
// written.
#include "scenarios/parameters/mass.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

#include "core/model/frame.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/parameters/principal_axes.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

Number number(double value) { return {value, {}, {}, {}}; }

ShapeSpec sphere(double radius) {
  ShapeSpec shape;
  shape.sphere.radius = number(radius);
  return shape;
}
ShapeSpec capsule(double radius, double length) {
  ShapeSpec shape;
  shape.type = ShapeType::capsule;
  shape.capsule = {number(length), number(radius), Axis::z};
  return shape;
}
ShapeSpec cylinder(double radius, double length) {
  ShapeSpec shape;
  shape.type = ShapeType::cylinder;
  shape.cylinder = {number(length), number(radius), Axis::z};
  return shape;
}
ShapeSpec box(const Vec3& size, const Vec3& position = Vec3::Zero()) {
  ShapeSpec shape;
  shape.type = ShapeType::box;
  for (int k = 0; k < 3; ++k) shape.box.size[k] = number(size[k]), shape.position[k] = number(position[k]);
  return shape;
}

TracedMass mass_of(const std::vector<ShapeSpec>& shapes, double mass) {
  BodySpec body;
  body.has_mass = true;
  body.mass = number(mass);
  body.shapes = shapes;
  return mass_of(body, nullptr);
}

Vec3 moments_of(const std::vector<ShapeSpec>& shapes, double mass) {
  const TracedMass found = mass_of(shapes, mass);
  EXPECT_FALSE(found.has_own_frame);
  return value_of(found.moments);
}

void expect_near(const Vec3& value, const Vec3& expected, double tolerance = 1e-14) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(value[i], expected[i], tolerance * expected.cwiseAbs().maxCoeff()) << i;
}

TEST(Inertia, OfSimpleSolidsIsTheTextbooks) {
  expect_near(moments_of({sphere(0.1)}, 2), Vec3::Constant(0.008));
  expect_near(moments_of({box({1, 2, 3})}, 12), {13, 10, 5});
  expect_near(moments_of({cylinder(1, 4)}, 12), {19, 19, 6});
  expect_near(moments_of({capsule(0, 1)}, 12), {1, 1, 0});
}

// Integral over slices of the capsule: discs of radius s at height z carry s^2/4 + z^2 across and s^2/2 along.
TEST(Inertia, OfACapsuleIsTheIntegralOverItsSlices) {
  const double radius = 0.3, half_length = 0.7;
  const int slices = 200000;
  double mass = 0, across = 0, along = 0;
  for (int i = 0; i < slices; ++i) {
    const double z = (i + 0.5) / slices * (half_length + radius);
    const double beyond = z > half_length ? z - half_length : 0;
    const double square = radius * radius - beyond * beyond;
    mass += square;
    across += square * (square / 4 + z * z);
    along += square * square / 2;
  }
  const Vec3 moments = moments_of({capsule(radius, 2 * half_length)}, 1);
  EXPECT_NEAR(moments[0], across / mass, 1e-9);
  EXPECT_NEAR(moments[2], along / mass, 1e-9);
}

TEST(Inertia, OfABoxInTwoHalvesIsThatOfTheBox) {
  expect_near(moments_of({box({1, 0.4, 0.2}, {0.5, 0, 0}), box({1, 0.4, 0.2}, {-0.5, 0, 0})}, 3),
              moments_of({box({2, 0.4, 0.2})}, 3));
}

// R diag(moments) R' is the matrix, and R a rotation, for well separated, equal and nearly equal moments.
TEST(PrincipalAxes, DiagonaliseTheMatrix) {
  for (int i = 0; i < 200; ++i) {
    const auto noise = [i](int k) { return std::sin(12.9898 * (7 * i + k)); };
    Mat3 B;
    for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = noise(k);
    Mat3 A = B * B.transpose();
    if (i % 3 == 1) A = Mat3(Vec3(1, 1, 2).asDiagonal()) + 1e-9 * (B + B.transpose());
    const PrincipalAxes principal = principal_axes(A.cast<Traced>());
    const Mat3 R = rotation_matrix(value_of(principal.turn));
    const Mat3 again = R * value_of(principal.moments).asDiagonal() * R.transpose();
    EXPECT_LT((again - A).cwiseAbs().maxCoeff(), 2e-15 * A.trace()) << i;
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff(), 2e-15) << i;
  }
}

TEST(PrincipalAxes, OfADiagonalMatrixAreItsOwn) {
  const PrincipalAxes principal = principal_axes(Mat3(Vec3(3, 1, 2).asDiagonal()).cast<Traced>());
  EXPECT_EQ(value_of(principal.moments), Vec3(3, 1, 2));
  EXPECT_EQ(principal.turn.w.value(), 1);
}

// An L in the plane z = 0: centroid sum m p / m; Ixx and Iyy of both boxes moved there, Ixy = -sum m x y, and
// J = (Ixx + Iyy)/2 -+ sqrt(((Ixx - Iyy)/2)^2 + Ixy^2), Ixx + Iyy along z for a thin one (here + the thickness).
TEST(AnLOfTwoBoxes, HasTheCentroidAndThePrincipalMomentsOfTheTextbook) {
  const Vec3 size[2] = {{0.2, 0.04, 0.02}, {0.04, 0.16, 0.02}}, at[2] = {{0.1, 0, 0}, {0.02, 0.1, 0}};
  double m[2], total = 0;
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < 2; ++i) m[i] = 1000 * size[i].prod(), total += m[i], centre += m[i] * at[i];
  centre /= total;
  double xx = 0, yy = 0, zz = 0, xy = 0;
  for (int i = 0; i < 2; ++i) {
    const Vec3 p = at[i] - centre, s = size[i];
    xx += m[i] * ((s[1] * s[1] + s[2] * s[2]) / 12 + p[1] * p[1]);
    yy += m[i] * ((s[0] * s[0] + s[2] * s[2]) / 12 + p[0] * p[0]);
    zz += m[i] * ((s[0] * s[0] + s[1] * s[1]) / 12 + p[0] * p[0] + p[1] * p[1]);
    xy -= m[i] * p[0] * p[1];
  }
  const double mean = (xx + yy) / 2, radius = std::hypot((xx - yy) / 2, xy);

  BodySpec body;
  body.has_density = true;
  body.density = number(1000);
  body.shapes = {box(size[0], at[0]), box(size[1], at[1])};
  const TracedMass found = mass_of(body, nullptr);
  EXPECT_TRUE(found.has_own_frame);
  EXPECT_NEAR(found.mass.value(), total, 1e-15);
  expect_near(value_of(found.centre), centre, 1e-15);
  const Vec3 moments = value_of(found.moments);
  EXPECT_NEAR(std::min(moments[0], moments[1]), mean - radius, 1e-15 * zz);
  EXPECT_NEAR(std::max(moments[0], moments[1]), mean + radius, 1e-15 * zz);
  EXPECT_NEAR(moments[2], zz, 1e-15 * zz);
  const Mat3 R = value_of(found.axes);
  EXPECT_NEAR((R * moments.asDiagonal() * R.transpose())(0, 1), xy, 1e-15 * zz);
}

std::string list(const Vec3& v) {
  char text[100];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v[0], v[1], v[2]);
  return text;
}
std::string list(const Quaternion& q) {
  char text[120];
  std::snprintf(text, sizeof text, "{quaternion: [%.17g, %.17g, %.17g, %.17g]}", q.w, q.x, q.y, q.z);
  return text;
}

constexpr const char* l_shapes = R"(
      - {box: {size: [0.2, 0.04, 0.02]}, position: [0.1, 0, 0]}
      - {box: {size: [0.04, 0.16, 0.02]}, position: [0.02, 0.1, 0.03], rotation: {axis: [1, 0, 0], degrees: 20}}
)";

std::string falling(const std::string& body, const std::string& more = "") {
  return "jostle: 1\nvariables: {one: {uniform: [500, 900]}, two: {uniform: [500, 900]}}\n"
         "world: {step: 0.002, steps: 150}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
         "  l:\n" +
         body + "contacts: [{between: any, friction: 0.4}]\n" + more;
}

std::string falling_l(const std::string& shapes, const std::string& more = "") {
  return falling(
      "    density: 800\n    position: [0.1, 0.2, 0.3]\n    rotation: {axis: [1, 2, 3], degrees: 40}\n"
      "    velocity: [0.3, 0, -1]\n    spin: [3, -5, 2]\n    shapes:" +
          shapes,
      more);
}

/// Recorded states of body 1 of a sample.
struct Record {
  std::vector<double> q, v;
  std::size_t entries = 0;
  Status status = Status::not_run;
  std::vector<double> outcomes;

  explicit Record(const std::string& text, std::int64_t sample = 0) {
    const Ensemble ensemble(parse_scenario(text, "l.yaml"));
    Batch batch(ensemble.model(), 1);
    ensemble.draw(sample, batch, 0);
    TrajectoryView view;
    entries = static_cast<std::size_t>(view.entries(ensemble.model().total_steps));
    q.resize(14 * entries), v.resize(12 * entries);
    view.q = q.data(), view.v = v.data();
    batch.record(0, view);
    run_batch(batch, static_cast<int>(ensemble.model().total_steps), {1, 0, nullptr});
    status = batch.status(0);
    outcomes.assign(batch.state(0).outcomes, batch.state(0).outcomes + ensemble.scenario().outcomes.size());
  }
  Vec3 position(std::size_t i) const { return vector_at(q.data() + 14 * i + 7, 0); }
  Quaternion turn(std::size_t i) const { return quaternion_at(q.data() + 14 * i + 10, 0); }
  Vec3 velocity(std::size_t i) const { return vector_at(v.data() + 12 * i + 6, 0); }
  Vec3 spin(std::size_t i) const { return vector_at(v.data() + 12 * i + 9, 0); }
};

// X = x + R d, Q = q q_p, V = v + w x R d of the body that is written in its centre of mass and principal axes.
TEST(AnLOfTwoBoxes, MovesAsTheSameBodyInItsPrincipalAxes) {
  const Scenario scenario = parse_scenario(falling_l(l_shapes), "l.yaml");
  const BodySpec& body = scenario.bodies[1];
  const TracedMass mass = mass_of(body, nullptr);
  const Vec3 d = value_of(mass.centre), w = value_of(body.spin, nullptr);
  const Quaternion p = value_of(mass.turn), q = rotation_of(body.rotation, nullptr), back{p.w, -p.x, -p.y, -p.z};
  const Vec3 arm = rotate(rotation_matrix(q), d);
  char text[64];
  std::snprintf(text, sizeof text, "    mass: %.17g\n", mass.mass.value());
  std::string by_hand = text;
  by_hand += "    inertia: " + list(value_of(mass.moments)) + "\n";
  by_hand += "    position: " + list(value_of(body.position, nullptr) + arm) + "\n    rotation: " + list(q * p) + "\n";
  by_hand +=
      "    velocity: " + list(value_of(body.velocity, nullptr) + cross(w, arm)) + "\n    spin: " + list(w) + "\n";
  by_hand += "    shapes:\n";
  for (const ShapeSpec& shape : body.shapes)
    by_hand += "      - {box: {size: " + list(value_of(shape.box.size, nullptr)) +
               "}, position: " + list(rotate_back(value_of(mass.axes), value_of(shape.position, nullptr) - d)) +
               ", rotation: " + list(back * rotation_of(shape.rotation, nullptr)) + "}\n";
  const Record written(falling_l(l_shapes)), principal(falling(by_hand));
  ASSERT_EQ(written.status, Status::ok);
  ASSERT_EQ(principal.status, Status::ok);
  for (std::size_t i = 0; i < written.entries; ++i) {
    const Vec3 offset = rotate(rotation_matrix(written.turn(i)), d), spin = written.spin(i);
    ASSERT_LT((written.position(i) + offset - principal.position(i)).norm(), 1e-12) << i;
    ASSERT_LT((written.velocity(i) + cross(spin, offset) - principal.velocity(i)).norm(), 1e-10) << i;
    ASSERT_LT((spin - principal.spin(i)).norm(), 1e-10) << i;
    const Mat3 R = rotation_matrix(written.turn(i)) * value_of(mass.axes), S = rotation_matrix(principal.turn(i));
    ASSERT_LT((R - S).cwiseAbs().maxCoeff(), 1e-12) << i;
  }
  EXPECT_LT(written.position(written.entries - 1)[2], 0.1) << "it has landed";
}

TEST(AnLOfTwoBoxes, HasQuantitiesOfItsOwnFrame) {
  const Record record(falling_l(l_shapes, R"(outcomes:
  x: {at_end: l.position.x}
  vy: {at_end: l.velocity.y}
  wz: {at_end: l.spin.z}
  axis: {at_end: l.axis_y.z}
)"));
  const std::size_t last = record.entries - 1;
  EXPECT_EQ(record.outcomes[0], record.position(last)[0]);
  EXPECT_EQ(record.outcomes[1], record.velocity(last)[1]);
  EXPECT_EQ(record.outcomes[2], record.spin(last)[2]);
  EXPECT_NEAR(record.outcomes[3], rotation_matrix(record.turn(last))(2, 1), 1e-15);
  expect_near(record.position(0), {0.1, 0.2, 0.3}, 1e-15);
  expect_near(record.velocity(0), {0.3, 0, -1}, 1e-14);
}

// v = h F / m of the first step, with F at the start, where nothing moves yet.
TEST(AnLOfTwoBoxes, FeelsForcesOfItsOwnFrame) {
  const std::string text = falling(
      "    density: 800\n    position: [0.1, 0.2, 3]\n"
      "    rotation: {axis: [0, 0, 1], degrees: 30}\n    shapes:" +
          std::string(l_shapes),
      "forces: [{body: l, force: [l.position.x, l.axis_y.x, 9.81]}]\n");
  const Ensemble ensemble(parse_scenario(text, "l.yaml"));
  Batch batch(ensemble.model(), 1);
  ensemble.draw(0, batch, 0);
  run_batch(batch, 1, {1, 0, nullptr});
  const double share = 0.002 / batch.parameters(0).mass[1];
  EXPECT_NEAR(batch.state(0).velocity[3], 0.1 * share, 1e-15 * share);
  EXPECT_NEAR(batch.state(0).velocity[4], -0.5 * share, 2e-15 * share);
}

TEST(AFullInertia, IsAboutTheCentreOfMassInTheAxesOfTheBody) {
  const Scenario scenario =
      parse_scenario(falling("    {mass: 2, centre_of_mass: [0.1, 0, -0.2], position: [0, 0, 1],\n"
                             "     inertia: [0.02, 0.03, 0.04, 0.001, -0.002, 0.003]}\n"),
                     "l.yaml");
  const TracedMass mass = mass_of(scenario.bodies[1], nullptr);
  const Mat3 R = value_of(mass.axes), J = R * value_of(mass.moments).asDiagonal() * R.transpose();
  const double expected[3][3] = {{0.02, 0.001, -0.002}, {0.001, 0.03, 0.003}, {-0.002, 0.003, 0.04}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(J(i, j), expected[i][j], 1e-16);
  expect_near(value_of(mass.centre), {0.1, 0, -0.2});
  EXPECT_THAT(scenario.canonical, testing::HasSubstr("inertia: [0.02, 0.03, 0.04, 0.001, -0.002, 0.003]"));
  EXPECT_EQ(parse_scenario(scenario.canonical, "again.yaml").canonical, scenario.canonical);
}

/// Two boxes with random densities, or with those given.
std::string with_densities(const std::string& one, const std::string& two) {
  return falling(
      "    position: [0.1, 0.2, 0.3]\n    spin: [3, -5, 2]\n    shapes:\n"
      "      - {box: {size: [0.2, 0.04, 0.02]}, position: [0.1, 0, 0], density: " +
      one + "}\n" + "      - {box: {size: [0.04, 0.16, 0.02]}, position: [0.02, 0.1, 0.03], density: " + two + "}\n");
}

TEST(RandomDensities, AreAsGoodAsGivenOnes) {
  const Ensemble random(parse_scenario(with_densities("$one", "$two"), "l.yaml"));
  for (std::int64_t sample = 0; sample < 5; ++sample) {
    const std::vector<double> drawn = random.draw(sample);
    char one[32], two[32];
    std::snprintf(one, sizeof one, "%.17g", drawn[0]);
    std::snprintf(two, sizeof two, "%.17g", drawn[1]);
    const Ensemble given(parse_scenario(with_densities(one, two), "l.yaml"));
    Batch batch(random.model(), 1), same(given.model(), 1);
    ASSERT_FALSE(random.load(sample, batch, 0));
    ASSERT_FALSE(given.load(sample, same, 0));
    const ParameterMemory a = batch.parameters(0), b = same.parameters(0);
    EXPECT_NEAR(a.mass[1], b.mass[1], 1e-15);
    const auto expect_all = [](const double* x, const double* y, int count, double tolerance) {
      for (int k = 0; k < count; ++k) EXPECT_NEAR(x[k], y[k], tolerance) << k;
    };
    expect_all(a.inertia + 3, b.inertia + 3, 3, 1e-17);
    expect_all(a.frame_position, b.frame_position, 3, 1e-15);
    expect_all(a.frame_orientation, b.frame_orientation, 4, 1e-14);
    expect_all(a.start_position + 3, b.start_position + 3, 3, 1e-15);
    expect_all(a.start_velocity + 3, b.start_velocity + 3, 3, 1e-14);
    expect_all(a.shape_position + 3, b.shape_position + 3, 6, 1e-15);
  }
}

// The frame of a body whose shapes are symmetric in every sample is its own, to the last bit.
TEST(RandomSizes, OfASymmetricBodyLeaveItsFrame) {
  const Ensemble ensemble(parse_scenario(
      falling("    mass: 1\n    position: [0.1, 0.2, 3]\n    spin: [1, 2, 3]\n    velocity: [1, 0, 0]\n    shapes:\n"
              "      - {box: {size: [0.2, $one/1e4, 0.1]}, position: [$two/1e4, 0, 0]}\n"
              "      - {box: {size: [0.2, $one/1e4, 0.1]}, position: [-$two/1e4, 0, 0]}\n"),
      "l.yaml"));
  Batch batch(ensemble.model(), 1);
  ASSERT_FALSE(ensemble.load(3, batch, 0));
  const ParameterMemory p = batch.parameters(0);
  EXPECT_EQ(vector_at(p.frame_position, 0), Vec3::Zero());
  EXPECT_EQ(p.frame_orientation[0], 1);
  EXPECT_EQ(vector_at(p.start_position, 1), Vec3(0.1, 0.2, 3));
  EXPECT_EQ(vector_at(p.start_velocity, 1), Vec3(1, 0, 0));
}

// Joints tie points of the world, wherever the frame of the body is: a pendulum keeps its length.
TEST(AJoint, OfABodyWithItsOwnFrameHoldsThePointThatIsWritten) {
  const Record record(falling("    density: 800\n    position: [0, 0, 2]\n    shapes:" + std::string(l_shapes),
                              "joints: {pin: {ball: [world, l], at: [0, 0, 2]}}\n"));
  ASSERT_EQ(record.status, Status::ok);
  for (std::size_t i = 0; i < record.entries; ++i)
    ASSERT_LT((record.position(i) - Vec3(0, 0, 2)).norm(), 1e-4) << "the origin is the pin: " << i;
  EXPECT_GT(record.spin(record.entries - 1).norm(), 0.5) << "it swings";
}

}  // namespace
}  // namespace jostle
