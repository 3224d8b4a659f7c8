#include "drivers/program/mechanism.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/dynamics/joint_geometry.hpp"
#include "drivers/text.hpp"

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

}  // namespace

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
