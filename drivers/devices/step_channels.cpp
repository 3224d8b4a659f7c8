#include "drivers/devices/step_channels.hpp"

#include <algorithm>
#include <cstring>

namespace jostle {
namespace {

constexpr const char* kind_names[] = {
#define JOSTLE_NAME(name) #name,
    JOSTLE_LCP_KINDS(JOSTLE_NAME)
#undef JOSTLE_NAME
};

LcpLabel label_of(const Scenario& scenario, const Model& model, const LcpRow& row) {
  LcpLabel label;
  label.kind = kind_names[row.kind];
  label.contact = row.contact, label.feature = row.feature;
  std::copy_n(row.direction, 3, label.direction.begin());
  if (row.joint >= 0) label.joint = scenario.joints[static_cast<std::size_t>(row.joint)].name;
  if (row.contact < 0) return label;
  const PairModel& pair = model.pairs[static_cast<std::size_t>(row.pair)];
  const auto body_of = [&](int shape) {
    return scenario.bodies[static_cast<std::size_t>(model.shapes[static_cast<std::size_t>(shape)].body)].name;
  };
  label.bodies = {body_of(pair.shape_a), body_of(pair.shape_b)};
  return label;
}

/// The channels of one system; what a step has written is forgotten once it is told. Workspaces of a model that records
/// have more fields, so the system goes on in a batch of such a model, with the same bits, and comes back at the end.
class Channels {
 public:
  Channels(const Scenario& scenario, Batch& batch, const ChannelObservers& observers)
      : scenario_(scenario),
        observers_(observers),
        model_(recording(batch.model(), observers)),
        memory_(model_, static_cast<int>(model_.total_steps) + 1),
        batch_(model_, 1),
        origin_(batch) {
    const ModelView view = model_.view(0);
    std::memcpy(batch_.parameter_memory(0), batch.parameter_memory(0), view.parameter_layout.bytes);
    std::memcpy(batch_.state_memory(0), batch.state_memory(0), view.state_layout.bytes);
    memory_.wait_for(batch_.state(0).steps() + 1);
    batch_.record(0, memory_);
  }
  ~Channels() {
    std::memcpy(origin_.parameter_memory(0), batch_.parameter_memory(0), model_.view(0).parameter_layout.bytes);
    std::memcpy(origin_.state_memory(0), batch_.state_memory(0), model_.view(0).state_layout.bytes);
  }
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  /// The system, in a batch of the model that records.
  Batch& batch() { return batch_; }

  /// Adds the problem that has no answer, which the channel leaves out.
  void add_unanswered(const System& system, const Workspace& work) {
    while (!record_last_lcp(system, work)) memory_.grow();
  }

  /// Of the step that has just been tried; `next` is the number of the next one.
  void tell(std::int64_t step, int next) {
    if (observers_.lcps) tell_lcps(step);
    if (observers_.contacts && step < next) observers_.contacts(memory_.rows());
    memory_.wait_for(next);
  }

 private:
  static Model recording(Model model, const ChannelObservers& observers) {
    model.lcp_every = observers.lcps ? static_cast<int>(model.total_steps) : 0;  // until one is waited for
    model.records_contacts = observers.contacts != nullptr;
    return model;
  }

  void tell_lcps(std::int64_t step) const {
    const RecordView& view = *memory_.view();
    const LcpRow *row = view.lcp_rows, *const end = row + view.progress->done.lcp_rows + view.progress->step.lcp_rows;
    const double* matrix = view.lcp_matrix;
    while (row != end) {
      const int n = row->size;
      StepLcp lcp{step, row->problem + 1, {{matrix, matrix + n * n}, {}}, {}};
      for (int i = 0; i < n; ++i, ++row) {
        lcp.lcp.q.push_back(row->q);
        lcp.labels.push_back(label_of(scenario_, model_, *row));
      }
      matrix += n * n;
      observers_.lcps(lcp);
    }
  }

  const Scenario& scenario_;
  const ChannelObservers& observers_;
  const Model model_;
  RecordMemory memory_;
  Batch batch_;
  Batch& origin_;
};

bool has_no_answer(Status status) {
  return status == Status::ray || status == Status::pivot_limit || status == Status::uncertified;
}

}  // namespace

void run_with_channels(const Scenario& scenario, Batch& batch, const ChannelObservers& observers,
                       const std::function<void(const System&, const Workspace&, const StepResult&)>& observe) {
  Channels channels(scenario, batch, observers);
  WorkspaceMemory memory(channels.batch().model(), 0);
  const int last = static_cast<int>(batch.model().total_steps);
  run_system(channels.batch(), 0, last, memory,
             [&](const System& system, const Workspace& work, const StepResult& result) {
               if (observers.lcps && has_no_answer(result.status) && result.lcp_size > 0)
                 channels.add_unanswered(system, work);
               const int taken = system.state().steps();
               channels.tell(taken + (result.status == Status::ok ? 0 : 1), taken + 1);
               if (observe) observe(system, work, result);
             });
}

}  // namespace jostle
