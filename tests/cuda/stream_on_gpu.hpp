#pragma once
// A fixture for tests that need a GPU and a stream of the caller's.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/cuda/devices.hpp"

namespace jostle::test {

/// Without a GPU its tests are skipped.
class StreamOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!gpu_) GTEST_SKIP() << "there is no GPU";
    EXPECT_GT(gpu_->free_bytes(), 0u) << "which makes it the current one";
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    if (stream_) cudaStreamDestroy(stream_);
  }

  std::unique_ptr<Device> gpu_ = gpu();
  cudaStream_t stream_ = nullptr;
};

}  // namespace jostle::test
