// Steps that a CUDA graph has captured, which need a GPU.
#include <gmock/gmock.h>

#include "tests/cuda/boxes_apart.hpp"
#include "tests/cuda/stream_on_gpu.hpp"

namespace jostle {
namespace {

using test::BoxesApart, test::first_mask;

class StepsInGraph : public test::StreamOnGpu {
 protected:
  void TearDown() override {
    for (const cudaGraphExec_t graph : graphs_) cudaGraphExecDestroy(graph);
    StreamOnGpu::TearDown();
  }

  /// What f puts into the queue of the device, in the caller's stream.
  cudaGraphExec_t capture(const auto& f) {
    const auto handle = reinterpret_cast<std::uintptr_t>(stream_);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    gpu_->follow(0, handle);
    f();
    gpu_->precede(0, handle);
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    graphs_.push_back(executable);
    return executable;
  }
  void repeat(cudaGraphExec_t graph) { EXPECT_EQ(cudaGraphLaunch(graph, stream_), cudaSuccess); }
  void wait() { ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess); }

  std::vector<cudaGraphExec_t> graphs_;
};

TEST_F(StepsInGraph, HaveTheBitsOfTheCpu) {
  BoxesApart both(*gpu_);
  DeviceBatch& resident = both.resident();
  resident.reserve_ahead();
  const std::uint8_t* const mask = both.on_device(first_mask);
  const cudaGraphExec_t steps = capture([&] {
    resident.start_each(3, nullptr, box_steps);
    resident.start_each(5, mask, box_steps);
  });
  const cudaGraphExec_t again = capture([&] { resident.start_restart(mask); });
  const auto repeat_steps = [&](int times) {
    for (int i = 0; i < times; ++i) repeat(steps), both.step_here(3, {}), both.step_here(5, first_mask);
  };
  repeat_steps(6);
  wait();
  both.expect_equal("steps");
  repeat(again), both.restart_here(first_mask);
  repeat_steps(2);
  wait();
  both.expect_equal("put back");
}

}  // namespace
}  // namespace jostle
