#pragma once
// Samples of a scenario that are stepped from outside: a controller, a learner or an optimiser reads their state from
// arrays, writes forces, states and parameters into arrays, and lets the systems go on.
//
//     jostle::LiveBatch batch(jostle::read_scenario("rod.yaml"), {0, 1, 2, 3});
//     batch.step(100);
//     batch.q()[7 * (2 * batch.bodies().size() + 0) + 1];     // y of the first body of the third system
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/datasets/step_records.hpp"
#include "drivers/devices/machine.hpp"
#include "drivers/errors.hpp"
#include "drivers/live/exchange.hpp"
#include "drivers/live/live_scenario.hpp"
#include "drivers/live/resident_options.hpp"
#include "drivers/memory.hpp"
#include "drivers/watch.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {

class Device;
class ResidentSystems;

/// The arrays keep their addresses as long as the batch lives. `q` and `v` are copies of the state, with world spins
/// (the state has body axes): they are refreshed at the end of every call that changes a system, and what you write
/// into them is taken over at the beginning of its next step. Before its first step, a system whose variables change
/// gets the initial state that they have, in which the components of q and v that were written stay, until a reset. A
/// system that nothing is written to has the same bits as the sample in a sweep. Not for several threads at once.
///
/// Bodies have two numberings. Arrays have rows for those of bodies() alone, without the fixed ones: q, v, wrenches,
/// impulses, and the argument of wrench_variable. An argument `body` of mass, masses and sets_mass is a place in
/// Scenario::bodies, where fixed ones count: row k is the body bodies()[k]. Joints are places in Scenario::joints.
/// UsageError is thrown for a system, body, joint, outcome or quantity that there is not.
class LiveBatch {
 public:
  /// Everything that decides how a batch continues.
  struct Snapshot;

  /// One system for each number of a sample, in any order, in its initial state. Throws UsageError for a sample that
  /// the scenario does not have, ScenarioError as Ensemble does, and what check_room does. The calling thread calls
  /// `is_stopped` about every 20 ms; if it returns true, Stopped is thrown.
  LiveBatch(Scenario scenario, std::vector<std::int64_t> samples, const Machine& machine = Machine(),
            const std::function<bool()>& is_stopped = {});
  ~LiveBatch();
  LiveBatch(const LiveBatch&) = delete;
  LiveBatch& operator=(const LiveBatch&) = delete;

  int size() const { return static_cast<int>(samples_.size()); }
  const Scenario& scenario() const { return scenario_; }
  const std::vector<std::int64_t>& samples() const { return samples_; }
  /// Places in Scenario::bodies of the bodies that are shown: all that are not fixed.
  const std::vector<int>& bodies() const { return bodies_; }

  /// `body` in the shapes of arrays is always a row of bodies().
  double* q() { return q_.data(); }                              ///< [system, body, 7] m and quaternion: x y z, w x y z
  double* v() { return v_.data(); }                              ///< [system, body, 6] m/s and rad/s, world
  const std::uint8_t* status() const { return status_.data(); }  ///< [system] of Status
  const std::int32_t* steps() const { return steps_.data(); }    ///< [system] taken since the start
  /// Whether the condition `stop_when` of the scenario has held: then a system takes no further step.
  bool has_stopped(int system) const;
  /// [system, body, 6] N and N m: a force at the centre of mass and a torque, world axes, which act in every step until
  /// you write others. Zero at first. A system in which you write one of a body with prescribed motion fails as
  /// bad_parameters in its next step.
  double* wrenches();
  /// [system] values of a variable. What you write is taken over at the beginning of a system's next step.
  /// Throws UsageError if there is no such variable.
  double* variable(const std::string& name);
  /// [system] kg: the mass of a body, by its place in Scenario::bodies, as a variable of its own; what follows from it
  /// follows. Throws UsageError for a body that no force moves.
  double* mass(int body);
  /// [system] rad/s or m/s: the speed of the motor of a joint, in place of what the scenario says, from the value on
  /// that it has now. Throws UsageError for a joint without motor.
  double* motor_speed(int joint);
  /// [system] the same as they are now, copied: nothing becomes a variable.
  std::vector<double> masses(int body);
  std::vector<double> motor_speeds(int joint);
  /// Whether it is a variable, because mass() or motor_speed() was called, or because the scenario draws it.
  bool sets_mass(int body) const;
  bool sets_motor_speed(int joint) const;
  /// Takes over what was written to an array of variable() or mass() now. Throws UsageError, and takes over nothing, if
  /// it would change in a running system what only a start can set: shapes, joints and the initial state.
  void apply(const double* variable);

  /// Takes systems `count` steps further, at most to the last step of the scenario: those with where[system], which
  /// may be null for all. A system that fails keeps its last good state and a status. The calling thread calls
  /// `is_stopped` about every 20 ms; if it returns true, the systems that have not begun stay, and so does the result
  /// false.
  bool step(int count, const bool* where = nullptr, const std::function<bool()>& is_stopped = {});
  /// Back to the initial state, with the present values of the variables. Numbers of systems, not a mask.
  void reset(std::span<const int> systems);

  /// Leaves the systems in the memory of the GPU, with what was written: from now on they are stepped there, and their
  /// fields are there. Throws UsageError if the batch is not on a GPU. Until `download` other calls
  /// throw UsageError; the arrays stay as they are.
  std::shared_ptr<ResidentSystems> upload(const ResidentOptions& options = {});
  /// What is on the device; throws UsageError if it is not.
  ResidentSystems& resident() const;
  /// Copies the systems back and refreshes all arrays.
  void download();
  /// The first of the six variables of the force and torque on bodies()[body]; throws UsageError if wrenches() was
  /// not called.
  int wrench_variable(std::size_t body) const;
  /// The device, null: the CPU.
  Device* device() const { return machine_.gpu(); }

