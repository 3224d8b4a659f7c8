// Discs, tins and blocks with closed forms.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class CylinderForms : public testing::TestWithParam<const char*> {
 protected:
  bool is(const char* method) const { return std::string(method) == GetParam(); }
  static Simulation simulation(double h, double duration, const std::string& text, const std::string& more = "") {
    return Simulation(tied_scenario(
        h, duration, std::string("friction_cone: circle, method: ") + GetParam() + (more.empty() ? "" : ", ") + more,
        text));
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, CylinderForms,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

const std::string level_floor = "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n";

/// What an impact on the other corner leaves of the energy of a block that rocks with the step h: m g (height of the
/// centre - high) + kinetic is constant between impacts.
double left_by_rocking(const std::string& method, double h) {
  constexpr double b = 0.05, high = 0.2;
  const double a = std::atan(b / high), tilt = 0.6 * a, c = std::cos(tilt), s = std::sin(tilt);
  char text[500];
  std::snprintf(text, sizeof text,
                "  block: {mass: 1, freedom: [x, z, ry], shape: {box: {size: [0.1, 0.1, 0.4]}}, position: [%.17g, 0, "
                "%.17g], rotation: {axis: [0, 1, 0], degrees: %.17g}}\ncontacts: [{between: any, friction: 5}]\n",
                -b * c + high * s, b * s + high * c, tilt * 180 / pi);
  Simulation block(tied_scenario(h, 1.1, "method: " + method, level_floor + text));
  std::vector<double> phases;
  double angle = tilt, sum = 0;
  int count = 0;
  block.watch([&](const StateView& state) {
    const int i = block.body("block");
    const double now = state.angle[i];
    const double z = state.position[3 * i + 2], u = state.velocity[3 * i], v = state.velocity[3 * i + 2];
    const double w = state.spin[3 * i + 1], J = (4 * b * b + 4 * high * high) / 12;
    const double energy = g * (z - high) + (u * u + v * v + J * w * w) / 2;
    if (now * angle < 0) phases.push_back(sum / count), sum = count = 0;
    sum += energy, ++count, angle = now;
  });
  EXPECT_EQ(block.status(), Status::ok);
  EXPECT_GE(phases.size(), 2U);
  return phases.size() < 2 ? 0 : phases[1] / phases[0];
}

// Housner's block: every impact on the other corner leaves 1 - 1.5 sin^2 a of the spin, tan a = b/h.
TEST_P(CylinderForms, ABlockRocksWithHousnersRatio) {
  const double a = std::atan(0.05 / 0.2), ratio = std::pow(1 - 1.5 * std::sin(a) * std::sin(a), 2);
  // of order 1; the impact of both trapezoidal methods is at its time, and of the second one the way between, too
  const double bound = is("trapezoidal_midpoint") ? 0.01 : is("trapezoidal") ? 0.25 : is("anitescu_potra") ? 10 : 20;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) EXPECT_NEAR(left_by_rocking(GetParam(), h), ratio, bound * h) << h;
}

/// Degrees and radians of a disc that has turned for a second with the step h.
struct Turned {
  double tilt, angle;
};

// A disc that rolls on its rim in a steady turn: with the tilt T of its axis and the turn rate O, the equations of
// moments about its centre are linear in the spin about the axis.
Turned turned_disc(const std::function<Simulation(double, double, const std::string&)>& simulation, double h) {
  constexpr double R = 0.1, L = 0.02, b = L / 2, O = 3, duration = 1;
  constexpr double A = R * R / 4 + L * L / 12, C = R * R / 2;
  const double T = 70 * pi / 180, s = std::sin(T), c = std::cos(T);
  const auto moment = [&](double spin) {
    const double u = b * O * s - R * spin;
    return O * s * (C * spin - A * O * c) + R * (-u * O * s + g * c) - b * (u * O * c + g * s);
  };
  const double spin = -moment(0) / (moment(1) - moment(0));
  const Vec3 up(0, c, s), axis(0, -s, c), arm = R * up + b * axis, w = O * s * up + spin * axis, v = cross(w, arm);
  char text[600];
  std::snprintf(text, sizeof text,
                "  disc: {mass: 1, shape: {cylinder: {length: 0.02, radius: 0.1}}, position: [0, 0, %.17g], rotation: "
                "{axis: [1, 0, 0], degrees: 70}, velocity: [%.17g, %.17g, %.17g], spin: [%.17g, %.17g, %.17g]}\n"
                "contacts: [{between: any, friction: 2}]\noutcomes: {tilt: {at_end: disc.axis_z.z}, x: {at_end: "
                "disc.axis_z.x}, y: {at_end: disc.axis_z.y}}\n",
                arm[2], v[0], v[1], v[2], w[0], w[1], w[2]);
  Simulation disc = simulation(h, duration, level_floor + text);
  disc.run();
  EXPECT_EQ(disc.status(), Status::ok);
  const double tilt = std::acos(disc.outcome("tilt")) * 180 / pi;
  double turned = std::atan2(disc.outcome("y"), disc.outcome("x")) + pi / 2;
  if (turned < 0) turned += 2 * pi;
  return {tilt, turned};
}

