#pragma once
// One sample on one backend, step by step, with what the stages of its last step left in the workspace: records have
// only what counts, and a step that fails, or the pivots of its problems, are not in them.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "drivers/devices/comparison.hpp"

namespace jostle {

template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", value);
  } else {
    std::string text = "0x";
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = sizeof value; i-- > 0;) text += fmt::format("{:02x}", bytes[i]);
    return text;
  }
}

/// One sample on one backend, step by step, with what the stages of the last step wrote.
class SteppedSample {
 public:
  SteppedSample(const Ensemble& ensemble, std::int64_t sample, const Backend& backend)
      : batch_(ensemble.model(), 1), backend_(backend) {
    ensemble.draw(sample, batch_, 0);
  }

  void run_to(int step) {
    values_.clear();
    path_.clear();
    result_ = {};
    backend_.run_observed(batch_, step, [this](const System& system, const Workspace& work, const StepResult& result) {
      keep(system, work, result);
    });
  }

  StateView state() { return batch_.state(0); }
  StepAccount account(std::string value) const {
    return {std::move(value), result_.contacts, result_.pivots, result_.residual, path_};
  }

  /// What the stages before `integrate` wrote, in their order.
  struct Values {
    const char* stage;
    const char* field;
    std::vector<double> elements;
  };
  const std::vector<Values>& values() const { return values_; }

 private:
  void keep(const System& system, const Workspace& work, const StepResult& result);

  Batch batch_;
  const Backend& backend_;
  StepResult result_;
  std::vector<int> path_;
  std::vector<Values> values_;
};

/// What the stages of the last step wrote and differs first; `step` is its number.
std::optional<FirstDifference> difference_of_stages(const SteppedSample& a, const SteppedSample& b, int step);

}  // namespace jostle
