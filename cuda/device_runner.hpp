#pragma once
// A batch of any size through a device: what does not fit its memory goes through in chunks, two at a time: while one
// is simulated, the results of the last come down and the parameters of the next go up.
#include <atomic>
#include <optional>

#include "cuda/device_batch.hpp"

namespace jostle {

class DeviceRunner {
 public:
  static constexpr int steps_at_once = 1000;

  /// `chunk`: systems that are on the device together, of which there are two; 0: as many as have room in a quarter of
  /// its free memory. Device and model must outlive the runner.
  DeviceRunner(Device& device, const Model& model, int chunk = 0, const DeviceOptions& options = {});

  /// Takes every system to `last_step`: in one launch, or if there is a `stop` that somebody may set, in several of
  /// steps_at_once. False if it was set before all were done: the others are as they were.
  /// Where memory runs out it goes on with chunks half the size; throws DeviceOutOfMemory where a warp of systems has
  /// no room.
  bool run(Batch& batch, int last_step, const std::atomic<bool>* stop = nullptr);

  int chunk() const { return chunk_; }

 private:
  /// Systems [begin, end) of a batch in a slot.
  struct Part {
    DeviceBatch* slot;
    int begin, count;
  };

  void make_slots(int systems);
  bool run_chunks(Batch& batch, int last_step, const std::atomic<bool>* stop, int& done);
  static bool finish(DeviceBatch& slot, int step, int last_step, const std::atomic<bool>* stop);

  Device& device_;
  const Model& model_;
  DeviceOptions options_;
  int chunk_;
  int capacity_ = 0;  ///< of the slots
  std::optional<DeviceBatch> slots_[Device::queues];
};

}  // namespace jostle
