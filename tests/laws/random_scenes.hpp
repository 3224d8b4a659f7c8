#pragma once
// Texts of random scenes: bodies of all shapes, tied in chains and loops by all joints, with springs, drag, contacts,
// limits, motors and floors that lie, lean or move.
#include <string>

#include "tests/laws/random_texts.hpp"
#include "tests/laws/tied_bodies.hpp"

namespace jostle {

struct RandomScene {
  double step;
  std::string world, text;
  bool has_friction = false, is_driven = false, restores = false;
  double power = 0;       ///< N m or N: the most that each motor gives
  double told_speed = 0;  ///< m/s: the most that a told body has
  double softness = 0;    ///< sum of h^2 k/m: what a spring may gain in a step, of its energy

  Scenario scenario(const std::string& method) const {
    return tied_scenario(step, 0.6, "method: " + method + (world.empty() ? "" : ", ") + world, text);
  }
};

class SceneGenerator : RandomTexts {
 public:
  SceneGenerator(unsigned seed, const std::string& method)
      : RandomTexts(seed), is_smooth_(method == "loetstedt"), has_impacts_(method != "stewart_trinkle") {}

  RandomScene make() {
    scene_.step = pick(2) == 0 ? 0.004 : 0.002;
    planar_ = pick(3) == 0;
    std::string bodies = floor();
    const int count = 2 + pick(4);
    const bool is_mechanism = pick(3) > 0;
    for (int b = 0; b < count; ++b) bodies += is_mechanism ? link(b) : part(b);
    scene_.text = "bodies:\n" + bodies;
    std::string joints = is_mechanism ? mechanism(count) : pick(3) == 0 ? "  j: {distance: [b0, b1]}\n" : "";
    if (!joints.empty()) scene_.text += "joints:\n" + joints;
    if (pick(3) == 0) springs(count);
    if (pick(4) == 0) {
      scene_.text += "forces:\n  - {body: b0, force: [\"-0.1*b0.velocity.x\", 0, \"0.3*sin(20*t)\"]}\n";
      scene_.is_driven = true;
    }
    const double mu = is_smooth_ || pick(4) == 0 ? 0 : uniform(0.1, 1);
    scene_.has_friction = mu > 0;
    scene_.restores = has_impacts_ && pick(2) == 0;
    scene_.text += "contacts:\n  - {between: any, friction: " + written(mu) +
                   (scene_.restores ? ", restitution: " + number(0, 0.8) : "") + "}\n";
    if (scene_.has_friction && !planar_ && pick(4) == 0) scene_.world = "friction_cone: circle";
    return scene_;
  }

 private:
  std::string in_space(double size) { return planar_ ? "0" : number(-size, size); }
  std::string vector(double size) {
    return joined({"[", number(-size, size), ", ", in_space(size), ", ", number(-size, size), "]"});
  }

  /// Still, leaning, a belt, or shaken.
  std::string floor() {
    const std::string plane = "shape: {half_space: {normal: [0, 0, 1]}}}\n";
    switch (pick(6)) {
      case 0: return "  floor: {fixed: true, shape: {half_space: {normal: [" + number(-0.3, 0.3) + ", 0, 1]}}}\n";
      case 1:
        scene_.told_speed = 0.5;
        return "  floor: {prescribed: {velocity: [" + number(-0.5, 0.5) + ", 0, 0]}, " + plane;
      case 2:
        scene_.told_speed = 0.3;
        return joined({"  floor: {prescribed: {velocity: [0, 0, \"", number(0.05, 0.3), "*sin(", number(5, 25),
                       "*t)\"]}, ", plane});
      default: return "  floor: {fixed: true, " + plane;
    }
  }

  std::string shape(double size) {
    switch (pick(planar_ ? 2 : 4)) {
      case 0: return "sphere: {radius: " + written(size) + "}";
      case 1:
        return "box: {size: [" + written(2 * size) + ", " + written(1.4 * size) + ", " + written(1.2 * size) + "]}";
      case 2: return "capsule: {length: " + written(1.2 * size) + ", radius: " + written(0.4 * size) + ", axis: x}";
      default: return "cylinder: {length: " + written(1.4 * size) + ", radius: " + written(0.7 * size) + "}";
    }
  }
  std::string moving(int b, double size, double x, double z, const std::string& rotation) {
    mass_[b] = std::exp(uniform(-2, 1.2)), x_[b] = x, z_[b] = z;
    return "  " + name(b) + ": {mass: " + written(mass_[b]) + (planar_ ? ", freedom: [x, z, ry]" : "") + ", shape: {" +
           shape(size) + "}, position: [" + written(x) + ", 0, " + written(z) + "]" + rotation;
  }

