#pragma once
// What a run shows of every step as numbers.
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// The quantities that a scenario records, or else what its outcomes look at, after a step.
class Curves {
 public:
  /// The ensemble must outlive it.
  explicit Curves(const Ensemble& ensemble);

  const std::vector<std::string>& names() const { return names_; }
  /// [curve] The label of what an outcome looks at is the outcome's.
  const std::vector<Shown>& shown() const { return shown_; }
  /// [curve] whether it is 0 or 1
  const std::vector<bool>& is_truth() const { return is_truth_; }
  std::vector<double> of(const System& system, const Workspace& work) const;

 private:
  void add(const Expression& expression, const ProgramModel& program, Shown shown);

  const Ensemble& ensemble_;
  std::vector<std::string> names_;
  std::vector<Shown> shown_;
  std::vector<bool> is_truth_;
  std::vector<ProgramModel> programs_;
};

}  // namespace jostle
