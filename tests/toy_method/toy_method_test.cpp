// CONTRIBUTING.md says what a new method needs: its header, a line in core/model/method.hpp and an include in
// core/methods/methods.hpp. This program is core/ compiled with these three things added, and nothing else.
#include <gtest/gtest.h>

#include "core/batch/batch.hpp"

namespace jostle {
namespace {

TEST(ANewMethod, NeedsAHeaderALineAndAnInclude) {
  Model model;
  model.step = 0.125, model.total_steps = 16;
  model.method = method_named("toy");
  EXPECT_STREQ(name_of(model.method), "toy");
  const bool free[6] = {true, true, true, true, true, true};
  model.add_body(false, free);
  model.set_directions(4);
  Batch batch(model, 1);
  const ParameterMemory parameters = batch.parameters(0);
  parameters.mass[0] = 2;
  set_vector(parameters.inertia, 0, Vec3(0.02, 0.03, 0.04));
  set_vector(parameters.gravity, 0, Vec3(0, 0, -8));
  set_quaternion(parameters.start_orientation, 0, {1, 0, 0, 0});
  set_vector(parameters.start_velocity, 0, Vec3(3, 0, 0));
  ASSERT_TRUE(run_batch(batch, 16));
  const StateView state = batch.state(0);
  EXPECT_EQ(state.status(), static_cast<int>(Status::ok));
  EXPECT_EQ(state.steps(), 16);
  // v_l = -8 l / 8; the way is h (v_l - 3/4) in step l, over l = 0 .. 15: -(120 + 12) / 8.
  EXPECT_EQ(state.velocity[2], -16);
  EXPECT_EQ(state.position[2], -16.5);
  EXPECT_EQ(state.position[0], 6);
}

}  // namespace
}  // namespace jostle
