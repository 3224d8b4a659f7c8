// Pages of the feature pairs of large meshes: a search that finds more than they hold says so.
#include <gtest/gtest.h>

#include <fstream>

#include "core/events/collision.hpp"
#include "tests/laws/simulation.hpp"
#include "tests/support/round_meshes.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

// Two equal balls of 3,120 triangles in one place touch with more than 128 pages of feature pairs.
TEST(Pages, OfOneSearchSayWhatTheyLack) {
  const test::ScratchFolder folder;
  const std::string file = folder / "ball.obj";
  const TriangleMesh mesh = test::bumpy_ball(40, 41);
  std::ofstream text(file);
  text.precision(17);
  for (const Vec3& x : mesh.points) text << "v " << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
  for (const auto& t : mesh.triangles) text << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  text.close();
  const std::string shape = "shape: {mesh: {file: '" + file + "', scale: 1, as: surface}}";
  Ensemble ensemble(parse_scenario(
      "jostle: 1\nworld: {step: 0.01, duration: 1, method: trapezoidal}\nbodies:\n  below: {fixed: true, " + shape +
          "}\n  above: {mass: 0.1, inertia: 1.6e-5, position: [0, 0, 0.0415], " + shape +
          "}\ncontacts: [{between: any, friction: 0.3}]\n",
      "balls.yaml"));
  const Model& model = ensemble.model();
  Batch batch(model, 1);
  WorkspaceMemory memory(model, 0);
  ensemble.load(0, batch, 0);
  run_system(batch, 0, 0, memory);  // the initial state
  const System system = batch.system(memory.view(), 0);
  const Workspace work = memory.workspace();
  const SerialTeam team;
  load_poses(team, system, work);
  ASSERT_TRUE(system.model.pairs[0].is_sparse);
  const PairModel& pair = system.model.pairs[0];
  for (const double lower : {0.0, 0.0415}) {
    work.pose(1).position[2] -= lower;
    begin_pages(team, system, work);
    const PlacedShape a = at_start(system, work, pair.shape_a), b = at_start(system, work, pair.shape_b);
    EXPECT_EQ(detail::find_close_of_pair(system, work, 0, a, b, 0), lower == 0);
  }
}

}  // namespace
}  // namespace jostle
