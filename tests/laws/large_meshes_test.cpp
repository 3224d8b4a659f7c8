// Meshes of so many triangles that what is near is looked for by trees of boxes, and kept on the pages in use.
#include <fstream>

#include "tests/laws/sample_bits.hpp"
#include "tests/laws/shape_laws.hpp"
#include "tests/support/round_meshes.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

class LargeMeshes : public test::ShapesUnderEveryMethod {
 protected:
  /// A ball with dents of 2 n^2 triangles, 4 cm wide, falls onto another one, which it touches after some 5 steps.
  std::string falling_ball(int n) const {
    const std::string file = folder_ / "ball.obj";
    const TriangleMesh mesh = test::bumpy_ball(n, n + 1);
    std::ofstream out(file);
    out.precision(17);
    for (const Vec3& x : mesh.points) out << "v " << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
    for (const auto& [i, j, k] : mesh.triangles) out << "f " << i + 1 << ' ' << j + 1 << ' ' << k + 1 << '\n';
    const std::string ball = "shape: {mesh: {file: '" + file + "', scale: 1, as: surface}}, ";
    return test::scene(world("step: 0.001, duration: 0.012"),
                       "  low: {fixed: true, " + ball + "rotation: {axis: [0.3, 1, 0.2], degrees: 40}}\n" +
                           "  ball: {density: 1000, " + ball + "rotation: {axis: [1, 0.4, 0.2], degrees: 75}, " +
                           "position: [0.001, 0.0005, 0.042], velocity: [0, 0, -0.3], spin: [5, 3, 10]}\n",
                       friction("0.3"));
  }

 private:
  test::ScratchFolder folder_;
};
// Methods with impacts take a minute for it.
INSTANTIATE_TEST_SUITE_P(Laws, LargeMeshes, testing::Values("stewart_trinkle"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(LargeMeshes, EveryTeamGivesTheSameBits) {
  const SampleBits bits(test::read(falling_ball(20)));
  const std::uint64_t by_thread = bits.digest_by_thread(12);
  for (const int lanes : {1, 3, 8, 32}) EXPECT_EQ(bits.digest_by_lanes(0, 12, lanes), by_thread) << lanes;
}

}  // namespace
}  // namespace jostle
