#pragma once
// The same samples simulated by two backends and compared bit by bit.
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "drivers/devices/backend.hpp"
#include "drivers/exit_status.hpp"
#include "scenarios/ensemble.hpp"

namespace jostle {

/// The step in question on one backend.
struct StepAccount {
  std::string value;  ///< of the first element that differs
  int contacts = 0;
  int pivots = 0;
  double residual = 0;
  /// Of its last problem, island after island: the variable that each pivot made leave; in an island of n variables
  /// w_k = k, z_k = n + k, z0 = 2n.
  std::vector<int> pivot_path;
};

/// Where two simulations of a sample part.
struct FirstDifference {
  std::int64_t step = 0;  ///< 0: the initial state
  std::string stage;      ///< the stage that wrote what differs
  std::string field;
  int index = 0;  ///< in the field
  /// False: the states part there, but not if the sample is alone and observed, so only the value of the other's step
  /// is known. A device then has its working memory elsewhere and uses its usual teams.
  bool observed = true;
  StepAccount reference, other;
};

struct Comparison {
  std::string other;  ///< name of the backend
  std::int64_t samples = 0;
  std::int64_t differing_samples = 0;
  std::int64_t differing_bits = 0;
  std::map<std::string, std::int64_t> differing_fields;  ///< samples in which a field of the state differs
  double largest_distance = 0;                           ///< in units in the last place; infinity beside a NaN
  std::int64_t first_sample = -1;                        ///< the first that differs
  std::optional<FirstDifference> first;                  ///< none if that sample did not differ when simulated again

  bool equal() const { return differing_samples == 0; }
};

/// A backend, and how many samples it simulates.
struct OtherBackend {
  Backend backend;
  std::int64_t samples = 0;
};

/// Simulates samples 0, 1, ... on each backend, and once on the reference, and compares the states at the end, and the
/// records that the scenario asks for (`record.contacts`, `lcp` or `quantities`; of all samples). The first sample that
/// differs is simulated again, in the same batch, to find the step in which the states part, and once more alone and
/// observed, to find the stage.
std::vector<Comparison> compare(const Ensemble& ensemble, const Backend& reference,
                                const std::vector<OtherBackend>& others);

/// Compares the current states of two batches of one model. Does not name the backend or look for the step in which
/// they part.
Comparison compare_states(Batch& reference, Batch& other);

/// The report as text.
std::string text_of(const Comparison& comparison);
/// The report as a JSON object.
nlohmann::ordered_json json_of(const Comparison& comparison, const std::string& reference);
/// ok only if no bit differs.
ExitStatus status_of(const std::vector<Comparison>& comparisons);

}  // namespace jostle
