#include "drivers/program/mechanism.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/dynamics/joint_geometry.hpp"
#include "drivers/text.hpp"
#include "scenarios/parameters/extents.hpp"

namespace jostle {
namespace {

/// The equations of all joints, one a row, for the free motions of all bodies: m/s, and rad/s times a length.
class Equations {
 public:
  explicit Equations(const System& system) : system_(system), columns_(system.model.dimensions.bodies) {
    for (int b = 0; b < system.model.dimensions.bodies; ++b) {
      const BodyModel& body = system.model.bodies[b];
      poses_.push_back({vector_at(system.parameters().start_position, b),
                        {},
                        0,
                        rotation_matrix(quaternion_at(system.parameters().start_orientation, b))});
      for (int k = 0; k < 6; ++k)
        if (body.mover != no_body && body.is_free(k)) columns_[static_cast<std::size_t>(b)].push_back({k, width_++});
    }
    for (int j = 0; j < system.model.dimensions.joints; ++j) add(j);
    reduce();
  }

  int rows() const { return static_cast<int>(matrix_.size()); }
  int rank() const { return static_cast<int>(pivots_.size()); }
  int width() const { return width_; }

  /// Whether no motion that meets all equations moves the body.
  bool is_stuck(int body) const {
    const auto& columns = columns_[static_cast<std::size_t>(body)];
    return !columns.empty() && std::ranges::all_of(columns, [&](const Column& c) { return is_determined(c.at); });
  }

 private:
  struct Column {
    int freedom, at;
  };
  static constexpr double zero = 1e-9;  // of rows whose largest number is 1

  void add(int j) {
    const JointModel& joint = system_.model.joints[j];
    const PlacedJoint placed = place_joint(system_, j, poses_);
    for (int i = 0; i < joint.rows; ++i) {
      const JointFunction f = joint_equation(system_.model, joint, placed, system_.parameters().joint_length[j], i);
      std::vector<double> row(static_cast<std::size_t>(width_));
      add_side(row, joint.body_b, f.direction, f.moment_b, 1);
      add_side(row, joint.body_a, f.direction, f.moment_a, -1);
      matrix_.push_back(std::move(row));
    }
  }

  void add_side(std::vector<double>& row, int body, const Vec3& direction, const Vec3& moment, double sign) {
    if (body == world_body) return;
    const Vec3 turned = rotate_back(poses_[static_cast<std::size_t>(body)].axes, moment);
    for (const auto [freedom, at] : columns_[static_cast<std::size_t>(body)])
      row[static_cast<std::size_t>(at)] += sign * (freedom < 3 ? direction[freedom] : turned[freedom - 3]);
  }

  /// To reduced row echelon form, the largest element of what is left as pivot.
  void reduce() {
    for (std::vector<double>& row : matrix_) scale(row);
    for (std::size_t next = 0; next < matrix_.size(); ++next) {
      std::size_t at = next, column = 0;
      double largest = zero;
      for (std::size_t r = next; r < matrix_.size(); ++r)
        for (std::size_t c = 0; c < matrix_[r].size(); ++c)
          if (std::fabs(matrix_[r][c]) > largest) largest = std::fabs(matrix_[r][c]), at = r, column = c;
      if (largest == zero) return;
      std::swap(matrix_[next], matrix_[at]);
      const double pivot = matrix_[next][column];
      for (double& number : matrix_[next]) number /= pivot;
      for (std::size_t r = 0; r < matrix_.size(); ++r) {
        const double factor = matrix_[r][column];
        for (std::size_t c = 0; r != next && c < matrix_[r].size(); ++c) matrix_[r][c] -= factor * matrix_[next][c];
      }
      pivots_.push_back(static_cast<int>(column));
    }
  }

  static void scale(std::vector<double>& row) {
    double largest = 0;
    for (const double number : row) largest = std::max(largest, std::fabs(number));
    for (double& number : row) number = largest > 0 ? number / largest : 0;
  }

  /// Whether the motion of a column is 0 in every solution: it has a pivot, and no column without one in its row.
  bool is_determined(int column) const {
    const auto found = std::ranges::find(pivots_, column);
    if (found == pivots_.end()) return false;
    const std::vector<double>& row = matrix_[static_cast<std::size_t>(found - pivots_.begin())];
    for (int c = 0; c < width_; ++c)
      if (c != column && std::fabs(row[static_cast<std::size_t>(c)]) > zero) return false;
    return true;
  }

  const System& system_;
  std::vector<std::vector<Column>> columns_;  ///< of each body
  std::vector<Pose> poses_;
  int width_ = 0;
  std::vector<std::vector<double>> matrix_;
  std::vector<int> pivots_;  ///< columns, of the first rows
};

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

Mechanism mechanism_of(const Ensemble& ensemble, const System& system) {
  const Equations equations(system);
  Mechanism found;
  found.equations = equations.rows();
  found.redundant = equations.rows() - equations.rank();
  found.freedoms = equations.width() - equations.rank();
  for (int b = 0; b < system.model.dimensions.bodies; ++b)
    if (equations.is_stuck(b)) found.stuck.push_back(ensemble.scenario().bodies[static_cast<std::size_t>(b)].name);
  return found;
}

std::string text_of(const Mechanism& mechanism) {
  if (!mechanism.has_joints()) return "";
  std::string text =
      fmt::format("joints: {}, {} of freedom left", counted(mechanism.equations, "equation"),
                  mechanism.freedoms == 1 ? "1 degree" : std::to_string(mechanism.freedoms) + " degrees");
  if (mechanism.redundant > 0) text += fmt::format(", {} redundant", mechanism.redundant);
  if (!mechanism.stuck.empty()) text += fmt::format("; cannot move: {}", fmt::join(mechanism.stuck, ", "));
  return text + '\n';
}

std::string json_text_of(const Mechanism& mechanism) {
  return nlohmann::ordered_json{{"equations", mechanism.equations},
                                {"degrees_of_freedom", mechanism.freedoms},
                                {"redundant", mechanism.redundant},
                                {"cannot_move", mechanism.stuck}}
      .dump();
}

}  // namespace jostle
