#pragma once
// Conditions that a sample must meet.
#include <optional>
#include <vector>

#include "scenarios/parameters/bind.hpp"

namespace jostle {

class Requirements {
 public:
  /// `message()` says what is wrong where `holds` is known to be false.
  void operator()(const Traced& holds, const Location& where, const auto& message) {
    if (holds.is_known() && holds.value() == 0 && !fault_) fault_ = Fault{where, message()};
    conditions_.push_back(holds);
  }

  /// The first that is known not to be met.
  const std::optional<Fault>& fault() const { return fault_; }

  /// Whether all are met.
  Traced all() const {
    std::vector<Traced> rest = conditions_;
    while (rest.size() > 1) {  // a tree, not a chain: programs of a chain nest as deep as it is long
      for (std::size_t i = 0; 2 * i + 1 < rest.size(); ++i) rest[i] = both(rest[2 * i], rest[2 * i + 1]);
      if (rest.size() % 2 == 1) rest[rest.size() / 2] = rest.back();
      rest.resize((rest.size() + 1) / 2);
    }
    return rest.empty() ? Traced(1) : rest[0];
  }

 private:
  std::optional<Fault> fault_;
  std::vector<Traced> conditions_;
};

}  // namespace jostle