  std::shared_ptr<const Snapshot> save() const;
  /// A snapshot as bytes, for files and other processes of the same version of jostle, and back. `snapshot_of` throws
  /// UsageError if they are of another version, damaged, or no snapshot.
  static std::string bytes_of(const Snapshot& snapshot);
  static std::shared_ptr<const Snapshot> snapshot_of(std::string_view bytes);
  /// Continues from a snapshot of a batch of the same scenario and samples. Arrays that were asked for since show what
  /// it has. Throws UsageError if it is of another scenario or of other samples.
  void restore(const Snapshot& snapshot);

  /// Why the system has its status, beyond its name; may be empty.
  std::string reason(int system);
  /// Contacts in the last step that each system has taken, if the scenario has `record.contacts`: the rows of a system
  /// are splits[system] to before splits[system + 1]. A system that failed in its last call of `step` has none, nor has
  /// one that has taken no step since it was made, reset or restored. Throws UsageError without record.contacts.
  ContactRecords contacts() const;
  /// [system, body of bodies(), 6] N s and N m s, world, about its centre of mass: of all contacts on a body in the
  /// step that contacts() are of, zeros where there is none. Throws UsageError without record.contacts.
  std::vector<double> impulses() const;
  /// [system, 3] position (rad or m), speed and impulse (N m s or N s) of a joint along its axis; NaN for a system
  /// without state.
  std::vector<double> joint(int joint);
  std::vector<std::string> pairs() const;   ///< shapes of the pairs that ContactRecords::pair numbers, as in datasets
  double outcome(int system, int outcome);  ///< of Scenario::outcomes; NaN if the status is not ok, or it is not finite
  /// [system] the values of Scenario::record.quantities[quantity] in the present states, as a record of the last step
  /// has them; NaN for a system without state.
  std::vector<double> quantity(int quantity);
  std::uint64_t digest(int system);        ///< state_digest
  ParameterMemory parameters(int system);  ///< for reading
  const Model& model() const;

 private:
  struct Engine;  ///< an ensemble and a batch of it
  /// An array of a variable.
  struct Column {
    int variable = 0;
    std::vector<double> values;
  };

  void check_system(int system) const { check_index("system", system, samples_.size()); }
  void check_is_here() const;
  void check_keeps_contacts() const;
  ShownSystem shown(int system) {
    const std::size_t row = static_cast<std::size_t>(system) * bodies_.size();
    return {q_.data() + 7 * row, v_.data() + 6 * row};
  }
  void show_system(int system);
  void begin(int system, int thread);
  void start(int system, int thread = 0);
  void start_again(int system, std::span<const std::byte> before, int thread);
  void start_all(Watch& watch);
  void fail(int system, const std::string& reason, Status status = Status::bad_parameters);
  bool take_over_variables(int system, std::string& reason, int thread = 0);
  void prepare(int system, int thread, const System& memory, const ShownSystem& arrays);
  void advance(int system, int thread, int count);
  void pass(int count, const bool* where, Watch& watch);
  void pass_on_device(int count, const bool* where, Watch& watch);
  void run(int system, int thread, int last);
  void run_on_device(std::span<const int> systems, int last);
  bool has_ended_before(int step, const StateView& state) const;
  void use(std::shared_ptr<Engine> engine);
  void attach_records();
  void forget_contacts(int system, int step);
  void widen(const LiveNumber& number);
  double* array_of(const LiveNumber& number);
  bool sets(const LiveNumber& number) const;
  std::string no_force_moves(int body) const;
  void refuse_wrench(int system, std::size_t body);
  LiveNumber mass_of(int body) const;
  LiveNumber motor_of(int joint) const;
  double motor_speed_now(int joint, int system);
  int variable_index(const std::string& name) const;
  WorkspaceMemory& memory_of(int thread) {
    std::unique_ptr<WorkspaceMemory>& memory = memories_[static_cast<std::size_t>(thread)];
    if (!memory) memory = std::make_unique<WorkspaceMemory>(model(), 0);
    return *memory;
  }
  /// f(i, number of the thread) for all systems, on all threads, or fewer where there is little to do: so many steps
  /// for each system. Rethrows the first exception.
  void for_all(const std::function<void(int, int)>& f, int steps = 1);

  Scenario scenario_;                            ///< as given
  std::shared_ptr<const std::string> identity_;  ///< canonical text of the scenario, seed included
  Machine machine_;
  std::vector<std::int64_t> samples_;
  std::vector<int> bodies_;
  std::shared_ptr<Engine> engine_;
  std::vector<std::unique_ptr<WorkspaceMemory>> memories_;  ///< of the threads
  std::vector<std::unique_ptr<RecordMemory>> records_;      ///< [system] or empty: contacts are not asked for
  std::vector<double> q_, v_, wrenches_;
  std::vector<int> wrench_variables_;  ///< [body] the first of six; -1: none
  std::vector<std::uint8_t> status_;
  std::vector<std::int32_t> steps_;
  std::map<std::string, Column> columns_;
  std::shared_ptr<ResidentSystems> resident_;  ///< null: the systems are here
  std::map<int, std::string> reasons_;
  std::mutex reasons_mutex_;
};

}  // namespace jostle
