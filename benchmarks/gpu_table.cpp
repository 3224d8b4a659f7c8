// Speed of a GPU by kind of team. What is timed is what stays on the device: no copy, no draw of samples.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <optional>

#include "benchmarks/lcp_problems.hpp"
#include "benchmarks/tables.hpp"
#include "cuda/device_batch.hpp"
#include "cuda/device_errors.hpp"
#include "cuda/lcp_task.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

using Clock = std::chrono::steady_clock;

/// What a number of the table may take, about. A first run of few problems or systems tells how many that is.
constexpr double seconds_per_lcp_launch = 0.1, seconds_per_steps = 5;
constexpr int first_count = 1000;

/// What distinguishes the rows of a scenario, or of a size of LCPs.
struct Variant {
  std::string team, dictionary;  ///< as asked for
  DeviceOptions options;         ///< what that means
};

/// The first columns of its rows, before the placements.
std::string text_of(const Variant& variant) {
  const auto number = [](int value, const char* zero) { return value > 0 ? std::to_string(value) : zero; };
  return variant.team + "," + number(variant.options.registers, "usual") + "," + variant.dictionary + "," +
         number(variant.options.most_blocks, "all") + "," + number(variant.options.warps, "usual");
}

/// Every combination of what was asked for.
std::vector<Variant> variants_of(const Device& device, const GpuTable& table) {
  std::vector<std::pair<std::string, unsigned>> teams;
  for (const std::string& name : table.kinds) {
    const unsigned kinds = name == "any" ? all_team_kinds : team_kinds_named(name);
    if ((kinds & device.limits().team_kinds) != 0)
      teams.emplace_back(name, kinds);
    else
      std::printf("# left out: %s, which is not built or not allowed\n", name.c_str());
  }
  std::vector<Variant> variants;
  for (const auto& [team, kinds] : teams)
    for (const int registers : table.registers)
      for (const std::string& dictionary : table.dictionaries)
        for (const int blocks : table.blocks)
          for (const int warps : table.warps)
            variants.push_back({team, dictionary, {0, kinds, false, dictionary == "auto", registers, blocks, warps}});
  return variants;
}

/// print(variant) for each; where this build lacks the kernels, or the device the memory, a line says so. After another
/// failure nothing that a device says is worth anything.
template <class Print>
void for_each_variant(const std::vector<Variant>& variants, Print print) {
  const auto leave_out = [](const Variant& variant, const DeviceFailure& failure) {
    std::printf("# left out: %s: %s\n", text_of(variant).c_str(), failure.what());
  };
  for (const Variant& variant : variants) {
    try {
      print(variant);
    } catch (const NoSuchKernels& failure) {
      leave_out(variant, failure);
    } catch (const DeviceOutOfMemory& failure) {
      leave_out(variant, failure);
    }
    std::fflush(stdout);
  }
}

