#include "drivers/live/resident_systems.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cuda/launch_length.hpp"
#include "drivers/errors.hpp"

namespace jostle {
namespace {

constexpr int queue = 0;

/// The fields that a caller sees, with ResidentField::components. Others follow from the start of a
/// system, or are the engine's own.
struct ShownField {
  std::string_view name;
  int components;
};
constexpr ShownField shown_parameters[] = {{"variables", 1},        {"gravity", 1},        {"mass", 1},
                                           {"inertia", 3},          {"friction", 1},       {"restitution", 1},
                                           {"joint_friction", 1},   {"joint_limits", 2},   {"motor_limit", 1},
                                           {"spring_stiffness", 1}, {"spring_damping", 1}, {"spring_rest", 1}};
constexpr ShownField shown_states[] = {{"position", 3}, {"orientation", 4}, {"angle", 1}, {"velocity", 3},
                                       {"spin", 3},     {"steps", 0},       {"status", 0}};

const ShownField* found(std::span<const ShownField> list, std::string_view name) {
  const auto at = std::ranges::find(list, name, &ShownField::name);
  return at == list.end() ? nullptr : &*at;
}

}  // namespace

ResidentSystems::ResidentSystems(std::shared_ptr<const void> keep, Device& device, Batch& batch,
                                 const ResidentOptions& options)
    : keep_(std::move(keep)),
      device_(device),
      batch_(batch),
      is_capturable_(options.is_capturable),
      systems_(device, batch.model(), batch.size(), queue) {
  if (is_capturable_)
    reserve_rows(options.contact_rows > 0 ? options.contact_rows : WorkspaceMemory::most_contacts(batch.model()));
  systems_.upload(batch, 0, batch.size());
  device_.wait(queue);
  list_fields();
  if (is_capturable_) systems_.reserve_ahead();
  show_contacts();
  device_.wait(queue);
}

void ResidentSystems::reserve_rows(int rows) {
  for (int i = 0; i < size(); ++i)
    if (RecordMemory* const record = batch_.record(i)) {
      RecordUse use;
      use.rows = rows;
      record->grow(use);
    }
}

void ResidentSystems::list_fields() {
  const Dimensions d = batch_.model().view(0).dimensions;
  const DeviceSystems on = systems_.systems();
  const auto add = [&](ResidentField field, const ShownField* shown) {
    if (!shown || field.extent == 0) return;
    field.components = shown->components;
    fields_.push_back(std::move(field));
  };
#define JOSTLE_ADD(type, name, extent, unit, ...)                                    \
  add({#name, unit, true, std::is_same_v<type, double>, static_cast<int>(extent), 1, \
       on.parameters + on.parameter_layout.name, on.parameter_layout.bytes},         \
      found(shown_parameters, #name));
  JOSTLE_PARAMETERS(JOSTLE_ADD)
#undef JOSTLE_ADD
#define JOSTLE_ADD(type, name, extent, unit, ...)                                     \
  add({#name, unit, false, std::is_same_v<type, double>, static_cast<int>(extent), 1, \
       on.states + on.state_layout.name, on.state_layout.bytes},                      \
      found(shown_states, #name));
  JOSTLE_ALL_STATE(JOSTLE_ADD)
#undef JOSTLE_ADD
}

void ResidentSystems::check_is_capturable(const Turn& turn) const {
  if (!turn.stream) throw UsageError("capturable systems need the stream that they are stepped in, stream=");
  if (turn.where && !turn.is_on_device)
    throw UsageError("capturable systems need a mask that is in the memory of the GPU");
}

/// Puts the queue behind what others have begun; the mask in the memory of the device.
const std::uint8_t* ResidentSystems::begin(const Turn& turn) {
  if (is_capturable_) check_is_capturable(turn);
  if (turn.stream)
    device_.follow(queue, *turn.stream);
  else
    device_.wait_for_all();
  if (!turn.where || turn.is_on_device) return turn.where;
  const auto bytes = static_cast<std::size_t>(size());
  mask_.reserve(device_, bytes);
  device_.upload(queue, mask_.data(), turn.where, bytes);
  device_.wait(queue);  // the caller's mask may go
  return mask_.as<std::uint8_t>();
}

void ResidentSystems::wake() {
  const DeviceSystems on = systems_.systems();
  const Dimensions d = batch_.model().view(0).dimensions;
  const auto clear = [&](std::size_t offset, std::size_t bytes) {
    if (bytes > 0)
      device_.clear_rows(queue, on.states + offset, on.state_layout.bytes, bytes, static_cast<std::size_t>(on.count));
  };
  clear(on.state_layout.resting, sizeof(int));
  clear(on.state_layout.rest_island, static_cast<std::size_t>(d.resting_movers()) * sizeof(int));
}

void ResidentSystems::step(int count, bool wakes, const Turn& turn) {
  const std::uint8_t* const where = begin(turn);
  if (wakes) wake();
  const auto final_step = static_cast<int>(batch_.model().total_steps);
  // Of a system that a condition ends, nobody knows before which step is its last: each is recorded in turn.
  const bool records_each = systems_.records().views() && batch_.model().stop_outcome >= 0;
  if (!records_each) systems_.record_last(count, where, final_step);
  // In launches of limited length: a driver that also serves a display would end a long one. Of those that may be
  // captured nobody knows how long they take.
  if (is_capturable_) {
    const int at_once = records_each ? 1 : LaunchLength::first_steps;
    for (int made = 0; made < std::min(count, final_step); made += at_once) {
      if (records_each) systems_.record_last(1, where, final_step);
      systems_.start_each(std::min(at_once, count - made), where, final_step);
    }
    show_contacts();
    return device_.precede(queue, *turn.stream);
  }
  LaunchLength length;
  for (int made = 0; made < count;) {
    const int steps = records_each ? 1 : std::min(length.steps(), count - made);
    if (records_each) systems_.record_last(1, where, final_step);
    const auto start = std::chrono::steady_clock::now();
    if (!systems_.step_each(steps, where, final_step)) break;
    length.took(steps, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    made += steps;
  }
  show_contacts();
  device_.wait(queue);
}

void ResidentSystems::reset(const Turn& turn) {
  const std::uint8_t* const where = begin(turn);
  if (is_capturable_) {
    systems_.start_restart(where);
    show_contacts();
    return device_.precede(queue, *turn.stream);
  }
  systems_.restart(where);
  show_contacts();
  device_.wait(queue);
}

void ResidentSystems::show_contacts() {
  const DeviceRecords& records = systems_.records();
  if (!records.views()) return;
  const int rows = std::max(records.most_rows(), 1);
  if (!contacts_ || contacts_->rows() < rows) {
    const int bodies = batch_.model().view(0).dimensions.bodies;
    const auto larger = std::make_shared<ResidentContacts>(keep_, device_, size(), bodies, rows);
    if (contacts_) {
      contacts_->show(queue, nullptr);  // somebody may look at them still
      device_.wait(queue);
    }
    contacts_ = larger;
  }
  contacts_->show(queue, records.views());
}

void ResidentSystems::fetch() {
  const DeviceSystems on = systems_.systems();
  const auto count = static_cast<std::size_t>(on.count);
  device_.wait_for_all();
  device_.download(queue, batch_.parameter_memory(0), on.parameters, count * on.parameter_layout.bytes);
  device_.download(queue, batch_.state_memory(0), on.states, count * on.state_layout.bytes);
  systems_.fetch_records();
}

}  // namespace jostle
