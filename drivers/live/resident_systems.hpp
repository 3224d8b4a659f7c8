#pragma once
// The systems of a live batch in the memory of its GPU, where they stay between steps: a caller whose own arrays are
// there reads states and writes parameters without a copy to the host.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/batch/batch.hpp"
#include "cuda/device_batch.hpp"
#include "drivers/live/resident_contacts.hpp"
#include "drivers/live/resident_options.hpp"

namespace jostle {

/// A field of all systems, a view of the memory of the device: [system, extent].
struct ResidentField {
  std::string name, units;
  bool is_parameter = false;  ///< you may write it; else it is a state
  bool is_real = true;        ///< doubles; else int32
  int extent = 1;             ///< numbers of a system
  int components = 1;         ///< that belong together: 3 of a vector, 4 of a quaternion; 0: the field is one number
  std::byte* first = nullptr;
  std::size_t pitch = 0;  ///< bytes from system to system
};

class ResidentSystems {
 public:
  /// Uploads the batch. `keep` lives as long as this: it owns device, model and batch.
  ResidentSystems(std::shared_ptr<const void> keep, Device& device, Batch& batch, const ResidentOptions& options);

  /// Of core/model/fields.hpp those parameters that may change between steps, and of the state the motion, steps and
  /// status. Of all bodies, fixed ones included; at the centre of mass, and spins in body axes.
  const std::vector<ResidentField>& fields() const { return fields_; }
  /// Contacts in the last step that each system has taken; null: the batch keeps none. After a step in which a system
  /// had more than there was room for, these are other arrays, and those of before have the count -1; not if the
  /// systems are capturable.
  std::shared_ptr<ResidentContacts> contacts() const { return contacts_; }
  int size() const { return batch_.size(); }
  Device::Place place() const { return device_.place(); }

  /// Which systems, and after what: all that others have begun on the device, or in a stream of the caller's alone
  /// (Device::follow). A mask is [system] truth values of one byte, in the memory of the device or of the host; null:
  /// all systems.
  struct Turn {
    const std::uint8_t* where = nullptr;
    bool is_on_device = true;
    std::optional<std::uintptr_t> stream;
  };

  /// Takes systems `count` steps further, each at most to the last one of the model. Parameters that were written
  /// count: with `wakes`, no system repeats the step before, so a system at rest notices them too. Throws UsageError
  /// if `turn` has no stream, or a mask of the host, and systems are capturable.
  void step(int count, bool wakes, const Turn& turn);
  /// Puts systems back to their initial state, with the present values of their variables.
  void reset(const Turn& turn);
  /// Copies states, parameters and records to the batch.
  void fetch();

 private:
  void list_fields();
  void reserve_rows(int rows);
  const std::uint8_t* begin(const Turn& turn);
  void check_is_capturable(const Turn& turn) const;
  void wake();
  void show_contacts();

  std::shared_ptr<const void> keep_;
  Device& device_;
  Batch& batch_;
  bool is_capturable_;
  DeviceMemory mask_;                           ///< these two are of what waits in the queue of the systems, which are
  std::shared_ptr<ResidentContacts> contacts_;  ///< destroyed first
  DeviceBatch systems_;
  std::vector<ResidentField> fields_;
};

}  // namespace jostle