TEST_P(CylinderForms, ADiscTurnsSteadily) {
  const auto run = [](double h, double duration, const std::string& text) { return simulation(h, duration, text); };
  const bool is_second_order = is("trapezoidal_midpoint");
  const double tilts = is_second_order ? 400 : is("trapezoidal") ? 630 : is("anitescu_potra") ? 3100 : 4000;
  const double turns = is_second_order ? 90 : is("trapezoidal") ? 42 : is("anitescu_potra") ? 180 : 280;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    const Turned disc = turned_disc(run, h);
    const double size = is_second_order ? h * h : h;
    EXPECT_NEAR(disc.tilt, 70, tilts * size) << h;
    EXPECT_NEAR(disc.angle, 3, turns * size) << h;
  }
}

// In a groove whose walls lean by 45 degrees a rod presses with sqrt 2 times its weight: it slides along from the tilt
// tan t = sqrt 2 mu on.
TEST_P(CylinderForms, ARodSlidesAlongAGroove) {
  constexpr double mu = 0.4, h = 0.005;
  for (const double side : {0.98, 1.03}) {
    const double t = std::atan(std::sqrt(2) * mu * side), s = std::sin(t), c = std::cos(t);
    char gravity[100];
    std::snprintf(gravity, sizeof gravity, "gravity: [%.17g, 0, %.17g]", g * s, -g * c);
    Simulation rod = simulation(h, 1,
                                "bodies:\n  left: {fixed: true, shape: {half_space: {normal: [0, 1, 1]}}}\n  right: "
                                "{fixed: true, shape: {half_space: {normal: [0, -1, 1]}}}\n  rod: {mass: 1, shape: "
                                "{cylinder: {length: 0.3, radius: 0.05, axis: x}}, position: [0, 0, "
                                "\"0.05*sqrt(2)\"]}\ncontacts: [{between: any, friction: 0.4}]\n",
                                gravity);
    rod.run();
    ASSERT_EQ(rod.status(), Status::ok);
    const double way = side < 1 ? 0 : 0.5 * g * (s - std::sqrt(2) * mu * c);
    EXPECT_NEAR(rod.position("rod", 0), way, side < 1 ? 1e-9 : 0.01 * way) << side;
  }
}

// A tin that spins on its flat end is braked at its rim, by mu m g R: it stops after R w/(2 mu g).
TEST_P(CylinderForms, ASpinningTinStopsAsARing) {
  constexpr double R = 0.05, w = 10, mu = 0.3, h = 0.001;
  Simulation tin = simulation(h, 0.2,
                              level_floor +
                                  "  tin: {mass: 1, shape: {cylinder: {length: 0.05, radius: 0.05}}, position: [0, 0, "
                                  "0.025], spin: [0, 0, 10]}\ncontacts: [{between: any, friction: 0.3}]\n");
  double stopped = 0;
  tin.watch([&](const StateView&) {
    if (std::fabs(tin.spin("tin", 2)) > 1e-2) stopped = tin.state().steps() * h;
  });
  ASSERT_EQ(tin.status(), Status::ok);
  EXPECT_NEAR(stopped, R * w / (2 * mu * g), 2 * h);
}

}  // namespace
}  // namespace jostle
