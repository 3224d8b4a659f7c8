#include "drivers/devices/step_lcps.hpp"

#include <utility>

#include "core/step.hpp"

namespace jostle {
namespace {

/// The label of every row, from the workspace in which the LCP was just solved.
class Labels {
 public:
  Labels(const Scenario& scenario, const System& system, const Workspace& work)
      : scenario_(scenario), model_(system.model), work_(work) {}

  LcpLabel of(const LcpVariable& variable) const {
    const bool is_contact = variable.block < work_.first_contact(model_.dimensions.pairs);
    return is_contact ? of_contact(variable) : of_joint(variable);
  }

 private:
  LcpLabel of_contact(const LcpVariable& variable) const {
    const Contact& contact = work_.contact(variable.block);
    const PairModel& pair = model_.pairs[contact.pair];
    LcpLabel label{"slip_speed", variable.block, {}, {body_of(pair.shape_a), body_of(pair.shape_b)}, contact.feature};
    if (variable.kind == LcpVariable::Kind::normal) {
      label.kind = "normal";
      set_direction(contact.normal, label);
    } else if (variable.kind == LcpVariable::Kind::beta) {
      label.kind = "friction";
      const int i = variable.row - work_.block(variable.block).tangent;
      const Vec3 d = model_.direction_cosine[i] * contact.tangent_1 + model_.direction_sine[i] * contact.tangent_2;
      set_direction(variable.sign < 0 ? Vec3(-d) : d, label);
    }
    return label;
  }

  LcpLabel of_joint(const LcpVariable& variable) const {
    const Block& block = work_.block(variable.block);
    const int row = block.normal >= 0 ? block.normal : block.tangent;
    LcpLabel label;
    for (int j = 0; j < model_.dimensions.joints; ++j) {
      const JointBlockRows rows = work_.joint_block(j);
      const char* const kind = row == rows.friction ? "joint_friction"
                               : row == rows.motor  ? "motor"
                               : row == rows.lower  ? "lower_limit"
                               : row == rows.upper  ? "upper_limit"
                                                    : nullptr;
      if (!kind) continue;
      label.joint = scenario_.joints[static_cast<std::size_t>(j)].name;
      label.kind = variable.kind == LcpVariable::Kind::lambda ? "slip_speed" : kind;
    }
    return label;
  }

  std::string body_of(int shape) const {
    return scenario_.bodies[static_cast<std::size_t>(model_.shapes[shape].body)].name;
  }
  static void set_direction(const Vec3& d, LcpLabel& label) {
    for (int k = 0; k < 3; ++k) label.direction[static_cast<std::size_t>(k)] = d[k];
  }

  const Scenario& scenario_;
  const ModelView& model_;
  const Workspace& work_;
};

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
    const Labels labels(scenario_, system_, work_);
    for (int i = 0; i < n; ++i) lcp.labels.push_back(labels.of(work_.variable(i)));
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
