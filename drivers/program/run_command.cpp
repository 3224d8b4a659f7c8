#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/model/frame.hpp"
#include "drivers/datasets/dataset.hpp"
#include "drivers/datasets/record_collector.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/devices/step_channels.hpp"
#include "drivers/errors.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/lcp_dump.hpp"
#include "drivers/program/options.hpp"
#include "drivers/program/recorded_run.hpp"
#include "drivers/program/trace.hpp"
#include "drivers/simulation.hpp"
#include "drivers/views/curves.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

struct RunCommand {
  ScenarioOptions scenario;
  std::string sample = "0";
  bool json = false, csv = false, states = false, contacts = false;
  std::vector<std::string> dump;  ///< STEP FILE, or all FILE
};

TraceHead head_of(const Ensemble& ensemble, std::int64_t sample) {
  const Scenario& scenario = ensemble.scenario();
  TraceHead head{scenario.title, sample, scenario.sample.seed, scenario.world.step, {}, {}, {}, {}, {}, {}};
  const std::vector<double> values = ensemble.draw(sample);
  const std::vector<std::string> names = names_in(scenario.variables);
  for (std::size_t i = 0; i < values.size(); ++i) head.variables.emplace_back(names[i], values[i]);
  head.shown = shown_variables(names, values);
  return head;
}

std::vector<TraceState> states_of(const Scenario& scenario, const System& system) {
  std::vector<TraceState> states;
  for (int b = 0; b < system.model.dimensions.bodies; ++b) {
    const BodySpec& body = scenario.bodies[static_cast<std::size_t>(b)];
    if (body.fixed) continue;
    const WrittenMotion motion = written_motion(system, b, pose_of(system, b).axes);
    const Quaternion& q = motion.orientation;
    TraceState& of_body = states.emplace_back(TraceState{body.name, {}, {q.w, q.x, q.y, q.z}, {}, {}});
    for (int k = 0; k < 3; ++k) {
      of_body.position[k] = motion.position[k];
      of_body.velocity[k] = motion.velocity[k];
      of_body.spin[k] = motion.spin[k];
    }
  }
  return states;
}

/// As in a dataset: the outcomes of an invalid sample are undefined.
TraceEnd end_of(Simulation& simulation) {
  const Scenario& scenario = simulation.ensemble().scenario();
  const StateView state = simulation.state(0);
  TraceEnd end{simulation.status(0), state.steps(), state.steps() * scenario.world.step, {}, {}};
  if (const auto fault = simulation.fault(0))
    end.reason = error_at(scenario, fault->where, fault->message).what();
  else if (end.status != Status::ok)
    end.reason = meaning_of(end.status);
  for (std::size_t o = 0; o < scenario.outcomes.size(); ++o) {
    const OutcomeSpec& outcome = scenario.outcomes[o];
    const bool truth = outcome.kind() == ValueKind::truth;
    const double value = outcome_value(end.status, state.outcomes[static_cast<int>(o)]);
    end.outcomes.push_back({outcome.name, value, truth});
  }
  return end;
}

/// What answered the LCPs of a step; of several the costliest.
std::string solver_of(const StepResult& result) {
  if (result.rests) return "rest";
  if (result.vertex > 0) return "vertex";
  if (result.pivoted > 0) return "lemke";
  if (result.corrected > 0) return "corrected";
  return result.guessed > 0 ? "guess" : "";
}

/// Of a step that was held, or whose problem has no answer: whether friction could jam it. NaN for others.
double pointedness_of(const System& system, const Workspace& work, const StepResult& result) {
  const bool has_no_answer = result.status == Status::ray || result.status == Status::uncertified;
  const bool is_told = result.lcp_size > 0 && (result.held || has_no_answer);
  return is_told ? pointedness(system, work) : undefined_value;
}

/// The names of the pairs of shapes, by their numbers.
std::vector<std::string> pairs_of(Scenario scenario) {
  scenario.record.contacts = true;
  RecordSettings settings;
  settings.which = RecordSettings::Which::all;
  describe_step_records(scenario, settings);
  return settings.pairs;
}

