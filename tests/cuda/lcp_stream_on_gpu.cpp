// solve_lcp_batch, which needs a GPU: in a stream of the caller's, and in the default one.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "tests/cuda/lcp_layouts.hpp"
#include "tests/cuda/stream_on_gpu.hpp"

namespace jostle {
namespace {

class LcpStream : public test::StreamOnGpu {};

TEST_F(LcpStream, HasTheBitsOfTheCpuInEveryLayout) {
  for (const test::LaidOutLcps& given : test::all_layouts())
    for (const cudaStream_t stream : {stream_, cudaStream_t{}})
      test::expect_solved(*gpu_, given, [&](const LcpBatch& batch) {
        solve_lcp_batch(batch, stream);
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      });
}

// What is in the stream already takes its time and then brings the matrices; the call does not wait for it, and what
// comes after in the stream finds the answers.
TEST_F(LcpStream, IsInOrderWithWhatElseIsInTheStream) {
  const test::LaidOutLcps given = test::all_layouts().front();
  test::expect_solved(*gpu_, given, [&](const LcpBatch& batch) {
    solve_lcp_batch(batch, stream_);  // for the first time, when CUDA loads the kernels and may wait
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    const std::size_t bytes = given.M.size() * sizeof(double), answer_bytes = given.z.size() * sizeof(double);
    const DeviceMemory late(*gpu_, bytes), answer(*gpu_, answer_bytes);
    auto* const M = const_cast<double*>(batch.M);
    EXPECT_EQ(cudaMemcpy(late.data(), M, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemset(M, 0, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemset(batch.z, 0, answer_bytes), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);

    const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(500)); };
    EXPECT_EQ(cudaLaunchHostFunc(stream_, sleep, nullptr), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(M, late.data(), bytes, cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
    solve_lcp_batch(batch, stream_);
    EXPECT_EQ(cudaStreamQuery(stream_), cudaErrorNotReady) << "the call has returned at once";
    EXPECT_EQ(cudaMemcpyAsync(answer.data(), batch.z, answer_bytes, cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(batch.z, 0, answer_bytes, stream_), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(batch.z, answer.data(), answer_bytes, cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  });
}

// Two streams, and a queue of jostle's in the first: each finds what the one before has written.
TEST_F(LcpStream, OfADeviceFollowsAndPrecedesOthers) {
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  const std::unique_ptr<Device> device = cuda_device_in_stream(gpu_->place().index, stream_);
  const auto handle = reinterpret_cast<std::uintptr_t>(other);
  for (const test::LaidOutLcps& given : test::all_layouts())
    test::expect_solved(*gpu_, given, [&](const LcpBatch& batch) {
      const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
      const std::size_t bytes = given.M.size() * sizeof(double);
      const DeviceMemory late(*gpu_, bytes);
      auto* const M = const_cast<double*>(batch.M);
      EXPECT_EQ(cudaMemcpy(late.data(), M, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
      EXPECT_EQ(cudaMemset(M, 0, bytes), cudaSuccess);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_EQ(cudaLaunchHostFunc(other, sleep, nullptr), cudaSuccess);
      EXPECT_EQ(cudaMemcpyAsync(M, late.data(), bytes, cudaMemcpyDeviceToDevice, other), cudaSuccess);
      device->follow(0, handle);
      solve_lcp_batch(*device, batch);
      device->precede(0, handle);
      EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
    });
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST_F(LcpStream, RefusesALayoutThatContradictsItself) {
  LcpBatch batch;
  batch.count = -1;
  EXPECT_THROW(solve_lcp_batch(batch, stream_), std::invalid_argument);
  EXPECT_NO_THROW(solve_lcp_batch(LcpBatch{}, stream_)) << "of nothing";
}

}  // namespace
}  // namespace jostle
