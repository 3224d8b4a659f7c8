#pragma once
// A scenario as an ensemble of systems: one model that all samples share, and the parameters of each.
#include <memory>
#include <string>
#include <vector>

#include "core/batch/batch.hpp"
#include "scenarios/sampler.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/table.hpp"

namespace jostle {

/// The structure of the scenario's systems.
Model build_model(const Scenario& scenario);

/// Immutable once built; any thread may load any sample.
class Ensemble {
 public:
  /// Throws ScenarioError: a table that cannot be read, too many variables for Sobol's sequence, and what
  /// is wrong for every sample (bodies that overlap where no draw moves them).
  explicit Ensemble(Scenario scenario);

  const Scenario& scenario() const { return scenario_; }
  const Model& model() const { return model_; }
  const Table* table() const { return table_.get(); }
  /// Samples there can be: rows of the table, or as many as can be counted.
  std::int64_t count() const { return sampler_->count(); }

  /// The drawn variables of a sample.
  std::vector<double> draw(std::int64_t sample) const;
  /// Writes the parameters of a sample into system `index` of a batch; a draw that is not physical gets
  /// status bad_parameters and is not simulated.
  void load(std::int64_t sample, Batch& batch, int index) const;

 private:
  bool load_bodies(const double* variables, const ParameterMemory& parameters) const;
  bool load_shapes(const double* variables, const ParameterMemory& parameters) const;
  bool load_contacts(const double* variables, const ParameterMemory& parameters) const;
  bool load_inertia(const BodySpec& body, int index, const double* variables, const ParameterMemory& parameters) const;
  void check_numbers() const;

  Scenario scenario_;
  Model model_;
  std::unique_ptr<Table> table_;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace jostle