  /// Of a chain along x, above the floor.
  std::string link(int b) {
    if (b == 0) height_ = uniform(0.2, 0.4);
    return joined({moving(b, uniform(0.03, 0.07), 0.2 * b, height_, ""),
                   pick(2) == 0 ? ", velocity: [0, 0, " + number(-1, 1) + "]" : "", "}\n"});
  }
  /// Thrown above those before.
  std::string part(int b) {
    const double size = uniform(0.04, 0.1);
    if (b == 0) height_ = 0.32;
    height_ += 2 * size;
    std::string turn;
    if (pick(2) != 0)
      turn = joined({", rotation: {axis: ", planar_ ? "[0, 1, 0]" : vector(1), ", degrees: ", number(5, 85), "}"});
    std::string text = joined({moving(b, size, uniform(-0.03, 0.03), height_, turn), ", velocity: ", vector(0.8),
                               ", spin: ", planar_ ? "[0, " + number(-4, 4) + ", 0]" : vector(4), "}\n"});
    height_ += 2 * size;
    return text;
  }

  std::string mechanism(int count) {
    std::string joints;
    if (pick(2) == 0) joints += joint("hook", "world", "b0", -0.1);
    for (int b = 0; b + 1 < count; ++b) joints += joint("j" + std::to_string(b), name(b), name(b + 1), 0.2 * b + 0.1);
    // aslant: along the chain the loop would be closed to first order alone
    if (count > 2 && pick(3) == 0)
      joints += "  loop: {distance: [b0, " + name(count - 1) + "], at: [[0.01, 0, " + written(height_ + 0.08) + "], [" +
                written(0.2 * count - 0.21) + ", 0, " + written(height_ - 0.05) + "]]}\n";
    if (count > 2 && pick(5) == 0)
      joints += "  rope: {distance: [world, " + name(count - 1) + "], at: [[" + written(0.2 * count) + ", 0, 0.8], [" +
                written(0.2 * count - 0.2) + ", 0, " + written(height_) + "]]}\n";
    return joints;
  }
  std::string joint(const std::string& label, const std::string& a, const std::string& b, double x) {
    static constexpr const char* kinds[] = {"revolute", "ball", "prismatic", "fixed", "distance"};
    static constexpr int of[] = {0, 0, 0, 1, 1, 2, 2, 3, 4, 0};
    const int kind = of[pick(10)];
    std::string text = "  " + label + ": {" + kinds[kind] + ": [" + a + ", " + b + "]";
    const std::string z = written(height_);
    if (kind == 4 && a == "world") text += ", at: [[" + written(x - 0.1) + ", 0, 0.7], [0, 0, " + z + "]]";
    if (kind < 2) text += ", at: [" + written(x) + ", 0, " + z + "]";
    if (kind == 0)
      text += std::string(", axis: ") + (planar_ || pick(2) == 0 ? "[0, 1, 0]"
                                         : pick(2) == 0          ? "[0, 0, 1]"
                                                                 : "[0.3, 1, 0.2]");
    if (kind == 2) text += pick(2) == 0 ? ", axis: [1, 0, 0]" : ", axis: [0, 0, 1]";
    if (kind == 0 || kind == 2) text += along_axis(kind == 0 ? 1 : 0.1);
    return text + "}\n";
  }
  std::string along_axis(double size) {
    std::string text;
    if (pick(3) == 0) text += ", friction: " + number(0.01, 0.3);
    if (pick(3) == 0) {
      text += joined({", limits: [", number(-0.8 * size, -0.05 * size), ", ", number(0.05 * size, 0.8 * size), "]"});
      if (has_impacts_ && pick(2) == 0) text += ", restitution: " + number(0, 0.8);
    }
    if (pick(4) == 0) {
      const double limit = uniform(0.1, 1);
      scene_.power = std::max(scene_.power, limit);
      text += ", motor: {speed: \"" + number(0.5, 2) + "*sin(4*t)\", limit: " + written(limit) + "}";
    }
    return text;
  }
  void springs(int count) {
    const int b = pick(count);
    const double stiffness = uniform(5, 60);
    scene_.softness += stiffness * scene_.step * scene_.step / mass_[b];
    scene_.text +=
        joined({"springs:\n  s: {between: [world, ", name(b), "], at: [[", number(-0.2, 0.4), ", ", in_space(0.1),
                ", 2.4], [", written(x_[b]), ", 0, ", written(z_[b] + 0.02), "]], stiffness: ", written(stiffness),
                pick(2) == 0 ? ", damping: " + number(0.05, 0.5) : "", "}\n"});
  }

  bool is_smooth_, has_impacts_, planar_ = false;
  RandomScene scene_;
  double height_ = 0, mass_[8] = {}, x_[8] = {}, z_[8] = {};
};

}  // namespace jostle
