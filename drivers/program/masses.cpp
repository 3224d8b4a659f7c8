#include "drivers/program/masses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/model/frame.hpp"
#include "scenarios/parameters/extents.hpp"

namespace jostle {
namespace {

/// R' J R, with R from the axes of the file to the principal ones.
std::vector<double> moments_in(const Mat3& R, const Vec3& J) {
  Mat3 inertia = Mat3::Zero();
  for (int k = 0; k < 3; ++k) inertia += J[k] * R.row(k).transpose() * R.row(k);
  return {inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2)};
}

BodyMass mass_of(const BodyModel& body, const ParameterMemory& p, int b) {
  BodyMass found{{}, p.mass[b], {}, {}, {}};
  const Vec3 J = vector_at(p.inertia, b);
  Mat3 R = Mat3::Identity();
  if (body.frame >= 0) {
    R = rotation_matrix(quaternion_at(p.frame_orientation, body.frame));
    const Vec3 centre = -rotate_back(R, vector_at(p.frame_position, body.frame));
    for (int k = 0; k < 3; ++k) found.centre[k] = centre[k] + 0.0;  // no -0
  }
  if (body.rotation == RotationKind::free) {
    found.inertia = moments_in(R, J);
  } else if (body.rotation != RotationKind::locked) {
    found.inertia = {J[static_cast<int>(body.rotation)]};
  }
  return found;
}

}  // namespace

std::vector<BodyMass> masses_of(const Ensemble& ensemble, const ParameterMemory& parameters) {
  std::vector<BodyMass> masses;
  for (std::size_t b = 0; b < ensemble.model().bodies.size(); ++b) {
    const BodyModel& body = ensemble.model().bodies[b];
    if (body.mover < 0) continue;
    BodyMass& mass = masses.emplace_back(mass_of(body, parameters, static_cast<int>(b)));
    const BodySpec& spec = ensemble.scenario().bodies[b];
    mass.body = spec.name;
    if (const std::optional<Extents> extents = extents_of(spec, parameters.variables))
      for (int k = 0; k < 3; ++k) mass.size.push_back(extents->size()[k]);
  }
  return masses;
}

std::string text_of(const std::vector<BodyMass>& masses) {
  std::size_t width = 0;
  for (const BodyMass& mass : masses) width = std::max(width, mass.body.size());
  std::string text;
  for (const BodyMass& mass : masses) {
    text += fmt::format("  {:<{}}  {:.6g} kg", mass.body, width, mass.mass);
    if (!mass.size.empty()) text += fmt::format(", size [{:.4g}] m", fmt::join(mass.size, ", "));
    text += fmt::format(", centre of mass [{:.6g}] m", fmt::join(mass.centre, ", "));
    if (!mass.inertia.empty()) text += fmt::format(", J [{:.6g}] kg m^2", fmt::join(mass.inertia, ", "));
    text += '\n';
  }
  return text;
}

std::string json_text_of(const std::vector<BodyMass>& masses) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const BodyMass& mass : masses)
    json[mass.body] = {
        {"mass", mass.mass}, {"centre_of_mass", mass.centre}, {"size", mass.size}, {"inertia", mass.inertia}};
  return json.dump();
}

}  // namespace jostle
