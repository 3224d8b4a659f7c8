// jostle._core.sweep
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "drivers/datasets/condition.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/simulation.hpp"
#include "drivers/statistics/run_statistics.hpp"
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

/// What the thread that called jostle does while another one sweeps: it asks Python for signals, which only that thread
/// gets, and calls the function that it gave for the progress.
class Watcher {
 public:
  explicit Watcher(nb::object progress = nb::none()) : progress_(std::move(progress)) {}

  const std::atomic<bool>& stop() const { return stop_; }

  /// Called by any thread.
  void tell(const SweepProgress& now) {
    const std::lock_guard lock(mutex_);
    newest_ = now;
  }

  /// Runs f on a thread of its own. Without the GIL.
  void watch(const std::function<void()>& f) {
    std::future<void> sweep = std::async(std::launch::async, f);
    constexpr std::chrono::milliseconds between_looks{50};
    while (sweep.wait_for(between_looks) != std::future_status::ready) look();
    look();
    sweep.get();
  }

  /// Throws what a signal, or the function, has raised; with the GIL.
  void rethrow() {
    interrupt_.rethrow();
    if (error_) throw std::move(*error_);
  }

 private:
  void look() {
    if (error_ || interrupt_.is_set()) {
      stop_ = true;
      return;
    }
    if (progress_.is_none()) return;
    std::optional<SweepProgress> now;
    {
      const std::lock_guard lock(mutex_);
      now = std::exchange(newest_, std::nullopt);
    }
    if (!now) return;
    const WithGil gil;
    try {
      progress_(now->done, now->total, now->seconds);
    } catch (nb::python_error& error) {
      error_.emplace(std::move(error));
      stop_ = true;
    }
  }

  nb::object progress_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::optional<SweepProgress> newest_;
  Interrupt interrupt_;
  std::optional<nb::python_error> error_;
};

/// Samples with a status other than ok: of the share that this job has made, also if it has completed the dataset and
/// the statistics are those of all.
std::int64_t own_invalid(const Ensemble& ensemble, const SweepOptions& options, const SweepReport& report) {
  if (options.shard_parts == 1 || report.end != SweepReport::End::complete) return report.statistics.invalid;
  const DatasetDescription description = describe(ensemble);
  return read_statistics(report.folder, description, own_ranges(description, options)).invalid;
}

Dict run(const Scenario& scenario, const std::filesystem::path& folder, std::int64_t n,
         std::optional<std::uint64_t> seed, const std::string& device, int threads, nb::object progress, bool generates,
         std::pair<std::int64_t, std::int64_t> share, const std::filesystem::path& scratch) {
  Watcher watcher(std::move(progress));
  SweepReport report;
  std::int64_t invalid = 0;
  const auto make = [&] {
    const std::lock_guard lock(sweeping());
    const Ensemble ensemble(with_sampling(scenario, seed, n));
    SweepOptions options;
    options.folder = folder;
    options.n = n;
    options.shard_part = share.first;
    options.shard_parts = share.second;
    options.scratch = scratch;
    options.has_meta = generates;
    options.stop = &watcher.stop();
    options.picture = [&ensemble](std::int64_t sample) { return start_picture(ensemble, sample); };
    options.on_progress = [&](const SweepProgress& now) { watcher.tell(now); };
    report = sweep(ensemble, Machine::named(device, threads), options);
    invalid = own_invalid(ensemble, options, report);
    if (generates && report.end == SweepReport::End::complete)
      write_training_meta(report.folder, describe(ensemble), report.statistics);
  };
  {
    const WithoutGil unlocked;
    watcher.watch(make);
  }
  watcher.rethrow();
  nb::dict result;
  result["end"] = name_of(report.end);
  result["n"] = report.n;
  result["simulated"] = report.simulated;
  result["kept"] = report.kept;
  result["invalid"] = invalid;
  result["seconds"] = report.seconds;
  return result;
}

/// In parts, which are finished one by one: they stay if Ctrl-C ends it.
void record(const Scenario& scenario, const std::filesystem::path& folder, std::int64_t n,
            const std::vector<std::int64_t>& samples, const std::string& device, int threads) {
  Watcher watcher;
  const auto add = [&] {
    const std::lock_guard lock(sweeping());
    const Ensemble ensemble(with_sampling(scenario, {}, n));
    const DatasetDescription description = describe(ensemble);
    check_dataset_folder(folder, description, n);
    const std::vector<ShardRange> ranges = shard_ranges(description, n);
    const Machine machine = Machine::named(device, threads);
    constexpr std::size_t at_once = 256;
    for (std::size_t begin = 0; begin < samples.size() && !watcher.stop(); begin += at_once) {
      const std::span part(samples.data() + begin, std::min(at_once, samples.size() - begin));
      add_trajectories(folder, ensemble, description, ranges, machine, part, watcher.stop());
    }
  };
  {
    const WithoutGil unlocked;
    watcher.watch(add);
  }
  watcher.rethrow();
}

using Column = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Of columns of equal length: name, whether its 1 and 0 are truth values, values.
Array<std::int64_t> rows_where(const std::string& condition,
                               const std::vector<std::tuple<std::string, bool, Column>>& table) {
  std::vector<ConditionName> names;
  std::vector<std::function<double(std::size_t)>> columns;
  for (const auto& [name, is_truth, values] : table) {
    names.push_back({name, is_truth ? ValueKind::truth : ValueKind::number});
    columns.emplace_back([numbers = values.data()](std::size_t row) { return numbers[row]; });
  }
  const auto rows = static_cast<std::int64_t>(std::get<Column>(table.front()).shape(0));
  std::vector<std::int64_t> found = RowCondition("condition", condition, names).find(columns, 0, rows, rows);
  const std::size_t count = found.size();
  return new_array(std::move(found), {count});
}

/// The type of each column of a summary that is not a variable or an outcome, as numpy calls it.
nb::typed<nb::dict, nb::str, nb::str> summary_types() {
  nb::dict types;
  const ShardData none;
  for_each_column(DatasetDescription(), none, [&](const SummaryColumn& column, const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    types[column.name.c_str()] = std::is_same_v<Value, double>         ? "float64"
                                 : std::is_same_v<Value, std::int32_t> ? "int32"
                                                                       : "uint8";
  });
  return types;
}

}  // namespace

void bind_sweep(nb::module_& module) {
  module.def("sweep", &run, nb::arg("scenario"), nb::arg("folder"), nb::arg("n"), nb::arg("seed").none(),
             nb::arg("device"), nb::arg("threads"), nb::arg("progress").none(), nb::arg("generates") = false,
             nb::arg("share") = std::pair<std::int64_t, std::int64_t>(1, 1), nb::arg("scratch") = "",
             "Makes the dataset that `jostle sweep` makes; progress(done, total, seconds) is called now and then.");
  module.def("rows_where", &rows_where, nb::arg("condition"), nb::arg("table"),
             "The rows for which a condition on columns (name, whether it is a truth value, values) holds.");
  module.def("summary_types", &summary_types, "Name of a column of each summary: its type.");
  module.def("training_records", &training_records, "Settings of `record` with which training data begin.");
  module.def("record", &record, nb::arg("scenario"), nb::arg("folder"), nb::arg("n"), nb::arg("samples"),
             nb::arg("device"), nb::arg("threads"), "Adds the trajectories of samples, ascending, to a folder.");
}

}  // namespace jostle::python
