#pragma once
// How long a launch may be.
#include <algorithm>

namespace jostle {

/// Steps of the next launch, from the time of the last one: some hundredths of a second. So a driver that also serves a
/// display does not end it, interrupts take effect soon, and systems that fall while others lie do not stay together
/// for long; but it is long beside a launch and a sort, which are a dozen small kernels. Few at first, because nothing
/// is known; never so many that a launch takes seconds if all systems suddenly have contacts, which is a hundred times
/// the work of free flight.
class LaunchLength {
 public:
  static constexpr int first_steps = 16, most_steps = 256;
  static constexpr double wanted_seconds = 0.03;

  int steps() const { return steps_; }

  void took(int steps, double seconds) {
    constexpr double growth = 8;
    const double factor = seconds * growth > wanted_seconds ? wanted_seconds / seconds : growth;
    steps_ = static_cast<int>(std::clamp(steps * factor, 1.0, double{most_steps}));
  }

 private:
  int steps_ = first_steps;
};

}  // namespace jostle
