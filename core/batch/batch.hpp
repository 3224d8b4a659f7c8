#pragma once
// Many systems of one model, and the OpenMP backend that runs them: one serial team per system, systems distributed
// over threads. The result of a system depends only on its own parameters.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/model/system.hpp"
#include "core/records/record_memory.hpp"
#include "core/step_result.hpp"

namespace jostle {

struct DenseLcp;

/// Memory for one team, as large as the current step needs.
class WorkspaceMemory {
 public:
  WorkspaceMemory(const Model& model, int contacts);
  /// Doubles the number of contacts, up to that of the largest LCP; false if that is reached.
  bool grow();
  /// Valid until the memory grows or moves.
  Workspace workspace() const;
  const ModelView& view() const { return view_; }

  /// n of the largest LCP of an island that is attempted, about 170 MB of dictionary and Delassus matrix.
  static constexpr int largest_lcp = 4096;
  /// A step may have so many islands of that size, or more smaller ones: 540 MB of Delassus matrix.
  static constexpr int largest_islands = 4;
  /// Contacts of that LCP, at least 1, and of a whole step: with more the status is `capacity` on every backend.
  static int most_island_contacts(const Model& model);
  static int most_contacts(const Model& model);

 private:
  void carve(int contacts);
  const Model* model_;
  ModelView view_;
  WorkspaceLayout layout_;
  std::vector<std::byte> memory_;
  std::byte* first_ = nullptr;  ///< of its whole cache lines
};

/// Owns parameters and states, system after system.
class Batch {
 public:
  Batch(const Model& model, int systems);
  int size() const { return systems_; }
  const Model& model() const { return *model_; }

  /// All zero at first; fill every field before simulating.
  ParameterMemory parameters(int system);
  StateView state(int system);
  Status status(int system) { return static_cast<Status>(state(system).status()); }

  /// Parameters and state as memory, system after system: ParameterLayout::bytes and StateLayout::bytes each.
  std::byte* parameter_memory(int system);
  std::byte* state_memory(int system);

  /// Records the system's trajectory where the view says; set before the first step.
  void record(int system, const TrajectoryView& trajectory) { trajectories_[system] = trajectory; }
  const TrajectoryView& trajectory(int system) const { return trajectories_[system]; }
  /// Records its steps there, too, which must outlive the batch; set before the first step.
  void record(int system, RecordMemory& memory) { records_[system] = &memory; }
  /// Null: it has none.
  RecordMemory* record(int system) const { return records_[system]; }
  /// The system with the model seen from a workspace.
  System system(const ModelView& view, int index);

 private:
  const Model* model_;
  ParameterLayout parameter_layout_;
  StateLayout state_layout_;
  int systems_;
  std::vector<std::byte> parameters_, states_;
  std::vector<TrajectoryView> trajectories_;
  std::vector<RecordMemory*> records_;
};

struct RunOptions {
  int threads = 0;                          ///< 0: all
  int first_contacts = 0;                   ///< capacity of the first workspace; 0: Model::usual_contacts()
  const std::atomic<bool>* stop = nullptr;  ///< if set, systems that have not begun are left alone
};

/// Simulates all systems up to `last_step`. Returns false if it was stopped. Throws std::bad_alloc if there is no
/// memory for a thread's workspace: no status reports that, because results do not depend on the machine.
bool run_batch(Batch& batch, int last_step, const RunOptions& options = {});

using StepObserver = std::function<void(const System&, const Workspace&, const StepResult&)>;

/// Simulates one system up to `last_step` on the calling thread; calls `observe`, which may be empty, after every step.
void run_system(Batch& batch, int index, int last_step, WorkspaceMemory& memory, const StepObserver& observe = {});

/// Simulates a system up to `last_step`, or until its workspace or its record is full, as core/step.hpp does for a
/// team; calls `observe` as run_system does.
using Simulate =
    std::function<Pause(const System& system, const Workspace& work, int last_step, const StepObserver& observe)>;

/// run_system by other code than that of a CPU thread: continues in larger memory wherever it pauses.
void run_system_by(const Simulate& simulate, Batch& batch, int index, int last_step, WorkspaceMemory& memory,
                   const StepObserver& observe = {});

/// Whether the system has a step left up to `last_step`; loads and initialises one that has not run. Then a step of it
/// on the calling thread, or up to `most_repeated` of them that repeat each other (core/step.hpp).
bool has_step_on_thread(const System& system, const Workspace& work, int last_step);
StepResult make_step_on_thread(const System& system, const Workspace& work, int most_repeated);

/// Computes the parameters of a system with status not_loaded from its variables, now and on the calling thread.
/// Otherwise the system does so when it begins, with bit-identical results.
void load_system(Batch& batch, int index);

/// The system is computed again even if it was at rest.
void wake(const System& system);

/// The last LCP that a step has solved, of size n, read from the workspace: its islands one after the other
/// (core/lcp/dense.hpp).
DenseLcp dense_lcp(const Dimensions& d, const Workspace& work, int n);

/// Adds the last LCP that a step has formed to the system's record, also one without an answer, with piece and stage
/// -1, as a workspace does not say which they were; false if it has no room.
bool record_last_lcp(const System& system, const Workspace& work);

/// How far the friction cones of the last problem that a step has solved, or failed to solve, are from one that is not
/// pointed; read from the workspace. It must have had an LCP.
double pointedness(const System& system, const Workspace& work);

/// J: kinetic and potential energy of a system in its current state; the canonical NaN where it overflows.
double system_energy(const System& system);

/// FNV-1a over all fields of a system's state, never over padding.
std::uint64_t state_digest(Batch& batch, int system);

}  // namespace jostle
