#pragma once
// A short check that a GPU computes the same as the CPU.
#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cuda/device.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// The result of the check of a device.
struct DeviceFinding {
  enum class Verdict {
    right,        ///< no bit differs
    wrong,        ///< a bit differs, a call or launch failed, or it hung
    unavailable,  ///< it could not be checked now, for example because memory was short
  };
  Verdict verdict = Verdict::unavailable;
  std::string seen;          ///< in words for the user
  std::int64_t steps = 0;    ///< steps that were compared
  bool out_of_time = false;  ///< not all steps of the scenario were compared, because that would take too long

  /// Whether the result applies to a scenario with this many steps; the check may have had fewer.
  bool holds_for(std::int64_t total_steps) const {
    return verdict == Verdict::wrong || (verdict == Verdict::right && (out_of_time || steps >= total_steps));
  }
};

nlohmann::ordered_json json_of(const DeviceFinding& finding);
/// Throws nlohmann::json::exception.
DeviceFinding finding_of(const nlohmann::json& json);

/// Simulates the first 64 samples on the CPU and on the device for 1, 2, 4, ... steps and compares all states each
/// time, until about half a second is over or all steps are done. Calls `begins` with "cpu" or "gpu" before either
/// starts. Throws what the device throws.
DeviceFinding check_device(
    Device& device, const Ensemble& ensemble, int threads,
    const std::function<void(const char*)>& begins = [](const char*) {});

/// After this time the check counts as hung. A driver may need seconds to start if there are many GPUs, and minutes if
/// it has to compile code.
std::chrono::milliseconds check_limit(const DeviceInfo& gpu);

/// What an exception during a check means for the device.
DeviceFinding finding_of(const std::exception& error);

}  // namespace jostle
