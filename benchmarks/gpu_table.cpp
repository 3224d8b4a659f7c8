// Speed of a GPU by kind of team. What is timed is what stays on the device: no copy, no draw of samples.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

#include "benchmarks/lcp_problems.hpp"
#include "benchmarks/tables.hpp"
#include "cuda/device_batch.hpp"
#include "cuda/device_errors.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader.hpp"

namespace jostle {
namespace {

using Clock = std::chrono::steady_clock;

template <class F>
double seconds_of(F f) {
  const Clock::time_point start = Clock::now();
  f();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class T>
DeviceMemory on_device(Device& device, const std::vector<T>& values) {
  DeviceMemory memory(device, values.size() * sizeof(T));
  device.upload(0, memory.data(), values.data(), memory.bytes());
  device.wait(0);
  return memory;
}

struct LcpTime {
  double seconds, pivots;  ///< pivots: the mean of a problem
};

/// The bytes that a dictionary in shared memory has to move for one problem at least: of n (n + 1) cells each is read
/// and written once for two pivots (core/lcp/dictionary.hpp).
double least_bytes(int n, double pivots) { return 8.0 * n * (n + 1) * pivots; }

/// Median of five launches over `count` problems of one size.
LcpTime time_of_lcps(Device& device, LcpSize size, int count, int kind) {
  const auto n = static_cast<std::size_t>(size.n()), all = static_cast<std::size_t>(count);
  std::vector<Real> M, q;
  ContactLcpGenerator generator(99);
  for (int i = 0; i < count; ++i) {
    const ContactLcp lcp = generator.make(size, contact_scenes[i % 4]);
    M.insert(M.end(), lcp.M.begin(), lcp.M.end());
    q.insert(q.end(), lcp.q.begin(), lcp.q.end());
  }
  const DeviceMemory device_M = on_device(device, M), device_q = on_device(device, q);
  const DeviceMemory z(device, all * n * sizeof(Real)), status(device, all), taken(device, sizeof(unsigned));
  const DeviceMemory pivots(device, all * sizeof(int));
  LcpTask task;
  task.batch.count = count;
  task.batch.size = size.n();
  task.batch.M = device_M.as<Real>();
  task.batch.q = device_q.as<Real>();
  task.batch.z = z.as<Real>();
  task.batch.status = status.as<LcpStatus>();
  task.batch.pivots = pivots.as<int>();
  task.taken = taken.as<unsigned>();
  DeviceLimits limits = device.limits();
  limits.team_kinds = 1u << kind;
  place_lcps(task, limits);
  task.teams = std::min(device.teams(task), count);
  const DeviceMemory memory(device, static_cast<std::size_t>(task.teams) * task.bytes_per_team());
  const QueueEnd queue_end(device, 0);
  task.memory = memory.data();
  const auto launch = [&] {
    device.clear(0, taken.data(), taken.bytes());
    device.solve_lcps(0, task);
    device.wait(0);
  };
  launch();
  std::vector<double> seconds;
  for (int i = 0; i < 5; ++i) seconds.push_back(seconds_of(launch));
  std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
  std::vector<int> counted(all);
  device.download(0, counted.data(), pivots.data(), pivots.bytes());
  device.wait(0);
  return {seconds[2], std::accumulate(counted.begin(), counted.end(), 0.0) / count};
}

/// Of all steps of as many systems, in one launch; the second time, for the first one warms up.
double seconds_of_steps(Device& device, const Ensemble& ensemble, int systems, int kind) {
  Batch batch(ensemble.model(), systems);
  for (int i = 0; i < systems; ++i) ensemble.load(i % ensemble.count(), batch, i);
  DeviceBatch resident(device, ensemble.model(), systems, 0, {0, 1u << kind, false});
  double seconds = 0;
  for (int i = 0; i < 2; ++i) {
    resident.upload(batch, 0, systems);
    device.wait(0);
    seconds = seconds_of([&] { resident.step(static_cast<int>(ensemble.model().total_steps)); });
  }
  return seconds;
}

}  // namespace

void print_gpu_table(int systems) {
  const std::unique_ptr<Device> device = open_cuda_device(0);
  std::vector<int> kinds;
  for (int kind = 0; kind < team_kind_count; ++kind)
    if ((device->limits().team_kinds >> kind & 1) != 0) kinds.push_back(kind);

  const double bytes_per_second = device->limits().shared_bytes_per_second;
  std::printf("# %s, %.3g TB/s of shared memory\n", device->name().c_str(), 1e-12 * bytes_per_second);
  std::printf("kind,name,team,count,seconds,us_per_lcp,pivots,us_at_shared_bound,steps_per_second,bytes_per_system\n");
  for (const LcpSize size : contact_lcp_sizes)
    for (const int kind : kinds) {
      const TeamKind& team = team_kinds[kind];
      if (team.largest_lcp > 0 && size.n() > team.largest_lcp) continue;
      const int count = std::min(systems, 400'000'000 / (size.n() * size.n()));
      const LcpTime time = time_of_lcps(*device, size, count, kind);
      std::printf("lcp,n=%d,%s,%d,%.6g,%.4g,%.4g,%.4g,,\n", size.n(), team.name, count, time.seconds,
                  1e6 * time.seconds / count, time.pivots, 1e6 * least_bytes(size.n(), time.pivots) / bytes_per_second);
      std::fflush(stdout);
    }
  for (const std::string& name : library_scenarios)
    for (const int kind : kinds) {
      const Ensemble ensemble{read_scenario("scenarios/library/" + name + ".yaml")};
      const double seconds = seconds_of_steps(*device, ensemble, systems, kind);
      const double steps = static_cast<double>(ensemble.model().total_steps) * systems;
      std::printf("steps,%s,%s,%d,%.6g,,,,%.5g,%zu\n", name.c_str(), team_kinds[kind].name, systems, seconds,
                  steps / seconds, DeviceBatch::bytes_per_system(ensemble.model()));
      std::fflush(stdout);
    }
}

}  // namespace jostle
