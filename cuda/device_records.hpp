#pragma once
// The records of steps (core/model/record_fields.hpp) of systems on a device: uploaded, made larger where they are
// full, downloaded.
#include <vector>

#include "core/batch/batch.hpp"
#include "cuda/device_memory.hpp"

namespace jostle {

class DeviceRecords {
 public:
  /// Everything happens in one queue.
  DeviceRecords(Device& device, int queue) : device_(device), queue_(queue) {}

  /// Starts to upload the records of systems [first, first + count) of a batch.
  void upload(Batch& batch, int first, int count);
  /// [system] in the memory of the device; null: none is recorded. Their strides may be changed there.
  RecordView* views() const { return recorded_.empty() ? nullptr : views_.as<RecordView>(); }
  /// The most rows of contacts that a record has room for.
  int most_rows() const;
  /// Waits, and gives the systems that paused the room that they need. What they have written stays.
  void grow();
  /// Starts to copy them to the host; `store` writes them to the batch once the queue has done so.
  void download();
  void store();

  /// Device memory for a record and what it may grow by.
  static std::size_t bytes_of(RecordMemory& record);

 private:
  struct Recorded {
    int system;
    RecordMemory* host;
    RecordProgress progress;  ///< that on the host stays as it is until `store`
    int stride;               ///< on the device
    std::size_t first = 0;    ///< byte of its memory
  };
  void place();
  void send();
  void fetch();

  Device& device_;
  int queue_, count_ = 0;
  std::vector<Recorded> recorded_;
  std::size_t bytes_ = 0;
  DeviceMemory memory_, views_;
  PinnedMemory staged_, staged_views_;
};

}  // namespace jostle
