#pragma once
// Batches of LCPs in all the layouts that LcpBatch knows, for tests of devices.
#include <gtest/gtest.h>

#include <climits>
#include <string>
#include <vector>

#include "benchmarks/lcp_problems.hpp"
#include "core/math/bits.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/lcp_batch.hpp"

namespace jostle::test {

/// A batch on the host; what lies between the problems is 99.
struct LaidOutLcps {
  std::string name;
  std::vector<DenseLcp> problems;
  LcpBatch layout;  ///< its numbers; the arrays are below
  std::vector<int> sizes;
  std::vector<std::int64_t> starts, matrix_starts;  ///< where problems are
  bool tells_sizes = false, tells_starts = false;
  std::vector<double> M, q, z, w;

  /// Puts problem i to starts[i] and matrix_starts[i].
  void fill() {
    layout.count = static_cast<int>(problems.size());
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const std::size_t n = problems[i].q.size(), row = layout.row_step > 0 ? std::size_t(layout.row_step) : n;
      const auto start = static_cast<std::size_t>(starts[i]), matrix = static_cast<std::size_t>(matrix_starts[i]);
      q.resize(std::max(q.size(), start + n), 99);
      M.resize(std::max(M.size(), matrix + n * row), 99);
      std::copy(problems[i].q.begin(), problems[i].q.end(), q.begin() + starts[i]);
      for (std::size_t r = 0; r < n; ++r) std::copy_n(problems[i].M.data() + r * n, n, M.data() + matrix + r * row);
      sizes.push_back(static_cast<int>(n));
    }
    z.assign(q.size(), 99), w.assign(q.size(), 99);
  }
};

/// Contact LCPs of the first sizes, one after the other.
inline std::vector<DenseLcp> contact_lcps(int sizes, int count) {
  ContactLcpGenerator generator(23);
  std::vector<DenseLcp> problems;
  for (int i = 0; i < count; ++i) {
    const ContactLcp lcp = generator.make(contact_lcp_sizes[i % sizes], contact_scenes[i % 4]);
    problems.push_back({lcp.M, lcp.q});
  }
  return problems;
}

/// Problem i at i * step and i * matrix_step.
inline LaidOutLcps at_steps(const std::string& name, std::vector<DenseLcp> problems, std::int64_t step,
                            std::int64_t matrix_step) {
  LaidOutLcps all;
  all.name = name;
  all.problems = std::move(problems);
  for (std::size_t i = 0; i < all.problems.size(); ++i) {
    all.starts.push_back(static_cast<std::int64_t>(i) * step);
    all.matrix_starts.push_back(static_cast<std::int64_t>(i) * matrix_step);
  }
  return all;
}

inline std::vector<LaidOutLcps> all_layouts() {
  std::vector<LaidOutLcps> all;
  const std::vector<DenseLcp> equal = contact_lcps(1, 9), mixed = contact_lcps(3, 9);
  const auto largest = static_cast<int>(mixed[2].q.size()), smallest = static_cast<int>(equal[0].q.size());

  all.push_back(at_steps("one size", equal, smallest, smallest * smallest));
  all.back().layout.size = smallest;

  all.push_back(at_steps("one size with strides", equal, smallest + 5, smallest * (smallest + 3) + 7));
  all.back().layout.size = smallest;
  all.back().layout.row_step = smallest + 3;
  all.back().layout.vector_step = smallest + 5;
  all.back().layout.matrix_step = smallest * (smallest + 3) + 7;

  all.push_back(at_steps("mixed sizes in room for the largest", mixed, largest, largest * largest));
  all.back().layout.size = largest;
  all.back().tells_sizes = true;

  all.push_back(at_steps("mixed sizes in rows of equal length", mixed, largest, largest * (largest + 1)));
  all.back().layout.size = largest;
  all.back().layout.row_step = largest + 1;
  all.back().tells_sizes = true;

  // Starts of one's own: the last problem comes first, with gaps.
  all.push_back(at_steps("starts", mixed, largest + 2, largest * largest + 1));
  all.back().layout.size = largest;
  all.back().tells_sizes = all.back().tells_starts = true;
  std::reverse(all.back().starts.begin(), all.back().starts.end());
  std::reverse(all.back().matrix_starts.begin(), all.back().matrix_starts.end());

  all.push_back(all.back());
  all.back().name = "starts, and some sizes are wrong";

  LaidOutLcps packed;
  packed.name = "packed, and every third is too large";
  packed.problems = mixed;
  packed.layout.size = largest - 1;
  packed.layout.packed = packed.tells_sizes = true;
  for (std::int64_t start = 0, matrix = 0; const DenseLcp& problem : mixed) {
    packed.starts.push_back(start), packed.matrix_starts.push_back(matrix);
    start += static_cast<std::int64_t>(problem.q.size()), matrix += static_cast<std::int64_t>(problem.M.size());
  }
  all.push_back(packed);

  for (LaidOutLcps& each : all) each.fill();
  std::vector<int>& wrong = all[5].sizes;
  wrong[1] = -1, wrong[2] = INT_MIN, wrong[4] = largest + 1, wrong[8] = INT_MAX;
  return all;
}

