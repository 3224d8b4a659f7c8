#pragma once
// What simulates: the processors of this computer, or a GPU. Results do not depend on it.
#include <memory>
#include <optional>
#include <string>

#include "drivers/devices/backend.hpp"

namespace jostle {

struct DeviceInfo;

/// Copies stand for the same machine.
class Machine {
 public:
  /// The CPU. `threads`: from 1 to 1,024, or 0 for one per processor; else UsageError is thrown, here and below.
  explicit Machine(int threads = 0);
  /// A GPU; the CPU does the rest of the work.
  explicit Machine(std::unique_ptr<Device> gpu, int threads = 0);
  /// "cpu", "cuda" (the first GPU), "cuda:1", or "auto": the first GPU that the build has code for, else the CPU; or
  /// "emulated": a mock of a GPU, for tests of what uses one. No GPU is checked here as `jostle sweep --device auto`
  /// checks it; see check_device. Throws UsageError for another name, and DeviceAbsent with what to do.
  static Machine named(const std::string& name, int threads = 0);

  int threads() const;                        ///< at least 1
  Device* gpu() const { return gpu_.get(); }  ///< null: the CPU
  std::string name() const;
  /// Valid as long as the model and a copy of the machine. Its first run throws NoSuchKernels if a GPU has no code for
  /// the model.
  Backend backend(const Model& model) const;

 private:
  int threads_;
  std::shared_ptr<Device> gpu_;
};

/// The first GPU that the build has code for.
std::optional<DeviceInfo> first_gpu();
/// The same for one of several processes of this computer, which are dealt out to its GPUs.
std::optional<DeviceInfo> gpu_of(int process);

}  // namespace jostle
