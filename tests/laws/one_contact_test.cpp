// Impacts of one contact with friction in a plane, against all modes that it may have: open, stick, slip to either
// side.
#include <Eigen/Cholesky>
#include <random>

#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct OneContact {
  MatrixXd mass;
  VectorXd normal, tangent;
  double friction;

  struct Answer {
    VectorXd velocity;
    double normal_impulse, friction_impulse;
  };

  /// All answers of M v = r + n c + d s with 0 <= n'v + b _|_ c >= 0 and Coulomb's law.
  std::vector<Answer> answers(const VectorXd& momentum, double bias) const {
    const auto inverse = mass.llt();
    const VectorXd free = inverse.solve(momentum), of_n = inverse.solve(normal), of_d = inverse.solve(tangent);
    std::vector<Answer> found;
    const auto add_if_valid = [&](double c, double s) {
      const VectorXd v = free + of_n * c + of_d * s;
      const double gap = normal.dot(v) + bias, slip = tangent.dot(v);
      if (c < -1e-11 || gap < -1e-11 || std::fabs(c * gap) > 1e-9 || std::fabs(s) > friction * c + 1e-10) return;
      if (std::fabs(slip) > 1e-9 && c > 0 && std::fabs(s + std::copysign(friction * c, slip)) > 1e-9) return;
      for (const Answer& other : found)
        if ((other.velocity - v).norm() < 1e-9) return;
      found.push_back({v, c, s});
    };
    const double nn = normal.dot(of_n), nd = normal.dot(of_d), dd = tangent.dot(of_d);
    const double approach = normal.dot(free) + bias, slide = tangent.dot(free);
    add_if_valid(0, 0);
    const double det = nn * dd - nd * nd;
    add_if_valid((-approach * dd + slide * nd) / det, (-slide * nn + approach * nd) / det);
    for (const double side : {friction, -friction}) {
      const double c = -approach / (nn + side * nd);
      if (std::isfinite(c)) add_if_valid(c, side * c);
    }
    return found;
  }

  /// The velocities after an impact by Newton's law, or by Poisson's with tangential restitution e_t.
  std::vector<VectorXd> after(const VectorXd& before, double e, double e_t, bool newton) const {
    std::vector<VectorXd> ends;
    for (const Answer& first : answers(mass * before, newton ? e * normal.dot(before) : 0)) {
      if (newton) {
        ends.push_back(first.velocity);
        continue;
      }
      const VectorXd momentum =
          mass * first.velocity + normal * (e * first.normal_impulse) + tangent * (e_t * first.friction_impulse);
      for (const Answer& second : answers(momentum, 0)) ends.push_back(second.velocity);
    }
    return ends;
  }
  double energy(const VectorXd& v) const { return v.dot(mass * v) / 2; }
};

double nearest(const std::vector<VectorXd>& ends, const VectorXd& found) {
  double least = infinity();
  for (const VectorXd& end : ends) least = std::min(least, (end - found).cwiseAbs().maxCoeff());
  return least;
}

struct Random {
  std::mt19937 engine{11};
  double operator()(double low, double high) { return low + (high - low) * (static_cast<double>(engine()) * 0x1p-32); }
};

constexpr double bar_length = 1, inertia_of_bar = bar_length * bar_length / 12;

/// Two bars of 1 m and 1 kg hang at the angles a and b from the vertical; the tip of the second touches the floor.
OneContact double_pendulum(double a, double b, double friction) {
  OneContact contact;
  contact.mass.resize(2, 2), contact.normal.resize(2), contact.tangent.resize(2);
  const double across = bar_length * bar_length / 2 * std::cos(a - b);
  contact.mass << inertia_of_bar + 1.25 * bar_length * bar_length, across, across,
      inertia_of_bar + bar_length * bar_length / 4;
  contact.normal << bar_length * std::sin(a), bar_length * std::sin(b);
  contact.tangent << bar_length * std::cos(a), bar_length * std::cos(b);
  contact.friction = friction;
  return contact;
}

struct Struck {
  VectorXd velocity;
  double gained;  ///< J
};

/// Its angular velocities right after the impact.
Struck strike_double_pendulum(double a, double b, double u, double v, double friction, double e, const char* law) {
  const double sa = bar_length * std::sin(a), ca = bar_length * std::cos(a), sb = bar_length / 2 * std::sin(b),
               cb = bar_length / 2 * std::cos(b);
  char text[1500];
  std::snprintf(
      text, sizeof text,
      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1], offset: %.17g}}}\n"
      "  one: {mass: 1, inertia: %.17g, freedom: [x, z, ry], position: [%.17g, 0, %.17g], rotation: {axis: [0, 1, 0], "
      "degrees: %.17g}, velocity: [%.17g, 0, %.17g], spin: [0, %.17g, 0]}\n"
      "  two: {mass: 1, inertia: %.17g, freedom: [x, z, ry], shape: {capsule: {length: 1, radius: 0}}, position: "
      "[%.17g, 0, %.17g], rotation: {axis: [0, 1, 0], degrees: %.17g}, velocity: [%.17g, 0, %.17g], spin: [0, %.17g, "
      "0]}\njoints:\n  a: {revolute: [world, one], at: [0, 0, 0], axis: [0, 1, 0]}\n  b: {revolute: [one, two], at: "
      "[%.17g, 0, %.17g], axis: [0, 1, 0]}\ncontacts: [{between: [two, floor], friction: %.17g, restitution: %.17g}]\n",
      -ca - 2 * cb, inertia_of_bar, sa / 2, -ca / 2, -a * 180 / pi, u * ca / 2, u * sa / 2, -u, inertia_of_bar, sa + sb,
      -ca - cb, -b * 180 / pi, u * ca + v * cb, u * sa + v * sb, -v, sa, -ca, friction, e);
  Simulation simulation(tied_scenario(
      1e-9, 1e-9, floats + ", method: anitescu_potra, impact: {threshold: 1e-4, law: " + std::string(law) + "}", text));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  VectorXd after(2);
  after << -simulation.spin("one", 1), -simulation.spin("two", 1);
  return {after, simulation.state().energy_gained()};
}

