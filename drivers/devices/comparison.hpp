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

/// What one backend makes of the step in question.
struct StepAccount {
  std::string value;  ///< of the first element that differs
  int contacts = 0;
  int pivots = 0;
  double residual = 0;
  std::vector<int>
      pivot_path;  ///< of its last LCP: the variable that each pivot made leave; w_k = k, z_k = n + k, z0 = 2n
};

/// Where two simulations of a sample part.
struct FirstDifference {
  std::int64_t step = 0;  ///< 0: the initial state
  std::string stage;      ///< the stage that wrote what differs
  std::string field;
  int index = 0;  ///< in the field
  /// False: the states part there, but not when the sample is alone and observed, so that nobody knows more of the
  /// other's step than the value. A device has its working memory elsewhere then, and its usual teams.
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
  std::optional<FirstDifference> first;                  ///< none if that sample was the same when simulated again

  bool equal() const { return differing_samples == 0; }
};

/// A backend, and how many samples it is given.
struct OtherBackend {
  Backend backend;
  std::int64_t samples = 0;
};

/// Samples 0, 1, ... of each backend from start to end, those of the reference once for all. The states at the end are
/// compared; the first sample that differs is simulated again, in the company that it had, to find the step in which
/// the states part, and once more alone and observed, to find the stage.
std::vector<Comparison> compare(const Ensemble& ensemble, const Backend& reference,
                                const std::vector<OtherBackend>& others);

/// The states of two batches of one model as they stand. The backend is not named, and where they part is not looked
/// for.
Comparison compare_states(Batch& reference, Batch& other);

/// Lines for people.
std::string text_of(const Comparison& comparison);
/// An object for machines.
nlohmann::ordered_json json_of(const Comparison& comparison, const std::string& reference);
/// ok only where no bit differs.
ExitStatus status_of(const std::vector<Comparison>& comparisons);

}  // namespace jostle
