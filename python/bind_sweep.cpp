// jostle._core.sweep
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>

#include "drivers/simulation.hpp"
#include "drivers/sweeps/added_trajectories.hpp"
#include "drivers/sweeps/dataset_folder.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/sweeps/training_meta.hpp"
#include "drivers/views/motion.hpp"
#include "python/module.hpp"

namespace jostle::python {
namespace {

/// HDF5 is not for several threads.
std::mutex& sweeping() {
  static std::mutex mutex;
  return mutex;
}

const char* name_of(SweepReport::End end) {
  switch (end) {
    case SweepReport::End::complete: return "complete";
    case SweepReport::End::partial: return "partial";
    case SweepReport::End::interrupted: return "interrupted";
  }
  return "complete";
}

/// Python's part of a sweep: its signals, and the function that it gave for the progress.
class Watcher {
 public:
  Watcher(nb::object progress, std::atomic<bool>& stop) : progress_(std::move(progress)), stop_(stop) {}

  void see(const SweepProgress& now) {
    if (interrupt_.is_set() || error_) stop_ = true;
    if (stop_ || progress_.is_none()) return;
    const nb::gil_scoped_acquire gil;
    try {
      progress_(now.done, now.total, now.seconds);
    } catch (nb::python_error& error) {
      error_.emplace(std::move(error));
      stop_ = true;
    }
  }
  void rethrow() {
    interrupt_.rethrow();
    if (error_) throw std::move(*error_);
  }

 private:
  nb::object progress_;
  std::atomic<bool>& stop_;
  Interrupt interrupt_;
  std::optional<nb::python_error> error_;
};

nb::dict run(const Scenario& scenario, const std::filesystem::path& folder, std::int64_t n,
             std::optional<std::uint64_t> seed, const std::string& device, int threads, nb::object progress,
             bool generates, std::pair<std::int64_t, std::int64_t> share, const std::filesystem::path& scratch) {
  std::atomic<bool> stop{false};
  Watcher watcher(std::move(progress), stop);
  SweepReport report;
  {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(sweeping());
    const Ensemble ensemble(with_sampling(scenario, seed, n));
    SweepOptions options;
    options.folder = folder;
    options.n = n;
    options.shard_part = share.first;
    options.shard_parts = share.second;
    options.scratch = scratch;
    options.has_meta = generates;
    options.stop = &stop;
    options.picture = [&ensemble](std::int64_t sample) { return start_picture(ensemble, sample); };
    options.on_progress = [&](const SweepProgress& now) { watcher.see(now); };
    report = sweep(ensemble, Machine::named(device, threads), options);
    if (generates && report.end == SweepReport::End::complete)
      write_training_meta(report.folder, describe(ensemble), report.statistics);
  }
  watcher.rethrow();
  nb::dict result;
  result["end"] = name_of(report.end);
  result["n"] = report.n;
  result["simulated"] = report.simulated;
  result["kept"] = report.kept;
  result["invalid"] = report.statistics.invalid;
  result["seconds"] = report.seconds;
  return result;
}

/// In parts, so that Ctrl-C need not wait for all; what is finished stays.
void record(const Scenario& scenario, const std::filesystem::path& folder, std::int64_t n,
            const std::vector<std::int64_t>& samples, const std::string& device, int threads) {
  Interrupt interrupt;
  {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(sweeping());
    const Ensemble ensemble(with_sampling(scenario, {}, n));
    const DatasetDescription description = describe(ensemble);
    check_dataset_folder(folder, description, n);
    const std::vector<ShardRange> ranges = shard_ranges(description, n);
    const Machine machine = Machine::named(device, threads);
    const std::atomic<bool> never{false};
    constexpr std::size_t at_once = 256;
    for (std::size_t begin = 0; begin < samples.size() && !interrupt.is_set(); begin += at_once) {
      const std::span part(samples.data() + begin, std::min(at_once, samples.size() - begin));
      add_trajectories(folder, ensemble, description, ranges, machine, part, never);
    }
  }
  interrupt.rethrow();
}

}  // namespace

void bind_sweep(nb::module_& module) {
  module.def("sweep", &run, nb::arg("scenario"), nb::arg("folder"), nb::arg("n"), nb::arg("seed").none(),
             nb::arg("device"), nb::arg("threads"), nb::arg("progress").none(), nb::arg("generates") = false,
             nb::arg("share") = std::pair<std::int64_t, std::int64_t>(1, 1), nb::arg("scratch") = "",
             "Makes the dataset that `jostle sweep` makes; progress(done, total, seconds) is called now and then.");
  module.def("record", &record, nb::arg("scenario"), nb::arg("folder"), nb::arg("n"), nb::arg("samples"),
             nb::arg("device"), nb::arg("threads"), "Adds the trajectories of samples, ascending, to a folder.");
}

}  // namespace jostle::python
