// Random scenes give the same bits on a mock device as on the CPU. The mock device fills new memory with a pattern,
// while that of a CPU thread is zero.
#include "tests/laws/random_scenes.hpp"

#include <gtest/gtest.h>

#include "cuda/device_runner.hpp"
#include "tests/cuda/batches.hpp"
#include "tests/cuda/devices.hpp"

namespace jostle {
namespace {

class RandomScenesOnADevice : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, RandomScenesOnADevice,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(RandomScenesOnADevice, HaveTheBitsOfTheCpu) {
  constexpr unsigned scenes = 24;
  constexpr int last = 120;
  int tied_and_told = 0;
  for (unsigned seed = 0; seed < scenes; ++seed) {
    const RandomScene scene = SceneGenerator(seed, GetParam()).make();
    SCOPED_TRACE("seed " + std::to_string(seed) + ", world " + scene.world + "\n" + scene.text);
    const Ensemble ensemble(scene.scenario(GetParam()));
    Batch expected = drawn(ensemble, 1);
    run_batch(expected, last);
    for (const test::NamedDevice& named : test::fast_devices()) {
      Batch batch = drawn(ensemble, 1);
      EXPECT_TRUE(DeviceRunner(*named.device, ensemble.model()).run(batch, last));
      EXPECT_EQ(batch.status(0), expected.status(0)) << named.name;
      EXPECT_EQ(digests(batch), digests(expected)) << named.name;
    }
    tied_and_told += scene.told_speed > 0 && !ensemble.model().joints.empty();
    if (HasFailure()) return;
  }
  EXPECT_GE(tied_and_told, 3);
}

}  // namespace
}  // namespace jostle
