#pragma once
// What is behind a LiveBatch, for its own sources alone.
#include <span>
#include <utility>
#include <vector>

#include "drivers/live/live_batch.hpp"
#include "drivers/simulation.hpp"

namespace jostle {

/// The systems of a batch whose scenario has further variables. What is short is inlined, as a step of a small system
/// takes a few hundred nanoseconds.
struct LiveBatch::Engine {
  Engine(const Scenario& scenario, std::vector<LiveNumber> live, std::span<const std::int64_t> samples,
         const Machine& machine, std::span<const int> shown, const std::function<bool()>& is_stopped = {})
      : numbers(std::move(live)),
        ensemble(with_variables(scenario, numbers)),
        systems(ensemble, samples, machine, is_stopped),
        bodies(shown_bodies(view(), shown)) {}

  Batch& batch() { return systems.batch(); }
  const ModelView& view() const { return systems.model(); }
  /// For its memory alone: without its records.
  System system(int index) {
    return {view(), batch().parameter_memory(index), batch().state_memory(index), {}, nullptr};
  }
  double* variables(int index) { return batch().parameters(index).variables; }
  /// As Batch::state; inlined, so that only the members that are used are computed.
  [[gnu::always_inline]] StateView state(int index) {
    return state_view(view().state_layout, batch().state_memory(index));
  }
  Status status(int index) { return static_cast<Status>(state(index).status()); }
  void set_status(int index, Status status) { state(index).status() = static_cast<int>(status); }
  bool has_started(int index) {
    const double* const turn = state(index).orientation;
    return ensemble.model().bodies.empty() || turn[0] != 0 || turn[1] != 0 || turn[2] != 0 || turn[3] != 0;
  }
  int last_step() const { return systems.last_step(); }

  std::vector<LiveNumber> numbers;
  Ensemble ensemble;
  Simulation systems;
  std::vector<ShownBody> bodies;
};

}  // namespace jostle
