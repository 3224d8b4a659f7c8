#pragma once
// Texts of random scenes of shapes that are not simple: up to four parts are thrown into a pit, on steps, a table or a
// plane. What they gain is in docs/theory.md, "Limits of the scheme".
#include <cmath>
#include <numbers>
#include <string>

#include "tests/laws/random_texts.hpp"
#include "tests/laws/shape_laws.hpp"

namespace jostle {

class RandomShapes : RandomTexts {
 public:
  /// `kind`: polygons, in a plane, or hulls, prisms or surfaces.
  RandomShapes(unsigned seed, const std::string& kind) : RandomTexts(seed), kind_(kind) {}

  /// With friction and, by half, restitution, unless the method has none.
  std::string scene(const std::string& method, const std::string& step) {
    const bool planar = kind_ == "polygons";
    const int place = pick(3), parts = 1 + pick(4);
    std::string bodies = planar ? ground(place) : place < 2 ? ground(0) : table();
    double height = planar && place == 2 ? 0.16 : 0.12;
    for (int i = 0; i < parts; ++i) {
      const double size = uniform(0.02, 0.05), room = kind_ == "surfaces" ? 1.7 * size : 1.1 * size;
      height += room;
      bodies += part(i, size, height, planar);
      height += room;
    }
    const double mu = pick(4) == 0 ? 0 : uniform(0.1, 1), e = pick(2) != 0 ? 0 : uniform(0, 0.8);
    has_friction = mu > 0 && method != "loetstedt", restores = e > 0 && method != "stewart_trinkle";
    return test::scene(
        "method: " + method + ", step: " + step + ", duration: 0.5", bodies,
        "friction: " + (has_friction ? written(mu) : "0") + (restores ? ", restitution: " + written(e) : ""));
  }

  bool has_friction = false, restores = false;  ///< of the last scene

 private:
  std::string vector(double x, double y, double z) const {
    return "[" + written(x) + ", " + written(y) + ", " + written(z) + "]";
  }
  std::string random_vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size);
    return vector(x, y, uniform(-size, size));
  }

  static std::string ground(int place) {
    static const char* const shapes[] = {
        "half_space: {normal: [0, 0, 1]}",
        "polygon: {points: [[-1, 0.3], [-1, -0.3], [1, -0.3], [1, 0.3], [0.15, 0.3], [0.1, 0], [-0.1, 0.02], [-0.15, "
        "0.3]]}",
        "polygon: {points: [[-1, 0.1], [-1, -0.3], [1, -0.3], [1, -0.1], [0.1, -0.1], [0.1, -0.05], [0.02, -0.05], "
        "[0.02, 0], [-0.06, 0], [-0.06, 0.05], [-0.14, 0.05], [-0.14, 0.1]]}"};
    return std::string("  floor: {fixed: true, shape: {") + shapes[place] + "}}\n";
  }
  static std::string table() {
    return "  table: {fixed: true, shape: {box: {size: [0.3, 0.3, 0.2]}}, position: [0, 0, -0.1]}\n"
           "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}, position: [0, 0, -0.1]}\n";
  }

  std::string part(int i, double size, double height, bool planar) {
    std::string text = "  b" + std::to_string(i) + ": {density: 1000";
    if (planar) text += ", freedom: [x, z, ry]";
    const std::string position = vector(uniform(-0.03, 0.03), 0, height);
    text += ", shape: {" + shape(size) + "}, position: " + position;
    text += ", rotation: {axis: " + (planar ? std::string("[0, 1, 0]") : random_vector(1));
    text += ", degrees: " + number(0, 180) + "}";
    const double x = uniform(-0.8, 0.8), y = planar ? 0 : uniform(-0.8, 0.8);
    text += ", velocity: " + vector(x, y, uniform(-1, 0.3));
    return text + ", spin: " + (planar ? vector(0, uniform(-8, 8), 0) : random_vector(8)) + "}\n";
  }

  std::string shape(double size) {
    if (kind_ == "polygons") {
      const bool is_convex = pick(2) == 0;
      const std::string radius = rounding(size);
      return "polygon: {points: [" + outline(size, is_convex) + "]" + radius + "}";
    }
    if (kind_ == "hulls" || (kind_ == "surfaces" && pick(4) == 0)) return hull(size);
    if (kind_ == "prisms" || pick(3) == 0) {
      const bool is_convex = pick(2) == 0;
      const std::string text = "prism: {points: [" + outline(size, is_convex) + "], height: " + written(size);
      return text + (is_convex ? rounding(size) : "") + "}";
    }
    return pyramid_with_a_dent(size);
  }
  std::string rounding(double size) { return pick(4) == 0 ? ", radius: " + written(0.05 * size) : ""; }
  /// Points on a circle, or some of them nearer to its centre.
  std::string outline(double size, bool is_convex) {
    const int corners = 3 + pick(is_convex ? 5 : 6);
    const double first = uniform(0, 6.28);
    std::string text;
    for (int i = 0; i < corners; ++i) {
      const double angle = first + 2 * std::numbers::pi * (i + uniform(-0.2, 0.2)) / corners;
      double r = size;
      if (!is_convex) r *= pick(2) != 0 ? uniform(0.35, 0.6) : uniform(0.8, 1);
      text += (i > 0 ? ", [" : "[") + written(r * std::cos(angle)) + ", " + written(r * std::sin(angle)) + "]";
    }
    return text;
  }
  /// Of points on a sphere.
  std::string hull(double size) {
    const int corners = 4 + pick(8);
    std::string text;
    for (int i = 0; i < corners; ++i) {
      const double z = uniform(-1, 1), angle = uniform(0, 6.28), r = std::sqrt(1 - z * z);
      text += (i > 0 ? ", " : "") + vector(size * r * std::cos(angle), size * r * std::sin(angle), size * z);
    }
    return "hull: {points: [" + text + "]" + rounding(size) + "}";
  }
  std::string pyramid_with_a_dent(double size) {
    const double a = size * uniform(0.8, 1.2), b = size * uniform(0.8, 1.2), top = size * uniform(0.8, 1.4);
    return "surface: {points: [[0, 0, 0], " + vector(a, 0, 0) + ", " + vector(a, b, 0) + ", " + vector(0, b, 0) + ", " +
           vector(a / 2, b / 2, top * uniform(0.1, 0.5)) + ", " + vector(a / 2, b / 2, top) +
           "], faces: [[0, 1, 5], [1, 2, 5], [2, 3, 5], [3, 0, 5], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]}";
  }

  std::string kind_;
};

}  // namespace jostle
