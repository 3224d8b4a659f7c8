#pragma once
// The contacts of systems that stay in the memory of a GPU, in arrays there: what LiveBatch::contacts has in rows.
#include <memory>
#include <string>
#include <vector>

#include "cuda/device_batch.hpp"
#include "cuda/system_changes.hpp"

namespace jostle {

/// An array in the memory of the device, [system, ...], contiguous.
struct ContactArray {
  enum class Type { real, int32, uint8 };
  std::string name, units, meaning;
  Type type = Type::real;
  std::vector<std::size_t> shape;
  std::byte* first = nullptr;
};

/// Room for `rows` contacts of each system. Throws DeviceOutOfMemory.
class ResidentContacts {
 public:
  /// `keep` owns the device.
  ResidentContacts(std::shared_ptr<const void> keep, Device& device, int systems, int bodies, int rows);

  int rows() const { return to_.rows; }
  Device::Place place() const { return device_.place(); }
  /// "count", "impulse" of each body, and the fields of core/model/record_fields.hpp.
  const std::vector<ContactArray>& arrays() const { return arrays_; }
  /// Fills the arrays from records when the queue comes to it. Null: they are no longer written, count is -1.
  void show(int queue, const RecordView* records);

 private:
  std::shared_ptr<const void> keep_;
  Device& device_;
  int systems_;
  DeviceMemory memory_;
  ContactArrays to_;
  std::vector<ContactArray> arrays_;
};

}  // namespace jostle
