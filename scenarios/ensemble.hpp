#pragma once
// A scenario as an ensemble of systems: one model that all samples share, and the parameters of each.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/batch/batch.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

class Sampler;
class Table;

/// The file of the scenario's table.
std::filesystem::path table_path(const Scenario& scenario);

/// The structure of the scenario's systems.
Model build_model(const Scenario& scenario);

/// Immutable once built; any thread may load any sample.
class Ensemble {
 public:
  /// Throws ScenarioError if a table cannot be read, if there are too many variables for Sobol's sequence, or if
  /// every sample is wrong (bodies overlap and no variable moves them; a number is not physical). With `start` any,
  /// bodies may overlap in every sample, which then all have the status overlap.
  enum class Start { checked, any };
  explicit Ensemble(Scenario scenario, Start start = Start::checked);
  Ensemble(Ensemble&& other) noexcept;
  ~Ensemble();

  const Scenario& scenario() const { return scenario_; }
  const Model& model() const { return model_; }
  const Table* table() const { return table_.get(); }
  /// The largest number of samples: rows of the table, or as many as can be counted.
  std::int64_t count() const;

  /// The values of the variables in a sample.
  std::vector<double> draw(std::int64_t sample) const;
  /// Draws a sample into system `index` of a batch. Its other parameters follow from the variables when it begins,
  /// wherever it is simulated. A sample that is not physical then gets status bad_parameters and is not simulated.
  void draw(std::int64_t sample, Batch& batch, int index) const;
  /// The same, with all parameters now; returns what is wrong with a sample that is not physical.
  std::optional<Fault> load(std::int64_t sample, Batch& batch, int index) const;
  /// What is wrong with these values of the variables, if they are not physical.
  std::optional<Fault> fault(const std::vector<double>& variables) const;
  /// Which bodies overlap at the start, if any do.
  std::optional<Fault> overlap(const std::vector<double>& variables) const;
  /// Which of both is wrong with a sample that has this status; nothing if its numbers do not tell.
  std::optional<Fault> fault(const std::vector<double>& variables, Status status) const;
  /// The same in words, without the place: a folder has other lines than the file that it was made of.
  std::string reason(const std::vector<double>& variables, Status status) const;

 private:
  void check_numbers() const;

  Scenario scenario_;
  Model model_;
  std::vector<double> constants_;  ///< parameters of a system, in the order of their memory
  std::unique_ptr<Table> table_;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace jostle
