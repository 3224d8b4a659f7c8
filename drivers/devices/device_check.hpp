#pragma once
// A short look at whether a GPU computes what the CPU does.
#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cuda/device.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// What a check of a device came to.
struct DeviceFinding {
  enum class Verdict {
    right,        ///< no bit differs
    wrong,        ///< a bit differs, a call or launch failed, or there was no end
    unavailable,  ///< it could not be checked: no memory, say, which another time there may be
  };
  Verdict verdict = Verdict::unavailable;
  std::string seen;          ///< in words for the user
  std::int64_t steps = 0;    ///< that were compared
  bool out_of_time = false;  ///< they are not all of the scenario's, because those would take too long

  /// Whether it says something about a scenario with so many steps, having been made with fewer perhaps.
  bool holds_for(std::int64_t total_steps) const {
    return verdict == Verdict::wrong || (verdict == Verdict::right && (out_of_time || steps >= total_steps));
  }
};

nlohmann::ordered_json json_of(const DeviceFinding& finding);
/// Throws nlohmann::json::exception.
DeviceFinding finding_of(const nlohmann::json& json);

/// The first 64 samples on the CPU and on the device: 1, 2, 4, ... steps, with all states compared each time, until
/// about half a second is over or there are no more. `begins` is told "cpu" or "gpu" before either has work to do.
/// Throws what the device throws.
DeviceFinding check_device(
    Device& device, const Ensemble& ensemble, int threads,
    const std::function<void(const char*)>& begins = [](const char*) {});

/// How long the whole check may take until it counts as a hang: a driver may need seconds to start where there are many
/// GPUs, and minutes for code that it has to compile.
std::chrono::milliseconds check_limit(const DeviceInfo& gpu);

/// What an exception of a check says about the device.
DeviceFinding finding_of(const std::exception& error);

}  // namespace jostle