ExitStatus run_command(const RunCommand& command) {
  const Machine machine = prepare(command.scenario, AutoDevice::cpu);
  const std::int64_t sample = whole_number("--sample", command.sample, 0, std::numeric_limits<std::int64_t>::max());
  ReadOptions read = read_options(command.scenario);
  read.every_step = read.every_step || !command.dump.empty();  // an LCP that is not solved cannot be written
  const Ensemble ensemble = open_ensemble(command.scenario.file, read, sample);
  check_that_it_has(sample, ensemble);
  warn_of_doubts(ensemble.scenario());
  const Model& model = ensemble.model();
  if (command.contacts && facts_of(model.method).has_stages)
    throw UsageError("--contacts: with world.method loetstedt a contact has several impulses in a step");
  if (!command.dump.empty())
    keep_sources("--dump-lcp", command.dump[1], sources_of(command.scenario.file, ensemble.scenario()));
  LcpDump dump(command.dump, model.total_steps);
  const std::unique_ptr<Trace> trace = command.csv ? csv_trace() : command.json ? json_trace() : text_trace();
  const Curves curves(ensemble);
  if (command.csv && curves.names().empty())
    throw UsageError("--csv: the scenario has neither record.quantities nor outcomes");

  Simulation simulation(ensemble, 1, machine, sample);
  const auto states = [&](const System& system) {
    return command.states ? states_of(ensemble.scenario(), system) : std::vector<TraceState>();
  };
  simulation.step(0);  // the start
  TraceHead head = head_of(ensemble, sample);
  head.states = states(simulation.system(0));
  if (simulation.status(0) != Status::bad_parameters) {
    head.masses = masses_of(ensemble, simulation.parameters(0));
    head.mechanism = mechanism_of(ensemble, simulation.system(0));
  }
  if (command.csv) head.curves = curves.names();
  trace->begin(head);
  std::optional<std::vector<TraceContact>> contacts;
  const std::atomic<bool>& stop = catch_interrupts();  // between steps: the trace ends with a whole one
  const auto tell = [&](const System& system, const Workspace& work, const StepResult& result) {
    const std::int64_t step = system.state().steps() + (result.status == Status::ok ? 0 : 1);
    trace->step({step, static_cast<double>(step) * model.step, result.status, result.all_contacts(), result.pivots,
                 result.residual, solver_of(result), result.held, pointedness_of(system, work, result),
                 result.energy_gain, system_energy(system), states(system),
                 command.csv ? curves.of(system, work) : std::vector<double>(), std::exchange(contacts, {})});
    if (stop && step < model.total_steps) throw Interrupted(fmt::format("interrupted after step {}", step));
  };
  ChannelObservers channels;
  if (dump.is_wanted()) channels.lcps = [&](const StepLcp& lcp) { dump.see(lcp); };
  if (command.contacts)
    channels.contacts = [&, pairs = pairs_of(ensemble.scenario())](std::span<const ContactRow> rows) {
      contacts.emplace();
      for (const ContactRow& row : rows) contacts->push_back({pairs[static_cast<std::size_t>(row.pair)], row});
    };
  if (channels.lcps || channels.contacts)
    simulation.finish(tell, channels);
  else
    simulation.finish(tell);
  trace->end(end_of(simulation));
  dump.finish(simulation.state(0).steps());
  return simulation.status(0) == Status::ok ? ExitStatus::ok : ExitStatus::invalid_samples;
}

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<RunCommand>();
  CLI::App* run = app.add_subcommand("run", "simulate one sample with a trace of every step");
  add_scenario_options(*run, command->scenario, AutoDevice::cpu);
  run->get_option("file")->description("scenario file, or the folder of a sweep to replay a sample from");
  add_value(*run, "--sample", command->sample, "I", "sample number, from 0 (default 0)");
  run->add_flag("--json", command->json, "one JSON object instead of text");
  run->add_flag("--csv", command->csv,
                "instead the quantities of `record`, or what outcomes look at, after every step, for a spreadsheet")
      ->excludes("--json");
  run->add_flag("--states", command->states, "also print positions and velocities after every step")->excludes("--csv");
  run->add_flag("--contacts", command->contacts, "also print the contacts of every step with their impulses and modes")
      ->excludes("--csv");
  run->add_option("--dump-lcp", command->dump,
                  "write the LCPs of a step, or of all, to FILE (JSON or .npz), for `jostle lcp`")
      ->type_name("STEP|all FILE")
      ->expected(2);
  run->footer(
      "Exit status 3 if the sample's status is not ok.\n"
      "Example: jostle run scenarios/library/rod.yaml --sample 7 --set variables.mu=0.6");
  run->callback([command, &invocation] { invocation.status = run_command(*command); });
}

}  // namespace jostle