VectorXd two(double u, double v) {
  VectorXd both(2);
  both << u, v;
  return both;
}

// Kane and Levinson's pendulum, which touches the floor at 20 and 30 degrees with .1 and .2 rad/s: with friction
// Newton's law multiplies its energy, Poisson's does not.
TEST(KanesPendulum, GainsEnergyByNewtonsLawAlone) {
  const double a = pi / 9, b = pi / 6;
  const OneContact contact = double_pendulum(a, b, 0.5);
  const VectorXd before = two(-0.1, -0.2);
  const struct {
    const char* law;
    double e, ratio;
  } cases[] = {{"newton", 0.5, 1.59},  {"newton", 0.7, 2.76},  {"newton", 1, 3.44},
               {"poisson", 0.5, 0.54}, {"poisson", 0.7, 0.57}, {"poisson", 1, 0.64}};
  for (const auto& [law, e, ratio] : cases) {
    SCOPED_TRACE(std::string(law) + " " + std::to_string(e));
    const Struck struck = strike_double_pendulum(a, b, -0.1, -0.2, 0.5, e, law);
    EXPECT_LE(nearest(contact.after(before, e, 0, law[0] == 'n'), struck.velocity), 1e-6);
    const double found = contact.energy(struck.velocity) / contact.energy(before);
    EXPECT_NEAR(found, ratio, 0.006);
    EXPECT_NEAR(struck.gained, std::max(found - 1, 0.0) * contact.energy(before), 1e-7) << "and says so";
  }
}

TEST(DoublePendulumThatStrikes, HasTheVelocitiesOfItsModes) {
  Random random;
  int compared = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const bool newton = trial % 2 != 0;
    const double a = random(-1, 1), b = random(-1, 1), u = random(-2, 2), v = random(-2, 2);
    const double friction = random(0, 1.2), e = random(0, 1);
    const OneContact contact = double_pendulum(a, b, friction);
    if (contact.normal.dot(two(u, v)) > -0.05) continue;
    const auto ends = contact.after(two(u, v), e, 0, newton);
    if (ends.empty()) continue;  // by Newton's law: then Poisson's serves
    const Struck struck = strike_double_pendulum(a, b, u, v, friction, e, newton ? "newton" : "poisson");
    EXPECT_LE(nearest(ends, struck.velocity), 1e-6) << "trial " << trial;
    ++compared;
  }
  EXPECT_GE(compared, 30);
}

// A rod whose end strikes the floor, also with tangential restitution.
TEST(RodThatStrikes, HasTheVelocitiesOfItsModes) {
  Random random;
  int compared = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const bool newton = trial % 2 != 0;
    const double length = random(0.3, 1), radius = trial % 4 < 2 ? 0 : 0.05, mu = random(0, 1.2), e = random(0, 1);
    const double J = length * length / 12 * random(0.5, 1.5), e_t = newton || trial % 3 == 0 ? 0 : random(0, 1);
    const double tilt = random(0.1, 1.5);
    const double rx = -length / 2 * std::cos(tilt), ry = -length / 2 * std::sin(tilt) - radius;
    VectorXd before(3);
    before << random(-2, 2), random(-2, 0), random(-3, 3);
    OneContact contact;
    contact.mass = two(1, 1).asDiagonal();
    contact.mass.conservativeResize(3, 3);
    contact.mass.row(2).setZero(), contact.mass.col(2).setZero();
    contact.mass(2, 2) = J;
    contact.normal.resize(3), contact.tangent.resize(3);
    contact.normal << 0, 1, rx;
    contact.tangent << 1, 0, -ry;
    contact.friction = mu;
    if (contact.normal.dot(before) > -0.05) continue;
    const auto ends = contact.after(before, e, e_t, newton);
    if (ends.empty()) continue;
    char text[800];
    std::snprintf(text, sizeof text,
                  "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}\n  rod: {mass: 1, "
                  "inertia: %.17g, freedom: [x, y, rz], shape: {capsule: {length: %.17g, radius: %.17g, axis: x}}, "
                  "position: [%.17g, %.17g, 0], rotation: {axis: [0, 0, 1], degrees: %.17g}, velocity: [%.17g, %.17g, "
                  "0], spin: [0, 0, %.17g]}\ncontacts: [{between: any, friction: %.17g, restitution: %.17g, "
                  "tangential_restitution: %.17g}]\n",
                  J, length, radius, -rx, -ry, tilt * 180 / pi, before[0], before[1], before[2], mu, e, e_t);
    Simulation rod(tied_scenario(
        1e-6, 1e-6, floats + ", method: anitescu_potra, impact: {law: " + (newton ? "newton" : "poisson") + "}", text));
    rod.run();
    ASSERT_EQ(rod.status(), Status::ok);
    VectorXd after(3);
    after << rod.velocity("rod", 0), rod.velocity("rod", 1), rod.spin("rod", 2);
    EXPECT_LE(nearest(ends, after), 1e-9) << "trial " << trial;
    const double change = contact.energy(after) - contact.energy(before);
    EXPECT_NEAR(rod.state().energy_gained(), std::max(change, 0.0), 1e-9);
    ++compared;
  }
  EXPECT_GE(compared, 60);
}

}  // namespace
}  // namespace jostle
