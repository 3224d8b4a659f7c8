// A system that fails carries its status and stops at its last good step; the others of the batch do not notice.
#include <vector>

#include "tests/laws/simulation.hpp"
#include "tests/support/status_cases.hpp"

namespace jostle {
namespace {

class AFailingSystem : public testing::TestWithParam<StatusCase> {
 protected:
  static constexpr int samples = 12;

  AFailingSystem() : ensemble_(parse_scenario(scenario_text(GetParam()), "case.yaml", {{}, samples, {}})) {
    model_ = ensemble_.model();
    GetParam().change(model_);
    model_.has_contact_tallies = true;
  }

  int steps() const { return static_cast<int>(model_.total_steps); }
  bool is_bad(int sample) const { return ensemble_.draw(sample)[0] == 1; }

  /// The samples, in this order, run to `last_step`.
  Batch run(const std::vector<int>& order, int last_step) const {
    Batch batch(model_, static_cast<int>(order.size()));
    for (std::size_t i = 0; i < order.size(); ++i) ensemble_.load(order[i], batch, static_cast<int>(i));
    run_batch(batch, last_step, options());
    return batch;
  }

  RunOptions options() const { return {2, GetParam().first_contacts, nullptr}; }

  static std::vector<int> all() {
    std::vector<int> order;
    for (int i = 0; i < samples; ++i) order.push_back(i);
    return order;
  }

  Ensemble ensemble_;
  Model model_;
};

TEST_P(AFailingSystem, HasItsStatusAndTheOthersEndWell) {
  Batch batch = run(all(), steps());
  int bad = 0;
  for (int i = 0; i < samples; ++i) {
    bad += is_bad(i);
    EXPECT_EQ(batch.status(i), is_bad(i) ? GetParam().status : Status::ok) << "sample " << i;
    EXPECT_EQ(batch.state(i).steps(), is_bad(i) ? GetParam().good_steps : steps()) << "sample " << i;
  }
  EXPECT_GT(bad, 0);
  EXPECT_LT(bad, samples);
}

TEST_P(AFailingSystem, ChangesNoBitOfTheOthers) {
  std::vector<int> good;
  for (int i = 0; i < samples; ++i) {
    if (!is_bad(i)) good.push_back(i);
  }
  Batch mixed = run(all(), steps()), pure = run(good, steps());
  for (std::size_t k = 0; k < good.size(); ++k) {
    EXPECT_GT(pure.state(static_cast<int>(k)).normal_impulse[1], 0) << "the ball lies on the floor";
    EXPECT_EQ(state_digest(mixed, good[k]), state_digest(pure, static_cast<int>(k))) << "sample " << good[k];
  }
}

// Stepped only so far, the same system is well; apart from the status, nothing is different.
TEST_P(AFailingSystem, StaysAtItsLastGoodStep) {
  Batch failed = run(all(), steps()), before = run(all(), GetParam().good_steps);
  for (int i = 0; i < samples; ++i) {
    if (!is_bad(i)) continue;
    if (GetParam().good_steps > 0) {
      EXPECT_EQ(before.status(i), Status::ok);
    }
    for (Batch* batch : {&failed, &before}) batch->state(i).status() = 0;
    EXPECT_EQ(state_digest(failed, i), state_digest(before, i)) << "sample " << i;
  }
}

TEST_P(AFailingSystem, RecordsNothingAfterItsLastGoodStep) {
  constexpr int bodies_at_most = 4;
  const auto entries = static_cast<std::size_t>(steps() + 1);
  const auto bodies = model_.bodies.size();
  ASSERT_LE(bodies, bodies_at_most);
  for (int i = 0; i < samples; ++i) {
    if (!is_bad(i)) continue;
    std::vector<double> q(entries * bodies * 7, -77), v(entries * bodies * 6, -77);
    Batch batch(model_, 1);
    ensemble_.load(i, batch, 0);
    batch.record(0, {q.data(), v.data(), 1});
    run_batch(batch, steps(), options());
    const bool never_began = GetParam().status == Status::bad_parameters;
    const std::size_t valid = never_began ? 0 : static_cast<std::size_t>(GetParam().good_steps) + 1;
    for (std::size_t k = 0; k < q.size(); ++k) EXPECT_EQ(q[k] == -77, k >= valid * bodies * 7) << "element " << k;
    for (std::size_t k = 0; k < v.size(); ++k) EXPECT_EQ(v[k] == -77, k >= valid * bodies * 6) << "element " << k;
    return;
  }
  FAIL() << "no bad sample";
}

INSTANTIATE_TEST_SUITE_P(Statuses, AFailingSystem, testing::ValuesIn(status_cases),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace jostle
