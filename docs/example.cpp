// A thousand spinning rods, on the GPU if there is one: jostle's engine from C++.
#include <algorithm>
#include <cstdio>

#include "cuda/device_batch.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader.hpp"

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: example SCENARIO.yaml\n"), 2;
  const jostle::Ensemble ensemble(jostle::read_scenario(argv[1]));
  jostle::Batch batch(ensemble.model(), 1000);
  for (int i = 0; i < batch.size(); ++i) ensemble.load(i, batch, i);  // draws sample i
  batch.parameters(7).friction[0] = 0.3;                              // of the first pair of shapes

  constexpr int steps = 100;
  const auto gpus = jostle::cuda_devices();
  const auto usable = std::ranges::find(gpus, true, &jostle::DeviceInfo::has_code);  // one that this build has code for
  if (usable == gpus.end()) {
    jostle::run_batch(batch, steps);
  } else {
    const auto gpu = jostle::open_cuda_device(usable->index);
    jostle::DeviceBatch on_gpu(*gpu, ensemble.model(), batch.size());
    on_gpu.upload(batch, 0, batch.size());
    on_gpu.step(steps);
    const jostle::DeviceSystems systems = on_gpu.systems();  // pointers for your own kernels
    std::printf("states of %d systems at %p\n", systems.count, static_cast<void*>(systems.states));
    on_gpu.download();
    on_gpu.store();
  }
  const jostle::StateView state = batch.state(7);
  std::printf("system 7 after %d steps: y = %.17g m, status %d\n", state.steps[0], state.position[4], state.status[0]);
}
