#pragma once
// Runs a batch of any size on a device. A batch that does not fit its memory goes through in chunks, two at a time:
// while one is simulated, the results of the last are downloaded and the parameters of the next uploaded.
#include <atomic>
#include <chrono>
#include <optional>

#include "cuda/device_batch.hpp"
#include "cuda/launch_length.hpp"

namespace jostle {

class DeviceRunner {
 public:
  /// `chunk`: the most systems in each of the two parts on the device; 0: as many as fit in a quarter of its free
  /// memory. Device and model must outlive the runner.
  DeviceRunner(Device& device, const Model& model, int chunk = 0, const DeviceOptions& options = {});

  /// Simulates every system up to `last_step`, in launches of some hundredths of a second. False if `stop`, which may
  /// be null, was set before all were done: the others are unchanged. If memory runs out, it continues with chunks half
  /// the size; throws DeviceOutOfMemory if a warp of systems has no room.
  bool run(Batch& batch, int last_step, const std::atomic<bool>* stop = nullptr);

  int chunk() const { return chunk_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// Systems [begin, begin + count) of a batch in a slot.
  struct Part {
    DeviceBatch* slot;
    int begin, count;
    int step = 0;                ///< all have reached it once the launch is complete
    int steps = 0;               ///< of the launch
    bool is_overlapped = false;  ///< the launch, by copies on the host: its time means nothing
    Clock::time_point start{};   ///< of the launch
  };

  int fitting_chunk(const Batch& batch);
  void release_slots();
  void make_slots(int systems);
  bool launch(Part& part, int last_step);  ///< false: no system has a step left
  void complete(Part& part);
  bool finish(Part& part, int last_step, const std::atomic<bool>* stop);
  bool run_chunks(Batch& batch, int last_step, const std::atomic<bool>* stop, int& done);

  Device& device_;
  const Model& model_;
  DeviceOptions options_;
  int most_;                         ///< a chunk never has more; less than requested once memory has run out
  int chunk_ = 0;                    ///< of the last run
  std::optional<std::size_t> room_;  ///< bytes for a chunk, measured while there are no slots
  int capacity_ = 0;                 ///< of the slots
  LaunchLength length_;
  std::optional<DeviceBatch> slots_[Device::queues];
};

}  // namespace jostle
