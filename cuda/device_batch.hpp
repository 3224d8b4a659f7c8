#pragma once
// Systems of one model in the memory of a device: uploaded, stepped, downloaded.
#include <functional>

#include "core/batch/batch.hpp"
#include "cuda/device_model.hpp"
#include "cuda/device_records.hpp"
#include "cuda/simulate_task.hpp"

namespace jostle {

/// The systems of a DeviceBatch for your own kernels: the fields of system i come from
/// parameter_memory(parameter_layout, parameters + i * parameter_layout.bytes), and state_view likewise.
struct DeviceSystems {
  ParameterLayout parameter_layout;
  StateLayout state_layout;
  int count = 0;
  std::byte* parameters = nullptr;
  std::byte* states = nullptr;
};

/// How systems are placed on a device; results do not depend on it.
struct DeviceOptions {
  int first_contacts = 0;                ///< of an island in the first placement; 0: by the model
  unsigned team_kinds = all_team_kinds;  ///< preferred if one of them is large enough for the LCPs
  bool observed = false;                 ///< `observe` may be called: working memory is not in shared memory
  bool shared_memory = true;             ///< working memory may lie in shared memory
  int registers = 0;                     ///< as TeamPlace
  int most_blocks = 0;                   ///< as TeamPlace
  int warps = 0;                         ///< of a block; 0: as usual
};

/// The placements of a model on a device with these options.
std::vector<Placement> placements_on(const Device& device, const Model& model, const DeviceOptions& options);

class DeviceBatch {
 public:
  /// Room for `capacity` systems; everything happens in one queue. Throws DeviceOutOfMemory, and NoSuchKernels.
  DeviceBatch(Device& device, const Model& model, int capacity, int queue = 0, const DeviceOptions& options = {});

  /// Uploads systems [first, first + count) of a batch, count <= capacity, with their trajectories and records.
  void upload(Batch& batch, int first, int count);
  /// Starts to simulate every system up to `last_step`, one launch for each placement that has systems. Systems stay in
  /// the placement of the last call; at first all are in the smallest one. A system that stays at rest, where nothing
  /// is recorded on the way, goes to `final_step` at once, and the launches on the way there leave it out: final_step
  /// >= last_step. False if every system has ended or is there already: nothing is launched.
  bool launch(int last_step, int final_step);
  /// Waits, and continues systems that overflowed their placement in larger ones, and those whose records are full with
  /// larger records, until all of them are done.
  void complete();
  /// Starts to copy states, trajectories, records and the parameters that the device has loaded to the host; `store`
  /// waits and writes them to the batch that they came from.
  void download();
  void store();

  /// Systems that are stepped apart: takes each that `where` has (memory of the device, null: all) `count` steps
  /// further from where it is, at most to `final_step`, and waits. All systems begin. False if no system has a step
  /// left, or to begin.
  bool step_each(int count, const std::uint8_t* where, int final_step);
  /// Before the first of several such calls that make `count` steps together: the records of those systems have only
  /// the last of these steps. Nothing where nothing is recorded.
  void record_last(int count, const std::uint8_t* where, int final_step);
  /// Puts systems that `where` has back, and begins them again: parameters that follow from variables are computed
  /// anew.
  void restart(const std::uint8_t* where);

  /// The same where the host must not wait: the work is only put into the queue, and it is the same for every call, as
  /// a CUDA graph needs it. A launch follows for every placement, of the systems that are in it by then. First, once,
  /// `reserve_ahead`: it waits, and launches every kernel. Then nothing else that makes steps. Records do not grow: a
  /// system whose record is full gets the status `capacity`.
  void reserve_ahead();
  void start_each(int count, const std::uint8_t* where, int final_step);
  void start_restart(const std::uint8_t* where);

  /// launch and complete.
  void step(int last_step) {
    launch(last_step, last_step);
    complete();
  }

  /// observe(workspace, result) with the data of the last step of the only system; that step must have been made, and
  /// the batch must have options.observed. See run_observed.
  void observe(const std::function<void(const Workspace&, const StepResult&)>& observe);

  int size() const { return count_; }
  DeviceSystems systems() const;
  /// Of steps: [system] in the memory of the device until the next call that makes steps, null: none.
  const DeviceRecords& records() const { return step_records_; }
  /// Waits, and writes the records of steps to the batch that the systems came from.
  void fetch_records();
  /// Device memory for one system, without its trajectory, its record and the working memory of the teams.
  static std::size_t bytes_per_system(const Model& model);
  /// Device memory for the trajectory of a system that records every stride-th step.
  static std::size_t record_bytes(const Model& model, int stride);

 private:
  struct Record {
    TrajectoryView host;
    std::size_t q, v;  ///< where they begin in records_, in doubles
  };

  /// An order of systems serves at least as many steps: sorting takes about ten small kernels and a wait.
  static constexpr int steps_per_order = 16;

  void load_kernels(int capacity);
  void upload_records();
  SimulateTask task_for(std::size_t placement);
  int teams_for(SimulateTask task);
  void set_back(const std::uint8_t* where);
  /// Why systems may have ended before the last step of a launch.
  struct Pauses {
    unsigned overflow = 0, full = 0;
  };
  void set_targets(int count, const std::uint8_t* where, int final_step);
  Pauses pauses();     ///< waits
  int listed() const;  ///< systems that launches take
  void start_sort(int last_step);
  void sort_systems(int last_step);  ///< waits
  void run();
  void run_placement(std::size_t placement, const int* numbers);

  Device& device_;
  const Model& model_;
  int queue_;
  DeviceModel device_model_;
  std::vector<Placement> placements_;
  std::vector<int> in_placement_;  ///< how many systems of each placement the launches take
  DeviceMemory parameters_, states_, in_, costs_, numbers_, keys_, starts_, counters_, workspaces_, views_, records_,
      results_, last_steps_;
  DeviceRecords step_records_;
  PinnedMemory staged_parameters_, staged_states_, staged_views_, staged_records_;

  Batch* batch_ = nullptr;  ///< where the systems came from
  int first_ = 0, count_ = 0, last_step_ = 0, final_step_ = 0;
  bool is_apart_ = false;          ///< systems go to last_steps_, each to its own, not to last_step_
  bool is_sorted_ = false;         ///< numbers_ has the systems of the launches; else these are all, in order
  int sorted_at_ = 0;              ///< the step
  int sorted_up_to_ = 0;           ///< systems that have made this step are left out
  bool loads_parameters_ = false;  ///< of some system that was uploaded
  SimulateTask last_task_;
  std::vector<SimulateTask> ahead_;  ///< [placement] of start_each
  std::vector<Record> recorded_;
  std::size_t record_reals_ = 0;
  QueueEnd queue_end_;  // the last member: destroyed before the memory
};

/// Simulates the one system of a batch up to `last_step`, one launch per step, and reports the result of each, as
/// run_system does on the CPU.
void run_observed(Device& device, Batch& batch, int last_step, const StepObserver& observe);

}  // namespace jostle