/// solve(batch) with the arrays in the memory of a device; the answers have to be those of the CPU, a problem of a
/// wrong size has to have none, and nothing else may be written. `solve` waits.
template <class Solve>
void expect_solved(Device& device, const LaidOutLcps& given, Solve solve) {
  SCOPED_TRACE(given.name);
  const auto uploaded = [&](const auto& values) {
    DeviceMemory memory(device, values.size() * sizeof values[0]);
    device.upload(0, memory.data(), values.data(), memory.bytes());
    device.wait(0);
    return memory;
  };
  const auto downloaded = [&](auto values, const DeviceMemory& memory) {
    device.download(0, values.data(), memory.data(), memory.bytes());
    device.wait(0);
    return values;
  };
  const std::size_t count = given.problems.size();
  const DeviceMemory sizes = uploaded(given.sizes), starts = uploaded(given.starts), M = uploaded(given.M);
  const DeviceMemory matrix_starts = uploaded(given.matrix_starts), q = uploaded(given.q), w = uploaded(given.w);
  const DeviceMemory z = uploaded(given.z), status(device, count), pivots(device, count * sizeof(int));
  const DeviceMemory residual(device, count * sizeof(double)), attempts(device, count * sizeof(int));
  const DeviceMemory basis = uploaded(std::vector<std::uint8_t>(given.z.size(), 99)), ray = uploaded(given.z);
  LcpBatch batch = given.layout;
  if (given.tells_sizes) batch.sizes = sizes.as<int>();
  if (given.tells_starts) batch.starts = starts.as<std::int64_t>();
  if (given.tells_starts) batch.matrix_starts = matrix_starts.as<std::int64_t>();
  batch.M = M.as<double>(), batch.q = q.as<double>(), batch.z = z.as<double>(), batch.w = w.as<double>();
  batch.status = status.as<LcpStatus>(), batch.pivots = pivots.as<int>(), batch.residual = residual.as<double>();
  batch.basis = basis.as<std::uint8_t>(), batch.ray = ray.as<double>(), batch.attempts = attempts.as<int>();
  solve(batch);

  const auto found_status = downloaded(std::vector<LcpStatus>(count), status);
  const auto found_pivots = downloaded(std::vector<int>(count), pivots);
  const auto found_residual = downloaded(std::vector<double>(count), residual);
  const auto found_attempts = downloaded(std::vector<int>(count), attempts);
  std::vector<double> expected_z = given.z, expected_w = given.w, expected_ray = given.z;
  std::vector<std::uint8_t> expected_basis(given.z.size(), 99);
  for (std::size_t i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    DenseLcpSolution expected;
    expected.residual = infinity();
    if (given.sizes[i] >= 0 && given.sizes[i] <= given.layout.size) {
      expected = solve_dense_lcp(given.problems[i].M, given.problems[i].q);
      ASSERT_EQ(expected.status, LcpStatus::solved);
      std::copy(expected.z.begin(), expected.z.end(), expected_z.begin() + given.starts[i]);
      std::copy(expected.w.begin(), expected.w.end(), expected_w.begin() + given.starts[i]);
      std::copy(expected.basis.begin(), expected.basis.end(), expected_basis.begin() + given.starts[i]);
      std::fill_n(expected_ray.begin() + given.starts[i], expected.z.size(), 0);
    }
    EXPECT_EQ(found_status[i], expected.status);
    EXPECT_EQ(found_pivots[i], expected.pivots);
    EXPECT_EQ(found_attempts[i], expected.attempts);
    EXPECT_EQ(bits_of(found_residual[i]), bits_of(expected.residual));
  }
  EXPECT_EQ(downloaded(given.z, z), expected_z);
  EXPECT_EQ(downloaded(given.w, w), expected_w);
  EXPECT_EQ(downloaded(given.z, ray), expected_ray);
  EXPECT_EQ(downloaded(expected_basis, basis), expected_basis);
}

}  // namespace jostle::test
