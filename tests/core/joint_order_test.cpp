// In which order the joints are eliminated.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "tests/support/library_digest.hpp"

namespace jostle {
namespace {

Model model_of(const std::string& scenario) { return Ensemble(read_scenario(library_file(scenario))).model(); }

/// The joints in the order of their rows.
std::vector<JointModel> joints_by_rows(const Model& model) {
  std::vector<JointModel> joints = model.joints;
  std::ranges::sort(joints, {}, &JointModel::first_row);
  return joints;
}

/// Whether a joint has a body that no impulse moves, or that none of the joints from `later` on has.
bool is_at_a_leaf(const Model& model, const JointModel& joint, std::span<const JointModel> later) {
  const auto is_shared = [&](int body) {
    if (body == world_body || model.bodies[static_cast<std::size_t>(body)].mover == no_body) return false;
    return std::ranges::any_of(later, [&](const JointModel& l) { return l.body_a == body || l.body_b == body; });
  };
  return !is_shared(joint.body_a) || !is_shared(joint.body_b);
}

// Only then does the elimination of a joint tie no others that have no body in common.
TEST(JointOrder, GoesFromTheLeavesInwards) {
  for (const std::string& name : whole_library()) {
    const Model model = model_of(name);
    if (model.view(1).dimensions.has_joint_loops) continue;
    const std::vector<JointModel> joints = joints_by_rows(model);
    int rows = 0;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      EXPECT_EQ(joints[i].group, static_cast<int>(i)) << name;
      EXPECT_EQ(joints[i].first_row, rows) << name;
      EXPECT_TRUE(is_at_a_leaf(model, joints[i], std::span(joints).subspan(i + 1))) << name << ", joint " << i;
      rows += joints[i].rows;
    }
  }
}

TEST(JointOrder, IsAnotherOneForARoverButNotForAChainOrALoop) {
  const auto moves = [](const Model& model) {
    return !std::ranges::is_sorted(model.joints, {}, &JointModel::first_row);
  };
  EXPECT_TRUE(moves(model_of("rover")));
  EXPECT_FALSE(moves(model_of("swinging_chain")));
  EXPECT_TRUE(model_of("four_bar").view(1).dimensions.has_joint_loops);
  EXPECT_FALSE(moves(model_of("four_bar")));
}

}  // namespace
}  // namespace jostle
