#include "drivers/devices/step_lcps.hpp"

#include <algorithm>
#include <utility>

#include "core/step.hpp"

namespace jostle {
namespace {

constexpr const char* kind_names[] = {
#define JOSTLE_NAME(name) #name,
    JOSTLE_LCP_KINDS(JOSTLE_NAME)
#undef JOSTLE_NAME
};

/// The label of unknown i of the LCP that was just solved in this workspace.
LcpLabel label_of(const Scenario& scenario, const ModelView& model, const Workspace& work, int i) {
  LcpRow row;
  write_lcp_label(model, work, i, row);
  LcpLabel label;
  label.kind = kind_names[row.kind[0]];
  label.contact = row.contact[0], label.feature = row.feature[0];
  std::copy_n(row.direction, 3, label.direction.begin());
  if (row.joint[0] >= 0) label.joint = scenario.joints[static_cast<std::size_t>(row.joint[0])].name;
  if (row.contact[0] < 0) return label;
  const PairModel& pair = model.pairs[row.pair[0]];
  const auto body_of = [&](int shape) {
    return scenario.bodies[static_cast<std::size_t>(model.shapes[shape].body)].name;
  };
  label.bodies = {body_of(pair.shape_a), body_of(pair.shape_b)};
  return label;
}

/// Keeps the LCPs of a step until it is known that the step counts.
class StepLcps {
 public:
  StepLcps(const Scenario& scenario, const System& system, const Workspace& work)
      : scenario_(scenario), system_(system), work_(work) {}

  /// A stage has ended. A problem is complete in the workspace when its answer has been used.
  void end(Stage stage) {
    if (stage == Stage::assemble) is_open_ = true;
    if (stage == Stage::integrate) take();
  }

  /// A step has ended.
  void tell(const LcpObserver& see, std::int64_t step) {
    take();  // of a problem without an answer
    for (StepLcp& lcp : kept_) {
      lcp.step = step;
      see(lcp);
    }
    kept_.clear();
  }

 private:
  void take() {
    if (!std::exchange(is_open_, false) || work_.islands(0) == 0) return;
    const Island last = work_.island(work_.islands(0) - 1);
    const int n = last.first_variable + last.variables;
    if (n == 0) return;
    StepLcp lcp{0, static_cast<int>(kept_.size()) + 1, dense_lcp(system_.model.dimensions, work_, n), {}};
    for (int i = 0; i < n; ++i) lcp.labels.push_back(label_of(scenario_, system_.model, work_, i));
    kept_.push_back(std::move(lcp));
  }

  const Scenario& scenario_;
  const System& system_;
  const Workspace& work_;
  bool is_open_ = false;
  std::vector<StepLcp> kept_;
};

}  // namespace

void run_with_lcps(const Scenario& scenario, Batch& batch, const LcpObserver& see,
                   const std::function<void(const System&, const Workspace&, const StepResult&)>& observe) {
  WorkspaceMemory memory(batch.model(), 0);
  for (;;) {
    const System system = batch.system(memory.view(), 0);
    const Workspace work = memory.workspace();
    StepLcps lcps(scenario, system, work);  // those of a step that needs more memory are forgotten
    const auto watch = [&](const StepResult& result) {
      lcps.tell(see, system.state().steps[0] + (result.status == Status::ok ? 0 : 1));
      observe(system, work, result);
    };
    const auto clock = [&](Stage stage) { lcps.end(stage); };
    const Pause pause =
        simulate<AllSystems>(SerialTeam{}, system, work, static_cast<int>(batch.model().total_steps), watch, clock);
    if (pause == Pause::finished) return;
    if (memory.grow()) continue;
    system.state().status[0] = static_cast<int>(Status::capacity);
    return;
  }
}

}  // namespace jostle
