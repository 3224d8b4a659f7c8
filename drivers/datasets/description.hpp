#pragma once
// What determines a dataset: its samples, outcomes, records and versions. Its shards are in dataset.hpp.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drivers/results_version.hpp"
#include "scenarios/model/recorded_samples.hpp"

namespace jostle {

/// The version of the file layout. Raised when a change affects readers.
inline constexpr int dataset_format = 2;

/// What pages call a number, and its unit; no part of the bytes of a dataset.
struct Shown {
  std::string label, unit;  ///< empty: its name, and none or not known
};

struct OutcomeInfo {
  enum class Kind {
    truth,      ///< 1 or 0; reported as a rate
    number,     ///< reported as a mean
    first_time  ///< s; undefined if the sample never reaches it; reported as a rate and the times
  };
  std::string name;
  Kind kind = Kind::number;
  std::string reducer;               ///< at_end, minimum, maximum, first_time, mean, at_first
  std::string expression;            ///< as written, with its condition
  std::string units;                 ///< empty: not known
  std::string category = {};         ///< exclusive outcomes have this in common; empty: it is not exclusive
  std::optional<double> share = {};  ///< that is expected of it
  Shown shown = {};
};

const char* name_of(OutcomeInfo::Kind kind);

/// A parameter in /param.
struct ParameterInfo {
  std::string name, units, meaning;
  std::string of;                ///< "body", "shape" or "pair"; empty: of the scene
  int components = 1;            ///< of each; 3: an axis of its own
  std::vector<std::size_t> at;   ///< of each number: where it is in the memory of a system's parameters, in doubles
  bool varies = false;           ///< from sample to sample
  std::vector<double> constant;  ///< its numbers, if it does not
};

/// Which samples keep their trajectory.
struct RecordSettings {
  using Which = RecordedSamples::Which;
  Which which = Which::none;
  std::int64_t trajectories = 0;   ///< Which::first: samples 0 .. trajectories-1
  std::vector<std::int64_t> list;  ///< Which::listed, ascending
  std::string where;               ///< Which::where: those for which this condition holds (condition.hpp)
  std::int64_t first_where = 0;    ///< the first so many of them, in a shard and in the view of all; 0: all
  std::vector<double> time;        ///< s: the initial state, every stride-th step, the last step unless it is left out
  int stride = 1;
  std::vector<int> bodies;            ///< numbers, in the scenario, of those that are recorded: all that are not fixed
  std::int64_t simulated_bodies = 0;  ///< fixed ones included
  bool steps = false;                 ///< /step
  bool contacts = false;              ///< /contact and /param
  std::vector<double> lcp_time;       ///< s, of the entries of /lcp; empty: there is none
  std::vector<std::string> joints;    ///< names, for /lcp
  std::int64_t usual_lcp = 0;         ///< n of an LCP, for the size of shards
  bool single = false;                ///< numbers of records are stored as f4
  std::vector<std::string> quantities;     ///< in /step, by name
  std::vector<Shown> shown_quantities;     ///< likewise; empty: nothing is known of them
  std::vector<std::string> shapes, pairs;  ///< names
  std::vector<ParameterInfo> parameters;   ///< of /param
  std::string model;                       ///< what numbers stand for (feature_names.hpp); empty: there are none
  std::int64_t usual_rows = 0;             ///< of an entry, for the size of shards

  bool has_lcps() const { return !lcp_time.empty(); }
  /// Those of a file: summary, and trajectory, param, step, contact and lcp where they are recorded.
  std::vector<std::string> groups() const;
  /// The most trajectories of samples first .. first+count-1, as far as it is known without simulating them.
  std::int64_t most_of(std::int64_t first, std::int64_t count) const;
};

/// A mesh file whose points are in the scenario.
struct MeshFile {
  std::string path, sha256;
};

/// Everything that determines the bytes of a dataset, except the number of samples.
struct DatasetDescription {
  int format = dataset_format;
  int results_version = jostle::results_version;
  std::string scenario;       ///< canonical YAML without sample.count and sample.seed: part of the identity
  std::string title;          ///< one line for reports; not part of the identity
  std::string scenario_yaml;  ///< complete canonical YAML, for scenario.yaml; not part of the identity
  std::uint64_t seed = 0;
  std::string sampler;                 ///< "sobol", "random" or "table"
  std::string table_sha256;            ///< of the sampler's table; empty without one
  std::string table_path;              ///< where it was read; not part of the identity
  std::vector<MeshFile> meshes;        ///< where points come from; not part of the identity, as they are
  std::string method;                  ///< "stewart_trinkle", ...
  double step = 0;                     ///< s
  std::vector<std::string> bodies;     ///< names of those that are recorded, in file order
  std::vector<std::string> variables;  ///< in file order
  std::vector<Shown> shown_variables;  ///< likewise; empty: nothing is known of them
  std::vector<OutcomeInfo> outcomes;
  RecordSettings record;
};

}  // namespace jostle
