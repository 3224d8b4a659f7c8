// Recorded impulses are labels that can be learned: where the modes stay, a small change of the state is a small change
// of the impulses of least norm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "core/records/record_memory.hpp"
#include "tests/support/recorded_samples.hpp"

namespace jostle {
namespace {

using test::RecordedSamplesOf;

constexpr double change = 1e-8;  // m/s, rad/s; and in m the way of it in a step

/// What the contacts of one step do, from a state that is changed by at most `change` times `factor`.
class Step {
 public:
  Step(const Ensemble& ensemble, std::int64_t sample, Batch& before, int step, double factor, std::mt19937& random)
      : batch_(ensemble.model(), 1), record_(ensemble.model(), 1) {
    const ModelView view = ensemble.model().view(0);
    ensemble.draw(sample, batch_, 0);
    std::memcpy(batch_.parameter_memory(0), before.parameter_memory(0), view.parameter_layout.bytes);
    std::memcpy(batch_.state_memory(0), before.state_memory(0), view.state_layout.bytes);
    const StateView state = batch_.state(0);
    std::uniform_real_distribution<double> drawn(-factor * change, factor * change);
    const double h = ensemble.model().step;
    for (const int body : ensemble.model().movers)
      for (int k = 3 * body; k < 3 * body + 3; ++k) {
        state.velocity[k] += drawn(random), state.spin[k] += drawn(random);
        state.position[k] += h * drawn(random);
      }
    state.resting() = 0;
    batch_.record(0, record_);
    run_batch(batch_, step);
  }

  std::span<const ContactRow> contacts() const { return record_.rows(); }

  bool has_modes_of(const Step& other) const {
    return std::equal(contacts().begin(), contacts().end(), other.contacts().begin(), other.contacts().end(),
                      [](const ContactRow& a, const ContactRow& b) {
                        return a.pair == b.pair && a.feature == b.feature && a.mode == b.mode;
                      });
  }

  /// N s, the largest difference of a contact's impulse.
  double distance_to(const Step& other) const {
    double largest = 0;
    for (std::size_t c = 0; c < contacts().size(); ++c) {
      const ContactRow &a = contacts()[c], &b = other.contacts()[c];
      for (const double d :
           {a.impulse_n - b.impulse_n, a.impulse_t[0] - b.impulse_t[0], a.impulse_t[1] - b.impulse_t[1]})
        largest = std::max(largest, std::fabs(d));
    }
    return largest;
  }

 private:
  Batch batch_;
  RecordMemory record_;
};

struct Changes {
  int steps = 0;       ///< with the same modes
  int shared = 0;      ///< of these, with impulses that are not unique
  double largest = 0;  ///< N s
};

Changes changes_of(const std::string& scenario, const std::vector<std::string>& set, int samples) {
  const RecordedSamplesOf recorded({"", scenario, set});
  const Ensemble& ensemble = recorded.ensemble;
  std::mt19937 random(7);
  Changes found;
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    Batch batch(ensemble.model(), 1);
    ensemble.draw(sample, batch, 0);
    for (int step = 1; step <= ensemble.model().total_steps; ++step) {
      run_batch(batch, step - 1);
      if (batch.status(0) != Status::ok || batch.state(0).steps() != step - 1) break;
      const Step plain(ensemble, sample, batch, step, 0, random), changed(ensemble, sample, batch, step, 1, random);
      if (plain.contacts().empty() || !plain.has_modes_of(changed)) continue;
      ++found.steps;
      found.shared += std::any_of(plain.contacts().begin(), plain.contacts().end(),
                                  [](const ContactRow& row) { return (row.mode & contact_not_unique) != 0; });
      found.largest = std::max(found.largest, plain.distance_to(changed));
    }
  }
  return found;
}

// A cube of 0.37 kg: an impulse changes by its mass, or that of a corner, times the change of its velocity, and by less
// than ten times that where few contacts share it.
TEST(Labels, AreContinuousWhereTheModesStay) {
  const Changes found = changes_of("cube_toss", {}, 5);
  EXPECT_GT(found.steps, 200);
  EXPECT_GT(found.shared, 100);
  EXPECT_LT(found.largest, 10 * 0.37 * change);
}

// ... which answers at a vertex are not: their impulses jump from corner to corner.
TEST(Labels, JumpWithVertices) {
  const Changes found = changes_of("cube_toss", {"world.multipliers=vertex", "world.solver=lemke"}, 5);
  EXPECT_GT(found.largest, 1e3 * change);
}

}  // namespace
}  // namespace jostle
