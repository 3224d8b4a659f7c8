#include "scenarios/parameters/mass.hpp"

#include <algorithm>
#include <vector>

#include "scenarios/parameters/principal_axes.hpp"

namespace jostle {
namespace {

constexpr double tolerance = 1e-9;  ///< relative to the body's size: what is nearer is one

std::string path_of(const BodySpec& body, const char* key) { return "bodies." + body.name + "." + key; }

bool is_known_zero(const TracedVec3& v) {
  return std::all_of(v.begin(), v.end(), [](const Traced& x) { return jostle::is_known_zero(x); });
}

/// `value` where `holds`; what is known to be 0 stays known.
Traced if_holds(const Traced& holds, const Traced& value) {
  return jostle::is_known_zero(value) ? value : where(holds, value);
}

/// Inertia about the centre of mass, in the axes of the file: diagonal, and xy, xz, yz.
struct Inertia {
  TracedVec3 moments, products = TracedVec3::Zero();

  TracedMat3 matrix() const {
    TracedMat3 A;
    A << moments[0], products[0], products[1], products[0], moments[1], products[2], products[1], products[2],
        moments[2];
    return A;
  }
};

/// Sums over the shapes.
struct Sums {
  Traced total = 0;                              ///< m^3, or m; kg if the shapes have densities of their own
  TracedVec3 first_moment = TracedVec3::Zero();  ///< times m
  Inertia inertia{TracedVec3::Zero()};           ///< times m^2, about the origin
};

/// m, m p, and R J R' + m (|p|^2 I - p p') about the body's origin (Huygens, Steiner).
void add(const TracedShape& shape, const Solid& part, Sums& sums) {
  const TracedVec3& p = shape.position;
  const TracedMat3& R = shape.axes;
  sums.total += part.mass;
  const TracedMat3 own = R * part.moments.asDiagonal() * R.transpose();
  const TracedMat3 shift = part.mass * (dot<Traced>(p, p) * TracedMat3::Identity() - p * p.transpose());
  sums.inertia.moments += own.diagonal();
  sums.inertia.moments += shift.diagonal();
  constexpr int places[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  TracedMat3 further = TracedMat3::Zero();
  if (const bool has_products = !is_known_zero(part.products); has_products) {
    for (int e = 0; e < 3; ++e)
      further(places[e][0], places[e][1]) = further(places[e][1], places[e][0]) = part.products[e];
    further = R * further * R.transpose();
    sums.inertia.moments += further.diagonal();
  }
  for (int e = 0; e < 3; ++e) {
    const auto [i, j] = places[e];
    Traced product = -times(part.mass, times(p[i], p[j]));
    for (int k = 0; k < 3; ++k) product = plus(product, times(times(R(i, k), part.moments[k]), R(j, k)));
    sums.inertia.products[e] = plus(sums.inertia.products[e], plus(product, further(i, j)));
    sums.first_moment[e] = plus(sums.first_moment[e], times(part.mass, p[e]));
  }
}

/// If no shape has a volume, capsules of radius 0 weigh by their length (of a given mass); otherwise they weigh
/// nothing.
Sums sums_of(const BodySpec& body, Draw draw) {
  std::vector<TracedShape> shapes;
  Traced are_segments = body.has_mass;
  for (const ShapeSpec& spec : body.shapes) {
    const TracedShape& shape = shapes.emplace_back(traced_shape(spec, draw));
    are_segments = both(are_segments, shape.type == ShapeType::capsule ? shape.size[0] == 0 : Traced(0));
  }
  Sums sums;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    Solid part = solid_of(shapes[s], are_segments);
    if (body.has_shape_densities()) {
      const ShapeSpec& spec = body.shapes[s];
      const Traced density = number_of(spec.has_density ? spec.density : body.density, draw);
      part.mass *= density;
      part.moments *= density;
      part.products *= density;
    }
    add(shapes[s], part, sums);
  }
  return sums;
}

/// What is known of a body before its frame is decided.
struct MassDistribution {
  TracedVec3 centre = TracedVec3::Zero();  ///< 0 where it is nearer to the origin than the tolerance
  Inertia inertia;
  Traced is_central = 1;  ///< the centre of mass is the origin
  Traced scale = 1;       ///< what the inertia is to be multiplied with
};

MassDistribution given_distribution(const BodySpec& body, Draw draw) {
  MassDistribution given;
  given.inertia.moments = vector_of(body.inertia.moments, draw);
  if (body.inertia.is_full) given.inertia.products = vector_of(body.inertia.products, draw);
  if (body.has_centre) given.centre = vector_of(body.centre, draw);
  if (!is_known_zero(given.centre)) given.is_central = dot<Traced>(given.centre, given.centre) == 0;
  return given;
}

MassDistribution distribution_of(const Sums& sums, const Traced& mass) {
  MassDistribution found;
  found.inertia = sums.inertia;
  found.scale = mass / sums.total;
  if (is_known_zero(sums.first_moment)) return found;
  const TracedVec3 centroid = sums.first_moment / sums.total;
  const Traced size = sqrt(sums.inertia.moments.sum() / sums.total);
  found.is_central = sqrt(dot<Traced>(centroid, centroid)) <= tolerance * size;
  for (int i = 0; i < 3; ++i)
    if (!jostle::is_known_zero(sums.first_moment[i])) found.centre[i] = where(!found.is_central, centroid[i]);
  const TracedVec3& c = found.centre;
  if (is_known_zero(c)) return found;
  const Traced square = dot<Traced>(c, c);
  for (int i = 0; i < 3; ++i) found.inertia.moments[i] = found.inertia.moments[i] - sums.total * (square - c[i] * c[i]);
  constexpr int places[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int e = 0; e < 3; ++e)
    found.inertia.products[e] =
        plus(found.inertia.products[e], times(sums.total, times(c[places[e][0]], c[places[e][1]])));
  return found;
}

/// Principal axes of a body that turns freely; products that are smaller than the tolerance are 0.
void set_axes(const MassDistribution& found, TracedMass& mass) {
  Inertia inertia = found.inertia;
  TracedVec3& products = inertia.products;
  const Traced trace = inertia.moments.sum();
  if (!is_known_zero(products)) {
    const Traced largest = larger(larger(fabs(products[0]), fabs(products[1])), fabs(products[2]));
    const Traced are_large = largest > tolerance * trace;
    for (Traced& product : products) product = if_holds(are_large, product);
  }
  const PrincipalAxes principal = principal_axes(inertia.matrix());
  mass.moments = principal.moments;
  mass.turn = principal.turn;
  mass.axes = rotation_matrix(principal.turn);
  mass.has_own_frame = mass.has_own_frame || !is_known_zero(products);
}

/// A body that turns needs the freedoms along which its centre of mass moves as it does.
void require_freedom(const BodySpec& body, const MassDistribution& found, Requirements& require) {
  const bool turns_freely = free_rotations(body.freedom) == 3;
  for (int k = 0; k < 3; ++k) {
    if (body.freedom[k] || (!turns_freely && body.freedom[3 + k])) continue;
    const std::string name(freedom_names[k]);
    require(found.is_central, body.where, [&] {
      return path_of(body, "freedom") + " locks " + name +
             ", but the body turns about a centre of mass that is not its origin; free " + name +
             " and hold the body by a joint";
    });
  }
}

void set_inertia(const BodySpec& body, const MassDistribution& found, TracedMass& mass, Requirements& require) {
  mass.centre = found.centre;
  mass.has_own_frame = !is_known_zero(found.centre);
  mass.moments = found.inertia.moments;
  if (free_rotations(body.freedom) == 3) set_axes(found, mass);
  mass.moments *= found.scale;
  require_freedom(body, found, require);
  const bool given = body.inertia.given;
  require(are_physical(mass.moments, body.freedom), given ? body.inertia.moments[0].where : body.where, [&] {
    return path_of(body, "inertia") +
           (given ? std::string(" ") + physical_inertia : " is missing: the shapes have none about a free axis");
  });
}

}  // namespace

TracedVec3 TracedMass::frame_position() const { return rotate<Traced>(axes.transpose(), TracedVec3(-centre)); }

TracedMass mass_of(const BodySpec& body, Draw draw, Requirements& require) {
  TracedMass mass;
  if (!body.is_mover()) return mass;
  const Sums sums = sums_of(body, draw);
  if (body.has_mass) {
    mass.mass = number_of(body.mass, draw);
  } else {
    const Location& where = body.has_density ? body.density.where : body.where;
    require(sums.total > 0, where, [&] { return path_of(body, "density ") + no_volume; });
    mass.mass = body.has_shape_densities() ? sums.total : number_of(body.density, draw) * sums.total;
  }
  if (free_rotations(body.freedom) == 0) return mass;
  if (!body.inertia.given && body.shapes.empty()) {
    require(0, body.where,
            [&] { return path_of(body, "inertia") + " is missing: there is no shape to compute it from"; });
    return mass;
  }
  set_inertia(body, body.inertia.given ? given_distribution(body, draw) : distribution_of(sums, mass.mass), mass,
              require);
  return mass;
}

TracedMass mass_of(const BodySpec& body, Draw draw) {
  Requirements ignored;
  return mass_of(body, draw, ignored);
}

// A mass that is not known only scales the inertia, so that any will do.
void require_known_mass(const BodySpec& body, Requirements& require) {
  BodySpec with_mass = body;
  if (!with_mass.mass.code.empty()) with_mass.mass = {1, {}, {}, body.mass.where};
  if (!with_mass.density.code.empty()) with_mass.density = {1, {}, {}, body.density.where};
  mass_of(with_mass, nullptr, require);
}

}  // namespace jostle
