// Parameters that follow from variables on a device are those of the CPU.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/device_runner.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/cuda/batches.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/support/drawn_scenario.hpp"

namespace jostle {
namespace {

TEST(Device, LoadsParametersWithTheBitsOfTheCpu) {
  const Ensemble ensemble(parse_scenario(test::drawn_scenario, "drawn.yaml"));
  const std::size_t bytes = ensemble.model().view(0).parameter_layout.bytes;
  constexpr int count = 24, last = 3;
  Batch expected = loaded(ensemble, count);
  run_batch(expected, last);
  const std::vector<Status> ends = statuses(expected);
  EXPECT_GT(std::count(ends.begin(), ends.end(), Status::bad_parameters), 0);
  for (const test::NamedDevice& named : test::devices()) {
    SCOPED_TRACE(named.name);
    Batch batch = drawn(ensemble, count);
    EXPECT_TRUE(DeviceRunner(*named.device, ensemble.model(), 10).run(batch, last));
    EXPECT_EQ(digests(batch), digests(expected));
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(
          std::equal(batch.parameter_memory(i), batch.parameter_memory(i) + bytes, expected.parameter_memory(i)))
          << "parameters of system " << i;
  }
}

}  // namespace
}  // namespace jostle
