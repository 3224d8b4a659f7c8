#pragma once
// Systems built shape by shape, of which tests run the stages one by one.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "core/batch/batch.hpp"
#include "core/contacts/candidate_contacts.hpp"
#include "core/contacts/contact_rows.hpp"
#include "core/dynamics/motion.hpp"

namespace jostle {

/// Bodies of 2 kg and 0.02, 0.03, 0.04 kg m^2 without gravity. Add what there is, then call `build`, then set the
/// state.
class BuiltSystem {
 public:
  explicit BuiltSystem(double step, int directions = 4) {
    model_->step = step;
    model_->set_directions(directions);
  }

  int add_body() { return add_body(false); }
  int add_fixed_body() { return add_body(true); }

  /// Position and axes are those in the body.
  int add_shape(int body, ShapeType type, const Vec3& size, const Vec3& position = Vec3::Zero(),
                const Mat3& axes = Mat3::Identity()) {
    shapes_.push_back({type, size, position, axes});
    return model_->add_shape(type, body);
  }
  int add_pair(int shape, int other) { return model_->add_pair(shape, other); }

  void build(double friction) {
    batch_.emplace(*model_, 1);
    memory_.emplace(*model_, 32);
    const ParameterMemory parameters = batch_->parameters(0);
    const Dimensions& d = memory_->view().dimensions;
    for (int b = 0; b < d.bodies; ++b) {
      parameters.mass[b] = 2;
      set_vector(parameters.inertia, b, Vec3(0.02, 0.03, 0.04));
      set_quaternion(batch_->state(0).orientation, b, {1, 0, 0, 0});
    }
    for (int s = 0; s < d.shapes; ++s) {
      set_vector(parameters.shape_size, s, shapes_[s].size);
      set_vector(parameters.shape_position, s, shapes_[s].position);
      for (int k = 0; k < 9; ++k) parameters.shape_axes[9 * s + k] = shapes_[s].axes(k / 3, k % 3);
    }
    for (int p = 0; p < d.pairs; ++p) parameters.friction[p] = friction;
  }

  /// The bodies at q_l and at q^ and all shapes at q^, as a step begins.
  void predict_step() {
    load_masses(SerialTeam{}, system(), work());
    for (int b = 0; b < model().dimensions.bodies; ++b) work().pose(b) = pose_of(system(), b);
    load_momentum(SerialTeam{}, system(), work(), work().pose(), work().pose(), model().step / 2, model().step);
    predict(SerialTeam{}, system(), work(), model().step, work().velocity());
  }

  /// Lists the contacts of the step; returns how many there are.
  int list() {
    predict_step();
    list_contacts(SerialTeam{}, system(), work(), model().step, 0);
    return number_contacts(SerialTeam{}, system(), work());
  }

  StateView state() { return batch_->state(0); }
  System system() { return batch_->system(memory_->view(), 0); }
  Workspace work() const { return memory_->workspace(); }
  const ModelView& model() const { return memory_->view(); }

 private:
  int add_body(bool fixed) {
    const bool all[6] = {true, true, true, true, true, true};
    return model_->add_body(fixed, all);
  }

  std::unique_ptr<Model> model_ = std::make_unique<Model>();  ///< batch and memory point to it
  std::vector<PlacedShape> shapes_;                           ///< in their bodies
  std::optional<Batch> batch_;
  std::optional<WorkspaceMemory> memory_;
};

}  // namespace jostle
