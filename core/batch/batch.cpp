#include "core/batch/batch.hpp"

#include <omp.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "core/assembly/assembled_lcp.hpp"
#include "core/batch/turns.hpp"
#include "core/lcp/dense.hpp"
#include "core/step.hpp"

namespace jostle {

/// The thread of a CPU. Its step is compiled for types of its own, which nothing else in this object calls: so
/// functions that it calls once are inlined.
struct CpuThread : SerialTeam {};
struct CpuPlainSystems : RecordedPlainSystems {};
struct CpuSystems : AllSystems {};

namespace {

constexpr std::size_t cache_line = 64;

Pause simulate_on_thread(const System& system, const Workspace& work, int last_step, const StepObserver& observe) {
  return with_traits<CpuPlainSystems, CpuSystems>(system.model.dimensions, work, [&](AnyWorkspace auto own) {
    return take_steps(
        system, last_step, observe ? 1 : last_step, [&] { return has_step(CpuThread{}, system, own, last_step); },
        [&](int repeated) { return make_step(CpuThread{}, system, own, true, repeated, NoClock{}, MeetNobody{}); },
        [&](const StepResult& result) {
          if (observe) observe(system, work, result);
        });
  });
}

}  // namespace

WorkspaceMemory::WorkspaceMemory(const Model& model, int contacts) : model_(&model) {
  carve(std::min(contacts > 0 ? contacts : model.usual_contacts(), most_contacts(model)));
}

int WorkspaceMemory::most_island_contacts(const Model& model) {
  return std::max(1, largest_lcp / model.view(0).dimensions.variables_per_contact());
}

int WorkspaceMemory::most_contacts(const Model& model) {
  return (model.view(0).dimensions.has_islands() ? largest_islands : 1) * most_island_contacts(model);
}

bool WorkspaceMemory::grow() {
  const int contacts = std::min(2 * layout_.contacts, most_contacts(*model_));
  if (contacts <= layout_.contacts) return false;
  carve(contacts);
  return true;
}

void WorkspaceMemory::carve(int contacts) {
  view_ = model_->view(contacts);
  if (contacts > most_island_contacts(*model_)) view_.dimensions.island_contacts = most_island_contacts(*model_);
  layout_ = WorkspaceLayout(view_.dimensions);
  const std::size_t bytes = layout_.near + layout_.cells + layout_.far;
  memory_.assign(bytes + cache_line, std::byte{0});
  void* start = memory_.data();
  std::size_t space = memory_.size();
  first_ = static_cast<std::byte*>(std::align(cache_line, bytes, start, space));
}

Workspace WorkspaceMemory::workspace() const {
  return {layout_, first_, first_ + layout_.near, first_ + layout_.near + layout_.cells};
}

Batch::Batch(const Model& model, int systems)
    : model_(&model),
      parameter_layout_(model.view(0).parameter_layout),
      state_layout_(model.view(0).state_layout),
      systems_(systems),
      parameters_(parameter_layout_.bytes * static_cast<std::size_t>(systems)),
      states_(state_layout_.bytes * static_cast<std::size_t>(systems)),
      trajectories_(static_cast<std::size_t>(systems)),
      records_(static_cast<std::size_t>(systems)) {
  for (int i = 0; i < systems; ++i) state(i).status() = static_cast<int>(Status::not_run);
}

ParameterMemory Batch::parameters(int system) {
  return jostle::parameter_memory(parameter_layout_, parameter_memory(system));
}

std::byte* Batch::parameter_memory(int system) {
  return parameters_.data() + parameter_layout_.bytes * static_cast<std::size_t>(system);
}

std::byte* Batch::state_memory(int system) {
  return states_.data() + state_layout_.bytes * static_cast<std::size_t>(system);
}

StateView Batch::state(int system) { return state_view(state_layout_, state_memory(system)); }

System Batch::system(const ModelView& view, int index) {
  const auto at = static_cast<std::size_t>(index);
  return {view, parameter_memory(index), state_memory(index), trajectories_[at],
          records_[at] ? records_[at]->view() : nullptr};
}

bool has_step_on_thread(const System& system, const Workspace& work, int last_step) {
  return with_traits<CpuPlainSystems, CpuSystems>(system.model.dimensions, work, [&](AnyWorkspace auto own) {
    return has_step(CpuThread{}, system, own, last_step);
  });
}

StepResult make_step_on_thread(const System& system, const Workspace& work, int most_repeated) {
  return with_traits<CpuPlainSystems, CpuSystems>(system.model.dimensions, work, [&](AnyWorkspace auto own) {
    return make_step(CpuThread{}, system, own, true, most_repeated, NoClock{}, MeetNobody{});
  });
}

void run_system_by(const Simulate& simulate, Batch& batch, int index, int last_step, WorkspaceMemory& memory,
                   const StepObserver& observe) {
  for (;;) {
    const System system = batch.system(memory.view(), index);
    const Pause pause = simulate(system, memory.workspace(), last_step, observe);
    if (pause == Pause::finished) return;
    if (pause == Pause::records_full) batch.record(index)->grow();
    if (pause == Pause::records_full || memory.grow()) continue;
    system.state().status() = static_cast<int>(Status::capacity);
    return;
  }
}

void run_system(Batch& batch, int index, int last_step, WorkspaceMemory& memory, const StepObserver& observe) {
  run_system_by(simulate_on_thread, batch, index, last_step, memory, observe);
}

bool run_batch(Batch& batch, int last_step, const RunOptions& options) {
  const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
  std::atomic<bool> stopped{false};
  std::vector<std::optional<WorkspaceMemory>> memories(static_cast<std::size_t>(threads));
  share_turns(batch.size(), threads, [&](int i, int thread) {
    if (options.stop && options.stop->load(std::memory_order_relaxed)) stopped.store(true, std::memory_order_relaxed);
    if (stopped.load(std::memory_order_relaxed)) return;
    std::optional<WorkspaceMemory>& memory = memories[static_cast<std::size_t>(thread)];
    if (!memory) memory.emplace(batch.model(), options.first_contacts);
    run_system(batch, i, last_step, *memory);
  });
  return !stopped.load();
}

void load_system(Batch& batch, int index) {
  const ModelView view = batch.model().view(0);
  const Dimensions& d = view.dimensions;
  std::vector<double> memory(static_cast<std::size_t>(d.shared_numbers + d.evaluations() * d.operands));
  const Span<double, 1> shared{memory.data()};
  load(CpuThread{}, batch.system(view, index), shared, shared.from(d.shared_numbers));
}

void wake(const System& system) {
  const StateView state = system.state();
  state.resting() = 0;
  std::fill_n(state.rest_island, system.model.dimensions.resting_movers(), 0);
}

// A step that is answered by modes forms no LCP.
DenseLcp dense_lcp(const Dimensions& d, const Workspace& work, int n) {
  const auto size = static_cast<std::size_t>(n);
  DenseLcp dense{std::vector<double>(size * size), std::vector<double>(size)};
  for (int i = 0; n > 0 && i < work.islands(); ++i) {
    const Island island = work.island(i);
    if (d.is_coupled())
      form_coupled_delassus(SerialTeam{}, d, work);
    else
      form_delassus(SerialTeam{}, island, work);
    number_lcp(SerialTeam{}, island, work);
    const AssembledLcp lcp(work, island);
    for (int r = 0; r < lcp.n; ++r) {
      const auto first = static_cast<std::size_t>(island.first_variable), row = first + static_cast<std::size_t>(r);
      double* const to = &dense.M[row * size + first];
      for (int c = 0; c < lcp.n; ++c) to[c] = lcp.entry(r, c);
      dense.q[row] = lcp.constant(r);
    }
  }
  return dense;
}

bool record_last_lcp(const System& system, const Workspace& work) {
  return record_lcps(CpuThread{}, system, work.as<CpuSystems>(), -1, -1);
}

double pointedness(const System& system, const Workspace& work) {
  Dimensions d = system.model.dimensions;
  d.contacts = work.contacts(), d.has_pointedness = true;
  const auto generators = static_cast<std::size_t>(d.generators());
  const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(d.generators());
  std::vector<ConeGenerator> list(generators);
  std::vector<double> numbers(2 * generators + static_cast<std::size_t>(d.velocities())), cells(sizes.cells),
      vectors(sizes.vectors);
  std::vector<int> ints(sizes.ints);
  const PointednessMemory memory{list.data(), numbers.data(), cells.data(), vectors.data(), ints.data()};
  return pointedness(CpuThread{}, system.model, work.as<CpuSystems>(), memory);
}

double system_energy(const System& system) { return total_energy(system); }

std::uint64_t state_digest(Batch& batch, int system) {
  const Dimensions d = batch.model().view(0).dimensions;
  const StateView state = batch.state(system);
  std::uint64_t hash = 14695981039346656037u;
  const auto mix = [&](const void* data, std::size_t bytes) {
    const auto* const p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 1099511628211u;
  };
#define JOSTLE_MIX(type, name, extent, unit, ...) \
  for (int i = 0; i < static_cast<int>(extent); ++i) mix(elements(state.name) + i, sizeof(type));
  JOSTLE_RESULTS(JOSTLE_MIX)
#undef JOSTLE_MIX
  return hash;
}

}  // namespace jostle
