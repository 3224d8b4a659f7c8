#pragma once
// How long a launch may be.
#include <algorithm>

namespace jostle {

/// Steps of the next launch, by the time that the last one took: a few tenths of a second, so that a driver that
/// watches over a display does not end it and an interrupt is heeded soon. Few at first, because nothing is known;
/// never so many that the sudden contacts of all systems make a launch of seconds, which a hundred times the work of
/// free flight would.
class LaunchLength {
 public:
  static constexpr int first_steps = 16, most_steps = 256;
  static constexpr double wanted_seconds = 0.3;

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
