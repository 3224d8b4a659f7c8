#include "scenarios/parameters/plane_areas.hpp"

namespace jostle {
namespace {

/// x - sin x, x >= 0, without cancellation.
Traced above_sine(const Traced& x) {
  const Traced squared = x * x;
  Traced sum = 1;  // of x^3/6 (1 - x^2/(4 5) (1 - x^2/(6 7) (...)))
  for (int k = 9; k > 0; --k) sum = 1 - squared / ((2.0 * k + 2) * (2 * k + 3)) * sum;
  const Traced is_small = x < 1;
  return where(is_small, x * squared / 6 * sum) + where(!is_small, x - Traced::apply(Op::sin, x));
}

}  // namespace

TracedArc::TracedArc(const TracedPoint& p, const TracedPoint& q, const Traced& bulge) {
  const TracedPoint d = q - p;
  const Traced length = sqrt(dot(d, d)), squared = bulge * bulge, size = fabs(bulge), over = 1 / (1 + squared);
  const TracedPoint along = 1 / length * d, out = outwards(along);
  sense = where(bulge > 0, 1) - where(bulge < 0, 1);
  middle = sense * out;
  chord_middle = 0.5 * (p + q);
  centre = chord_middle - length * (1 - squared) / (4 * bulge) * out;
  radius = length * (1 + squared) / (4 * size);
  sagitta = 0.5 * size * length;
  cosine = (1 - squared) * over, sine = 2 * size * over;
  half_angle = 2 * arc_tangent(size, 1);
  first = cosine * out - sense * sine * along, last = cosine * out + sense * sine * along;
}

void AreaSums::add_triangle(const TracedPoint& p, const TracedPoint& q, const TracedPoint& r) {
  const Traced part = 0.5 * turn(q - p, r - p);
  area += part;
  first_moment = first_moment + part / 3 * (p + q + r);
  second_moment += part / 6 * (dot(p, p) + dot(q, q) + dot(r, r) + dot(p, q) + dot(q, r) + dot(r, p));
}

void AreaSums::add_sector(const TracedPoint& p, const Traced& radius, const TracedPoint& m, const TracedPoint& n) {
  const Traced angle = arc_tangent(turn(m, n), dot(m, n)), part = 0.5 * angle * radius * radius;
  // The integral of the direction from m to n is its quarter turn back, from m to n.
  const TracedPoint of_directions = outwards(n - m);
  const TracedPoint first = radius * radius * radius / 3 * of_directions;  // about p
  area += part;
  first_moment = first_moment + part * p + first;
  second_moment += part * radius * radius / 2 + 2 * dot(p, first) + part * dot(p, p);
}

void AreaSums::add_about_chord(const TracedArc& arc, const Traced& part, const Traced& first, const Traced& second) {
  const Traced own = arc.sense * part;
  const TracedPoint moment = arc.sense * first * arc.middle;
  area += own;
  first_moment = first_moment + own * arc.chord_middle + moment;
  second_moment +=
      arc.sense * second + 2 * dot(arc.chord_middle, moment) + own * dot(arc.chord_middle, arc.chord_middle);
}

// Green's theorem about the middle of the chord: with the sagitta f, h = r - f and C = 1 - cos phi along the arc,
// x dy - y dx = r (f + h C) dphi, and the square of the distance is f^2 + 2 r h C.
void AreaSums::add_segment(const TracedArc& arc) {
  const Traced x = arc.half_angle, r = arc.radius, f = arc.sagitta, h = r - f;
  const Traced first = 2 * above_sine(x);                             // integral of C
  const Traced second = 4 * above_sine(x) - 0.5 * above_sine(2 * x);  // of C^2
  add_about_chord(arc, 0.5 * r * (2 * f * x + h * first), r / 3 * (f * f * (2 * x - first) - r * h * second),
                  r / 4 * (2 * f * f * f * x + f * (f * h + 2 * r * h) * first + 2 * r * h * h * second));
}

void AreaSums::add_rim(const TracedArc& arc, const Traced& width) {
  const Traced r = arc.radius, outer = r + arc.sense * width, x = arc.half_angle, h = r - arc.sagitta;
  // Between the radii r and outer; of a concave arc it is inside of r, and adds.
  const Traced squares = outer * outer - r * r, cubes = outer * outer * outer - r * r * r;
  const Traced part = x * squares, about_centre = 2 * arc.sine * cubes / 3,
               polar = 0.5 * x * squares * (outer * outer + r * r);
  add_about_chord(arc, part, about_centre - h * part, polar - 2 * h * about_centre + h * h * part);
}

}  // namespace jostle
