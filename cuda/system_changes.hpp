#pragma once
// What happens to all systems of a batch in the memory of a device, beside their steps: functions of their numbers.
#include "core/model/system.hpp"

namespace jostle {

/// Forgets what a system has recorded; it will record the step with this number (RecordMemory::wait_for).
JOSTLE_HD inline void await_step(RecordView& record, int step) {
  if (!record.progress) return;
  *record.progress = {};
  record.stride = step;
  for (int entry = 0; entry <= (step > 0 ? 1 : 0); ++entry) record.entry_rows[entry] = 0;
}

/// [system] of a mask in the memory of a device; null: all.
struct SystemMask {
  const std::uint8_t* where = nullptr;
  JOSTLE_HD bool has(int number) const { return !where || where[number] != 0; }
};

/// Writes the step up to which each system goes: `count` further than it is, at most to `final_step`; a system that is
/// not in the mask stays where it is.
struct StepTargets {
  StateLayout layout;
  std::byte* states = nullptr;  ///< [system] layout.bytes
  SystemMask mask;
  int count = 0, final_step = 0;
  int* last_steps = nullptr;  ///< [system]

  JOSTLE_HD void operator()(int number) const {
    const int made = state_view(layout, states + static_cast<std::size_t>(number) * layout.bytes).steps();
    const int further = final_step - made < count ? final_step - made : count;
    last_steps[number] = mask.has(number) && further > 0 ? made + further : made;
  }
};

/// Of systems that have a step to make up to last_steps, only the last one will be recorded, in place of what is.
struct RecordTargets {
  StateLayout layout;
  std::byte* states = nullptr;      ///< [system] layout.bytes
  const int* last_steps = nullptr;  ///< [system]
  RecordView* records = nullptr;    ///< [system]
  int stop_outcome = -1;            ///< as in ModelView

  JOSTLE_HD void operator()(int number) const {
    const StateView state = state_view(layout, states + static_cast<std::size_t>(number) * layout.bytes);
    const bool goes_on = state.status() == static_cast<int>(Status::ok) && !has_stopped(stop_outcome, state);
    if (goes_on && last_steps[number] > state.steps()) await_step(records[number], last_steps[number]);
  }
};

/// Puts systems of the mask back: they will load their parameters from their variables, and begin, as in a new batch.
struct Restart {
  StateLayout layout;
  std::byte* states = nullptr;  ///< [system] layout.bytes
  SystemMask mask;
  RecordView* records = nullptr;  ///< [system] or null
  int final_step = 0;             ///< to which records wait

  JOSTLE_HD void operator()(int number) const {
    if (!mask.has(number)) return;
    std::byte* const memory = states + static_cast<std::size_t>(number) * layout.bytes;
    for (std::size_t i = 0; i < layout.bytes; ++i) memory[i] = std::byte{0};
    state_view(layout, memory).status() = static_cast<int>(Status::not_loaded);
    if (records) await_step(records[number], final_step);
  }
};

/// Contacts of the one step that the records of systems have, in arrays of one size.
struct ContactArrays {
  int rows = 0;  ///< room of each system
  int bodies = 0;
  std::int32_t* count = nullptr;  ///< [system] rows that it has; -1: these arrays are no longer written
  double* impulse = nullptr;      ///< [system, body, 6] N s and N m s, as RecordView::impulse
#define JOSTLE_MEMBER(type, name, extent, unit, meaning) type* name = nullptr;
  struct Fields {
    JOSTLE_CONTACT_FIELDS(JOSTLE_MEMBER)  // [system, rows, extent]; beyond count: pair -1, and zeros
  };
#undef JOSTLE_MEMBER
  Fields fields;
};

/// Writes row i % rows of system i / rows, and with its first row what else the system has.
struct ShowContacts {
  const RecordView* records = nullptr;  ///< [system]; null: the arrays are no longer written
  ContactArrays to;

  JOSTLE_HD void operator()(int i) const {
    const int system = i / to.rows, row = i % to.rows;
    const RecordView record = records ? records[system] : RecordView{};
    const bool has_step = record.progress && record.progress->last_entry == 1;
    const int count = has_step ? record.entry_rows[1] : 0;
    if (row == 0) write_sums(system, records ? count : -1, has_step ? record.impulse + width() : nullptr);
    if (row < count) return write(i, record.rows[row]);
    ContactRow padding = {};
    padding.pair = -1;
    write(i, padding);
  }

 private:
  JOSTLE_HD int width() const { return 6 * to.bodies; }
  JOSTLE_HD void write_sums(int system, int count, const double* impulse) const {
    to.count[system] = count;
    double* const own = to.impulse + static_cast<std::size_t>(system) * static_cast<std::size_t>(width());
    for (int k = 0; k < width(); ++k) own[k] = impulse ? impulse[k] : 0.0;
  }
  JOSTLE_HD void write(int i, const ContactRow& from) const {
    const auto at = static_cast<std::size_t>(i);
#define JOSTLE_WRITE(type, name, extent, unit, meaning) \
  for (int k = 0; k < (extent); ++k)                    \
    to.fields.name[at * (extent) + static_cast<std::size_t>(k)] = row_number(from.name, k);
    JOSTLE_CONTACT_FIELDS(JOSTLE_WRITE)
#undef JOSTLE_WRITE
  }
  template <class T>
  JOSTLE_HD static T row_number(const T& field, int) {
    return field;
  }
  template <class T, std::size_t Extent>
  JOSTLE_HD static T row_number(const T (&field)[Extent], int k) {
    return field[k];
  }
};

}  // namespace jostle