template <class F>
double seconds_of(F f) {
  const Clock::time_point start = Clock::now();
  f();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int count_in(double seconds, int count, double seconds_taken, int most) {
  return static_cast<int>(std::clamp(count * seconds / seconds_taken, std::min<double>(count, most), double(most)));
}

/// LCPs of one size on the device. A few thousand are made and repeated: making them is what would take long.
class LcpProblems {
 public:
  LcpProblems(Device& device, LcpSize size, int count)
      : n_(static_cast<std::size_t>(size.n())),
        matrices_(device, static_cast<std::size_t>(count) * n_ * n_ * sizeof(double)),
        vectors_(device, static_cast<std::size_t>(count) * n_ * sizeof(double)) {
    const int different = std::min(count, 4096);
    std::vector<double> M, q;
    M.reserve(static_cast<std::size_t>(different) * n_ * n_);
    q.reserve(static_cast<std::size_t>(different) * n_);
    ContactLcpGenerator generator(99);
    for (int i = 0; i < different; ++i) {
      const ContactLcp lcp = generator.make(size, contact_scenes[i % 4]);
      M.insert(M.end(), lcp.M.begin(), lcp.M.end());
      q.insert(q.end(), lcp.q.begin(), lcp.q.end());
    }
    repeat(device, matrices_, M);
    repeat(device, vectors_, q);
  }

  LcpBatch batch() const {
    LcpBatch batch;
    batch.size = static_cast<int>(n_);
    batch.M = matrices_.as<double>();
    batch.q = vectors_.as<double>();
    return batch;
  }

 private:
  static void repeat(Device& device, const DeviceMemory& memory, const std::vector<double>& values) {
    const std::size_t bytes = values.size() * sizeof(double);
    for (std::size_t at = 0; at < memory.bytes(); at += bytes)
      device.upload(0, memory.data() + at, values.data(), std::min(bytes, memory.bytes() - at));
    device.wait(0);
  }

  std::size_t n_;
  DeviceMemory matrices_, vectors_;
};

struct LcpTime {
  int count;
  double seconds, pivots;  ///< pivots: the mean of a problem
};

/// The bytes that a dictionary in shared memory has to move for one problem at least: of n (n + 1) cells each is read
/// and written once for two pivots (core/lcp/dictionary.hpp).
double least_bytes(int n, double pivots) { return 8.0 * n * (n + 1) * pivots; }

/// Median of five launches over at most `most` problems, by the teams that `task` has been given.
LcpTime time_of_lcps(Device& device, LcpTask task, int most) {
  const auto all = static_cast<std::size_t>(most);
  const DeviceMemory z(device, all * static_cast<std::size_t>(task.batch.size) * sizeof(double));
  const DeviceMemory status(device, all), taken(device, sizeof(unsigned)), pivots(device, all * sizeof(int));
  task.batch.count = most;
  task.batch.z = z.as<double>();
  task.batch.status = status.as<LcpStatus>();
  task.batch.pivots = pivots.as<int>();
  task.taken = taken.as<unsigned>();
  task.teams = std::min(device.teams(task), most);
  const DeviceMemory memory(device, static_cast<std::size_t>(task.teams) * task.bytes_per_team());
  const QueueEnd queue_end(device, 0);
  task.memory = memory.data();
  const auto seconds_of_launch = [&](int count) {
    task.batch.count = count;
    return seconds_of([&] {
      device.clear(0, taken.data(), taken.bytes());
      device.solve_lcps(0, task);
      device.wait(0);
    });
  };
  const int first = std::min(first_count, most);
  seconds_of_launch(first);  // warms up
  const int count = count_in(seconds_per_lcp_launch, first, seconds_of_launch(first), most);
  std::array<double, 5> seconds;
  for (double& each : seconds) each = seconds_of_launch(count);
  std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
  std::vector<int> counted(static_cast<std::size_t>(count));
  device.download(0, counted.data(), pivots.data(), counted.size() * sizeof(int));
  device.wait(0);
  return {count, seconds[2], std::accumulate(counted.begin(), counted.end(), 0.0) / count};
}

void print_lcps(Device& device, LcpSize size, int most, const std::vector<Variant>& variants) {
  const int count = std::min(most, 400'000'000 / (size.n() * size.n()));
  const LcpProblems problems(device, size, count);
  const double bytes_per_second = device.limits().shared_bytes_per_second;
  for_each_variant(variants, [&](const Variant& variant) {
    LcpTask task;
    task.batch = problems.batch();
    DeviceLimits limits = device.limits();
    if (!variant.options.shared_memory) limits.shared_bytes_per_block = 0;
    place_lcps(task, limits, variant.options.team_kinds);
    task.place.registers = variant.options.registers, task.place.most_blocks = variant.options.most_blocks;
    const LcpTime time = time_of_lcps(device, task, count);
    std::printf("lcp,n=%d,%s,%s%s,%d,,%.6g,%.4g,%.4g,%.4g,,\n", size.n(), text_of(variant).c_str(),
                team_kinds[task.place.kind].name, task.place.shared ? "" : ":not shared", time.count, time.seconds,
                1e6 * time.seconds / time.count, time.pivots,
                1e6 * least_bytes(size.n(), time.pivots) / bytes_per_second);
  });
}

struct StepTime {
  int systems;
  double steps, seconds;  ///< steps: of all systems, those that fail early taken as they are
};

/// Of systems taken from their start towards the end, in `launches` until time is up.
StepTime time_of_launches(Device& device, DeviceBatch& resident, Batch& batch, int systems, int launches,
                          double most_seconds) {
  const auto last_step = static_cast<int>(batch.model().total_steps);
  resident.upload(batch, 0, systems);
  device.wait(0);
  double seconds = 0;
  for (int i = 1; i <= launches && seconds < most_seconds; ++i) {
    const auto step = static_cast<int>(static_cast<std::int64_t>(last_step) * i / launches);
    seconds += seconds_of([&] { resident.step(step); });
  }
  resident.download();
  resident.store();
  double steps = 0;
  for (int i = 0; i < systems; ++i) steps += batch.state(i).steps();
  return {systems, steps, seconds};
}

/// Of as many systems as keep the device busy for about the time that there is: more and more, because few take hardly
/// less time than many. Where even the start takes too long, it is the answer.
StepTime time_of_steps(Device& device, const Batch& start, const DeviceOptions& options) {
  DeviceBatch resident(device, start.model(), start.size(), 0, options);
  constexpr int steps_per_launch = 32;  // about what a LaunchLength comes to if there are many systems
  const int launches = std::max(1, static_cast<int>(start.model().total_steps) / steps_per_launch);
  constexpr int growth = 4, for_a_busy_device = 16 * first_count;
  int systems = std::min(for_a_busy_device, start.size());
  for (;; systems = std::min(systems * growth, start.size())) {
    Batch batch = start;
    const StepTime time = time_of_launches(device, resident, batch, systems, launches, seconds_per_steps);
    if (systems == start.size() || time.seconds > seconds_per_steps / growth) return time;
  }
}

/// Of a step of some samples.
int most_contacts(const Ensemble& ensemble) {
  constexpr int samples = 8;
  int most = 0;
  Batch batch(ensemble.model(), samples);
  WorkspaceMemory memory(ensemble.model(), 0);
  for (int i = 0; i < samples; ++i) {
    ensemble.load(i % ensemble.count(), batch, i);
    run_system(batch, i, static_cast<int>(ensemble.model().total_steps), memory,
               [&](const System&, const Workspace&, const StepResult& result) {
                 most = std::max(most, result.all_contacts());
               });
  }
  return most;
}

/// The placements that a system with as many contacts goes through, as "warp4 to 4 contacts, ..."; none if one of them
/// has teams of another kind.
std::optional<std::string> placements_text(const Device& device, const Model& model, const DeviceOptions& options,
                                           int contacts) {
  std::string text;
  for (const Placement& placement : placements_on(device, model, options)) {
    if ((options.team_kinds >> placement.place.kind & 1) == 0) return std::nullopt;
    text += (text.empty() ? "" : " ") + std::string(team_kinds[placement.place.kind].name) + ":" +
            std::to_string(placement.contacts) + (placement.place.shared ? "" : ":not shared");
    if (placement.contacts >= contacts) break;
  }
  return text;
}

void print_steps(Device& device, const std::string& name, int systems, const std::vector<Variant>& variants) {
  const Ensemble ensemble{read_scenario("scenarios/library/" + name + ".yaml")};
  Batch start(ensemble.model(), systems);
  for (int i = 0; i < systems; ++i) ensemble.load(i % ensemble.count(), start, i);
  const int contacts = most_contacts(ensemble);
  for_each_variant(variants, [&](const Variant& variant) {
    const std::optional<std::string> placements = placements_text(device, ensemble.model(), variant.options, contacts);
    if (!placements) return;
    const StepTime time = time_of_steps(device, start, variant.options);
    std::printf("steps,%s,%s,%s,%d,%.6g,%.6g,,,,%.5g,%zu\n", name.c_str(), text_of(variant).c_str(),
                placements->c_str(), time.systems, time.steps, time.seconds, time.steps / time.seconds,
                DeviceBatch::bytes_per_system(ensemble.model()));
  });
}

}  // namespace

void print_gpu_table(const GpuTable& table) {
  const std::unique_ptr<Device> device = open_cuda_device(table.device);
  device->allow_team_kinds(table.teams);
  std::printf("# %s, %.3g TB/s of shared memory\n", device->name().c_str(),
              1e-12 * device->limits().shared_bytes_per_second);
  const std::vector<Variant> variants = variants_of(*device, table);
  std::printf("kind,name,team,registers,dictionary,blocks,warps,placements,count,steps,seconds,us_per_lcp,pivots,");
  std::printf("us_at_shared_bound,steps_per_second,bytes_per_system\n");
  for (const std::string& name : table.names) {
    if (name != "lcp") {
      print_steps(*device, name, table.systems, variants);
      continue;
    }
    for (const LcpSize size : contact_lcp_sizes) print_lcps(*device, size, table.systems, variants);
  }
}

}  // namespace jostle
