#pragma once
// What `run` prints about a sample: a line per step, then how it ended. Each line is printed at once, so a long run
// needs no memory.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/record_fields.hpp"
#include "core/status.hpp"
#include "drivers/program/mechanism.hpp"
#include "drivers/reports/samples.hpp"

namespace jostle {

/// A body that is not fixed, in the world.
struct TraceState {
  std::string body;
  double position[3];     ///< m
  double orientation[4];  ///< w, x, y, z
  double velocity[3];     ///< m/s
  double spin[3];         ///< rad/s
};

/// A contact of a step: a row of the channel `contact`, whose pair of shapes has a name.
struct TraceContact {
  std::string pair;
  ContactRow row;
};

/// The sample before its first step.
struct TraceHead {
  std::string title;
  std::int64_t sample = 0;
  std::uint64_t seed = 0;
  double step = 0;  ///< s
  NamedNumbers variables;
  NamedNumbers shown;               ///< the same as people read them
  std::vector<BodyMass> masses;     ///< empty if the sample is not physical
  Mechanism mechanism;              ///< likewise
  std::vector<TraceState> states;   ///< empty unless requested
  std::vector<std::string> curves;  ///< names of TraceStep::values
};

/// A step that was tried.
struct TraceStep {
  std::int64_t step = 0;  ///< from 1
  double time = 0;        ///< s, at its end
  Status status = Status::ok;
  int contacts = 0;                ///< in its LCP
  int pivots = 0;                  ///< of all its LCPs
  double residual = 0;             ///< the largest certificate; infinity if there is none
  std::string solver;              ///< what answered its LCPs, in words; empty if it had none
  bool held = false;               ///< a jam was held
  double pointedness = 0;          ///< of the friction cones; NaN unless the step was held or has no answer
  double energy_gained = 0;        ///< J, beyond the work of forces
  double energy = 0;               ///< J, of the last good step; NaN if it overflows
  std::vector<TraceState> states;  ///< of the last good step; empty unless requested
  std::vector<double> values;      ///< of curves; empty unless requested
  /// None unless requested: those of a step that counts, as a dataset has them.
  std::optional<std::vector<TraceContact>> contact_rows;
};

struct TraceOutcome {
  std::string name;
  double value = 0;  ///< truth 1 or 0; NaN if undefined
  bool truth = false;
};

/// The sample after its last good step.
struct TraceEnd {
  Status status = Status::ok;
  std::int64_t steps = 0;  ///< good ones
  double time = 0;         ///< s
  std::vector<TraceOutcome> outcomes;
  std::string reason;  ///< of bad_parameters: place and number; else empty
};

class Trace {
 public:
  virtual ~Trace() = default;
  virtual void begin(const TraceHead& head) = 0;
  virtual void step(const TraceStep& step) = 0;
  virtual void end(const TraceEnd& end) = 0;
};

/// Text on stdout.
std::unique_ptr<Trace> text_trace();

/// On stdout, one JSON object with a step per line; null if not finite. Numbers read back as the same double.
std::unique_ptr<Trace> json_trace();
/// Curves alone, for spreadsheets: a line of names, then one for each good step.
std::unique_ptr<Trace> csv_trace();

}  // namespace jostle
