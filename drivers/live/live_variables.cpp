// Variables, masses and wrenches of a LiveBatch: numbers that its caller sets while the systems go on.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "core/batch/default_arithmetic.hpp"
#include "core/expression/evaluate.hpp"
#include "drivers/errors.hpp"
#include "drivers/live/live_engine.hpp"

namespace jostle {
namespace {

/// Parameters that only the start of a system can set: its state, or what its state refers to, follows from them.
bool is_of_start(std::string_view field) {
  return field.starts_with("start_") || field.starts_with("shape_") || field.starts_with("frame_") ||
         field.starts_with("joint_point") || field.starts_with("joint_axes") || field == "joint_length" ||
         field.starts_with("spring_point") || field == "force_point" || field == "blow_point";
}

/// Parameters from which kinetic energy follows.
bool is_of_inertia(std::string_view field) {
  return field == "mass" || field == "inertia" || field == "joint_armature";
}

/// The first of the parameters that are wanted(field) that differs; null if none does.
const char* changed_parameter(const Dimensions& d, const ParameterView& a, const ParameterView& b, auto wanted) {
#define JOSTLE_COMPARE(type, name, extent, unit, ...)                                                                \
  if (wanted(#name) && !std::equal(elements(a.name), elements(a.name) + static_cast<int>(extent), elements(b.name))) \
    return #name;
  JOSTLE_PARAMETERS(JOSTLE_COMPARE)
#undef JOSTLE_COMPARE
  return nullptr;
}

}  // namespace

int LiveBatch::variable_index(const std::string& name) const {
  const std::vector<Variable>& variables = engine_->ensemble.scenario().variables;
  const auto found = std::ranges::find(variables, name, &Variable::name);
  return found == variables.end() ? -1 : static_cast<int>(found - variables.begin());
}

// What depends on the model follows.
void LiveBatch::use(std::shared_ptr<Engine> engine) {
  engine_ = std::move(engine);
  attach_records();
  for (auto& memory : memories_) memory.reset();
  wrench_variables_.clear();
  for (const int body : bodies_)
    wrench_variables_.push_back(variable_index(name_of({body, LiveNumber::Kind::wrench}, scenario_)));
  for (auto& [name, column] : columns_) column.variable = variable_index(name);
}

double* LiveBatch::variable(const std::string& name) {
  check_is_here();
  int index = variable_index(name);
  if (index < 0) index = place_of_variable(scenario_, name);
  const auto [place, is_new] = columns_.try_emplace(name);
  Column& column = place->second;
  if (is_new) {
    column.variable = index;
    column.values.resize(samples_.size());
    for (int i = 0; i < size(); ++i) column.values[static_cast<std::size_t>(i)] = engine_->variables(i)[index];
  }
  return column.values.data();
}

double* LiveBatch::array_of(const LiveNumber& number) {
  if (!sets(number)) widen(number);
  return variable(name_of(number, scenario_));
}

bool LiveBatch::sets(const LiveNumber& number) const { return variable_index(name_of(number, scenario_)) >= 0; }

std::string LiveBatch::no_force_moves(int body) const {
  return "body '" + scenario_.bodies[static_cast<std::size_t>(body)].name + "' has no mass: no force moves it";
}

LiveNumber LiveBatch::mass_of(int body) const {
  check_index("body", body, scenario_.bodies.size());
  if (!scenario_.bodies[static_cast<std::size_t>(body)].is_mover()) throw UsageError(no_force_moves(body));
  return {body, LiveNumber::Kind::mass};
}

LiveNumber LiveBatch::motor_of(int joint) const {
  check_index("joint", joint, scenario_.joints.size());
  const JointSpec& spec = scenario_.joints[static_cast<std::size_t>(joint)];
  if (!spec.motor.given) throw UsageError("joint '" + spec.name + "' has no motor");
  return {joint, LiveNumber::Kind::motor_speed};
}

double* LiveBatch::mass(int body) { return array_of(mass_of(body)); }
double* LiveBatch::motor_speed(int joint) { return array_of(motor_of(joint)); }
bool LiveBatch::sets_mass(int body) const { return sets(mass_of(body)); }
bool LiveBatch::sets_motor_speed(int joint) const { return sets(motor_of(joint)); }

std::vector<double> LiveBatch::masses(int body) {
  check_is_here();
  const int item = mass_of(body).item;
  std::vector<double> all(samples_.size());
  for (int i = 0; i < size(); ++i) all[static_cast<std::size_t>(i)] = engine_->batch().parameters(i).mass[item];
  return all;
}

std::vector<double> LiveBatch::motor_speeds(int joint) {
  check_is_here();
  const int item = motor_of(joint).item;
  std::vector<double> all(samples_.size());
  for (int i = 0; i < size(); ++i) all[static_cast<std::size_t>(i)] = motor_speed_now(item, i);
  return all;
}

double* LiveBatch::wrenches() {
  check_is_here();
  if (wrenches_.empty()) {
    wrenches_.resize(6 * samples_.size() * bodies_.size());
    for (const int body : bodies_)
      if (scenario_.bodies[static_cast<std::size_t>(body)].is_mover()) widen({body, LiveNumber::Kind::wrench});
  }
  return wrenches_.data();
}

/// What the scenario says.
double LiveBatch::motor_speed_now(int joint, int system) {
  const ModelView& view = engine_->view();
  const double time = engine_->state(system).steps() * view.step;
  return evaluate(view.program(view.joints[joint].speed), engine_->variables(system), time,
                  [](int) { return canonical_nan(); });
}

// The systems go on in a batch of the wider model: the state has the same memory, and loading the parameters again from
// variables of the same values gives the same bits.
void LiveBatch::widen(const LiveNumber& number) {
  check_is_here();
  const DefaultArithmetic arithmetic;
  std::vector<LiveNumber> numbers = engine_->numbers;
  numbers.push_back(number);
  const auto wider = std::make_shared<Engine>(scenario_, std::move(numbers), samples_, machine_, bodies_);
  const int before = engine_->view().dimensions.variables, after = wider->view().dimensions.variables;
  for (int i = 0; i < size(); ++i) {
    double* const variables = wider->variables(i);
    std::copy_n(engine_->variables(i), before, variables);
    std::fill(variables + before, variables + after, 0.0);
    if (number.kind == LiveNumber::Kind::mass) variables[before] = engine_->batch().parameters(i).mass[number.item];
    if (number.kind == LiveNumber::Kind::motor_speed) variables[before] = motor_speed_now(number.item, i);
    load_system(wider->batch(), i);
    std::memcpy(wider->batch().state_memory(i), engine_->batch().state_memory(i), engine_->view().state_layout.bytes);
  }
  use(wider);
}

void LiveBatch::apply(const double* variable) {
  check_is_here();
  const DefaultArithmetic arithmetic;
  const auto changed =
      std::ranges::find_if(columns_, [&](const auto& column) { return column.second.values.data() == variable; });
  if (changed == columns_.end()) throw UsageError("this is not an array of a variable");
  const std::shared_ptr<const Snapshot> before = save();
  for (int i = 0; i < size(); ++i) {
    std::string reason;
    const bool is_running = engine_->status(i) == Status::ok;
    const bool is_changed =
        changed->second.values[static_cast<std::size_t>(i)] != engine_->variables(i)[changed->second.variable];
    if (is_changed && !is_running && engine_->state(i).steps() == 0) {
      const std::byte* const memory = engine_->batch().parameter_memory(i);
      const std::vector<std::byte> parameters(memory, memory + engine_->view().parameter_layout.bytes);
      reasons_.erase(i);
      engine_->set_status(i, Status::not_loaded);
      take_over_variables(i, reason);
      start_again(i, parameters, 0);
      continue;
    }
    if (take_over_variables(i, reason) || !is_running || engine_->status(i) != Status::ok) continue;
    restore(*before);
    Column& column = changed->second;
    for (int k = 0; k < size(); ++k)
      column.values[static_cast<std::size_t>(k)] = engine_->variables(k)[column.variable];
    throw UsageError("system " + std::to_string(i) + ": " + reason);
  }
}

// False if the system cannot have these values; then it keeps those before, and `reason` says why.
bool LiveBatch::take_over_variables(int system, std::string& reason, int thread) {
  Batch& batch = engine_->batch();
  double* const variables = engine_->variables(system);
  const auto i = static_cast<std::size_t>(system);
  const auto is_changed = [&](const auto& column) {
    return column.second.values[i] != variables[column.second.variable];
  };
  if (std::ranges::none_of(columns_, is_changed)) return true;
  const Status status = engine_->status(system);
  const auto is_undefined = [&](const auto& column) { return !std::isfinite(column.second.values[i]); };
  const auto undefined = std::ranges::find_if(columns_, is_undefined);
  if (status == Status::ok && undefined != columns_.end()) {
    reason = "the variable '" + undefined->first + "' is not a finite number";
    return false;
  }
  std::byte* const memory = batch.parameter_memory(system);
  std::vector<std::byte> before(memory, memory + engine_->view().parameter_layout.bytes);
  for (const auto& [name, column] : columns_) variables[column.variable] = column.values[i];
  load_system(batch, system);
  const bool is_physical = engine_->status(system) != Status::bad_parameters;
  engine_->set_status(system, status);
  const auto changed = [&](auto wanted) {
    return changed_parameter(engine_->view().dimensions, batch.system(engine_->view(), system).parameters(),
                             parameter_view(engine_->view().parameter_layout, before.data()), wanted);
  };
  const char* const start_field = changed(is_of_start);
  const bool is_at_start = engine_->state(system).steps() == 0;
  if (status == Status::ok && is_physical && is_at_start) {
    start_again(system, before, thread);
    return engine_->status(system) == Status::ok;
  }
  wake(engine_->system(system));
  if (is_physical && changed(is_of_inertia)) forget_energy(engine_->state(system));
  if (status != Status::ok || (is_physical && !start_field)) return true;
  if (is_physical) {
    reason = std::string("the change of a variable changes ") + start_field + ", which only the start of a system sets";
  } else {
    const auto fault = engine_->ensemble.fault({variables, variables + engine_->view().dimensions.variables});
    reason = fault ? fault->message : "a parameter is not physical";
  }
  std::memcpy(memory, before.data(), before.size());
  return false;
}

}  // namespace jostle
