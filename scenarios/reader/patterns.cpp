// `pattern`: several bodies or shapes at equal angles about an axis, or at equal distances in a row.
#include <array>
#include <cmath>
#include <numbers>

#include "core/expression/evaluate.hpp"
#include "core/math/trigonometry.hpp"
#include "scenarios/reader/number_sum.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

/// Cosine and sine; exact for quarters of a turn.
std::array<double, 2> direction_of(double degrees) {
  const double angle = std::remainder(degrees, 360.0), quarters = std::nearbyint(angle / 90);
  if (angle == 90 * quarters) {
    constexpr double sines[] = {0, 1, 0, -1};
    const int k = (static_cast<int>(quarters) + 4) % 4;
    return {sines[(k + 1) % 4], sines[k]};
  }
  double sine = 0, cosine = 0;
  sine_cosine(angle * (std::numbers::pi / 180), sine, cosine);
  return {cosine, sine};
}

/// The turn about a coordinate axis through the origin.
void turn(Number (&vector)[3], int axis, const std::array<double, 2>& direction) {
  const auto [c, s] = direction;
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  NumberSum along(vector[first].where), across(vector[second].where);
  along.add(c, vector[first]), along.add(-s, vector[second]);
  across.add(s, vector[first]), across.add(c, vector[second]);
  vector[first] = along.take(), vector[second] = across.take();
}

void add(Number (&vector)[3], double factor, const Number (&other)[3]) {
  for (int k = 0; k < 3; ++k) {
    NumberSum sum(vector[k].where);
    sum.add(1, vector[k]), sum.add(factor, other[k]);
    vector[k] = sum.take();
  }
}

double angle_of(const PatternSpec& pattern, int number) {
  return pattern.has_degrees ? number * pattern.degrees : number * 360.0 / static_cast<double>(pattern.count);
}

void place(Number (&position)[3], const PatternSpec& pattern, int number) {
  if (pattern.has_step) return add(position, number, pattern.step);
  add(position, -1, pattern.at);
  turn(position, static_cast<int>(pattern.axis), direction_of(angle_of(pattern, number)));
  add(position, 1, pattern.at);
}

/// The same rotation and then a turn about the axis of the pattern.
void turn(RotationSpec& rotation, const PatternSpec& pattern, int number) {
  using Kind = RotationSpec::Kind;
  if (!pattern.has_axis || rotation.kind == Kind::uniform) return;
  RotationSpec further;
  further.kind = Kind::axis_angle;
  further.axis[static_cast<int>(pattern.axis)].constant = 1;
  further.degrees.constant = angle_of(pattern, number);
  if (rotation.kind == Kind::none) {
    rotation = further;
  } else if (rotation.kind == Kind::sequence) {
    rotation.turns.push_back(further);
  } else {
    RotationSpec sequence;
    sequence.kind = Kind::sequence;
    sequence.turns = {rotation, further};
    rotation = sequence;
  }
}

/// Sums of expressions have more intermediate values than these: memory for them is that of one from the parser.
void check_depth(const SourceNames& sources, const PatternSpec& pattern, const std::string& path,
                 const Number (&vector)[3]) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<Instruction>& code = vector[k].code;
    if (code.empty() || operands_of({code.data(), static_cast<int>(code.size())}) < max_stack_depth) continue;
    sources.fail(pattern.where, item_path(path, k) + ": its pattern needs too many intermediate values, more than " +
                                    std::to_string(max_stack_depth) +
                                    " (write the deeper part of each operation first)");
  }
}

}  // namespace

std::int64_t pattern_count(const SourceNames& sources, const Node& node, const std::string& path) {
  const Node* const pattern = node.find("pattern");
  const Node* const count = pattern ? pattern->find("count") : nullptr;
  return count ? read_whole_number(sources, *count, path + ".pattern.count", 1, 1000) : 1;
}

void place_in_pattern(const SourceNames& sources, const std::string& path, ShapeSpec& shape, int number) {
  if (shape.pattern.count == 0 || number == 0) return;
  place(shape.position, shape.pattern, number);
  check_depth(sources, shape.pattern, path + ".position", shape.position);
  turn(shape.rotation, shape.pattern, number);
}

void place_in_pattern(const SourceNames& sources, const std::string& path, BodySpec& body, int number) {
  const PatternSpec& pattern = body.pattern;
  if (pattern.count == 0 || number == 0) return;
  place(body.position, pattern, number);
  check_depth(sources, pattern, path + ".position", body.position);
  turn(body.rotation, pattern, number);
  if (!pattern.has_axis) return;
  const auto direction = direction_of(angle_of(pattern, number));
  const auto turn_with = [&](Number(&vector)[3], const char* key) {
    turn(vector, static_cast<int>(pattern.axis), direction);
    check_depth(sources, pattern, path + key, vector);
  };
  turn_with(body.velocity, ".velocity"), turn_with(body.spin, ".spin");
  turn_with(body.prescribed.velocity, ".prescribed.velocity"), turn_with(body.prescribed.spin, ".prescribed.spin");
}

void check_read(const Reading&, const MapReader& map, PatternSpec& pattern) {
  pattern.has_axis = map.find("axis") != nullptr;
  pattern.has_degrees = map.find("degrees") != nullptr;
  pattern.has_step = map.find("step") != nullptr;
  if (pattern.has_axis == pattern.has_step)
    map.fail(map.path() + (pattern.has_axis ? " has both axis and step, only one is allowed" : " needs axis or step"));
  for (const char* const key : {"degrees", "at"})
    if (map.find(key) && !pattern.has_axis) map.fail(key, " has no meaning without an axis");
}

}  // namespace jostle
