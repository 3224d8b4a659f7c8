// Backends that agree, and backends that are made to differ in a known place.
#include "drivers/devices/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

constexpr const char* balls = R"yaml(jostle: 1
variables: {speed: {uniform: [0.5, 1.5]}}
world: {step: 0.01, duration: 0.6, solver: lemke, multipliers: vertex}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.3], velocity: [$speed, 0, 0]}
contacts: [{between: any, friction: 0.5}]
)yaml";

constexpr int samples = 12, wrong_sample = 5, wrong_step = 10;  // in flight; it lands in step 20 or 21

class Compared : public testing::Test {
 protected:
  Compared() : wrong_speed_(ensemble_.draw(wrong_sample)[0]) {}

  /// One thread; when the system of wrong_sample comes to wrong_step, spoil(system) is called.
  template <class Spoil>
  Backend spoiled(Spoil spoil) const {
    const Backend right = threads_backend(1, 0);
    const auto spoil_at_wrong_step = [=, this](Batch& batch, int last_step) {
      for (int i = 0; i < batch.size() && last_step >= wrong_step; ++i) {
        if (batch.parameters(i).variables[0] != wrong_speed_ || batch.state(i).steps() >= wrong_step) continue;
        right.run(batch, wrong_step, nullptr);
        spoil(batch, i);
      }
    };
    return {"spoiled", 0,
            [=](Batch& batch, int last_step, const std::atomic<bool>* stop) {
              spoil_at_wrong_step(batch, last_step);
              return right.run(batch, last_step, stop);
            },
            [=](Batch& batch, int last_step, const StepObserver& observe) {
              spoil_at_wrong_step(batch, last_step);
              right.run_observed(batch, last_step, last_step == wrong_step ? StepObserver{} : observe);
            }};
  }

  Comparison compare_with(const Backend& other) const {
    return compare(ensemble_, threads_backend(1, 0), {{other, samples}}).front();
  }

  /// As a defect of an addition would do it: the last bit of a speed.
  static void spoil_last_bit(Batch& batch, int i) {
    double& speed = batch.state(i).velocity[3];
    speed = std::nextafter(speed, 2.0);
  }
  static void halve_friction(Batch& batch, int i) { batch.parameters(i).friction[0] *= 0.5; }

  Ensemble ensemble_{parse_scenario(balls, "balls.yaml")};
  double wrong_speed_;
};

TEST_F(Compared, ThreadsBatchesAndLanesAgree) {
  for (const Backend& other : {threads_backend(2, 7), threads_backend(2, 1), lanes_backend(3), lanes_backend(8)}) {
    SCOPED_TRACE(other.name);
    const Comparison comparison = compare_with(other);
    EXPECT_TRUE(comparison.equal());
    EXPECT_EQ(comparison.samples, samples);
    EXPECT_EQ(comparison.differing_bits, 0);
    EXPECT_TRUE(comparison.differing_fields.empty());
    EXPECT_EQ(comparison.largest_distance, 0);
    EXPECT_EQ(comparison.first_sample, -1);
    EXPECT_FALSE(comparison.first);
    EXPECT_THAT(text_of(comparison), testing::HasSubstr("12 compared, 0 bits differ\n"));
    EXPECT_TRUE(json_of(comparison, "reference").at("first").is_null());
    EXPECT_EQ(status_of({comparison}), ExitStatus::ok);
  }
}

TEST_F(Compared, OneBitInOneSampleIsFoundWhereItWasSpoiled) {
  double right = 0, wrong = 0;
  const Comparison comparison = compare_with(spoiled([&](Batch& batch, int i) {
    double& speed = batch.state(i).velocity[3];
    right = speed;
    wrong = speed = std::nextafter(speed, 2.0);
  }));
  EXPECT_EQ(comparison.differing_samples, 1);
  EXPECT_GE(comparison.differing_bits, 1);
  EXPECT_GE(comparison.largest_distance, 1);
  EXPECT_FALSE(comparison.differing_fields.empty());
  EXPECT_EQ(comparison.first_sample, wrong_sample);
  ASSERT_TRUE(comparison.first);
  EXPECT_EQ(comparison.first->step, wrong_step);
  EXPECT_EQ(comparison.first->stage, "integrate");
  EXPECT_EQ(comparison.first->field, "velocity");
  EXPECT_EQ(comparison.first->index, 3);
  EXPECT_EQ(std::stod(comparison.first->reference.value), right);
  EXPECT_EQ(std::stod(comparison.first->other.value), wrong);
}

// The friction of its contact changed in flight: it lands with another LCP.
TEST_F(Compared, AWrongParameterIsFoundInTheAssembledLcp) {
  const Comparison comparison = compare_with(spoiled(halve_friction));
  EXPECT_EQ(comparison.first_sample, wrong_sample);
  ASSERT_TRUE(comparison.first);
  EXPECT_GT(comparison.first->step, wrong_step);
  EXPECT_EQ(comparison.first->stage, "assemble");
  EXPECT_EQ(comparison.first->field, "lcp_matrix");
  EXPECT_EQ(std::stod(comparison.first->reference.value), 0.5);
  EXPECT_EQ(std::stod(comparison.first->other.value), 0.25);
  EXPECT_EQ(comparison.first->reference.contacts, 1);
  EXPECT_GT(comparison.first->reference.pivots, 0);
  EXPECT_TRUE(comparison.first->observed);
  for (const StepAccount& account : {comparison.first->reference, comparison.first->other})
    EXPECT_EQ(account.pivot_path.size(), static_cast<std::size_t>(account.pivots));
}

// As what is wrong in shared memory alone, where no observer looks.
TEST_F(Compared, WhatIsWrongOnlyInCompanyIsFoundByTheStates) {
  const Comparison comparison = compare_with(spoiled([](Batch& batch, int i) {
    if (batch.size() > 1) batch.state(i).position[3] += 1e-9;
  }));
  EXPECT_EQ(comparison.differing_samples, 1);
  EXPECT_EQ(comparison.first_sample, wrong_sample);
  ASSERT_TRUE(comparison.first);
  EXPECT_FALSE(comparison.first->observed);
  EXPECT_EQ(comparison.first->step, wrong_step);
  EXPECT_EQ(comparison.first->field, "position");
  EXPECT_NEAR(std::stod(comparison.first->other.value) - std::stod(comparison.first->reference.value), 1e-9, 1e-15);
  EXPECT_THAT(text_of(comparison), testing::HasSubstr("by its state; not when alone and observed"));
  const nlohmann::ordered_json json = json_of(comparison, "reference");
  EXPECT_EQ(json.at("first").at("observed"), false);
  EXPECT_FALSE(json.at("first").at("other").contains("pivot_path")) << "nobody has seen it";
}

TEST_F(Compared, WhatIsWrongOnceHasNoFirstStep) {
  auto was_wrong = std::make_shared<bool>(false);
  const Comparison comparison = compare_with(spoiled([was_wrong](Batch& batch, int i) {
    if (!*was_wrong) spoil_last_bit(batch, i);
    *was_wrong = true;
  }));
  EXPECT_EQ(comparison.differing_samples, 1);
  EXPECT_FALSE(comparison.first);
  EXPECT_THAT(text_of(comparison), testing::HasSubstr("sample 5 was the same when it was simulated again"));
  EXPECT_TRUE(json_of(comparison, "reference").at("first").at("step").is_null());
}

TEST_F(Compared, EachBackendHasTheSamplesThatItIsGiven) {
  const std::vector<Comparison> comparisons = compare(ensemble_, threads_backend(1, 0),
                                                      {{threads_backend(2, 7), samples},
                                                       {lanes_backend(2), 3},
                                                       {spoiled(spoil_last_bit), wrong_sample},
                                                       {spoiled(spoil_last_bit), wrong_sample + 1}});
  ASSERT_EQ(comparisons.size(), 4u);
  EXPECT_EQ(comparisons[0].samples, samples);
  EXPECT_EQ(comparisons[0].other, "2 threads, batches of 7");
  EXPECT_EQ(comparisons[1].samples, 3);
  EXPECT_TRUE(comparisons[2].equal());
  EXPECT_EQ(comparisons[3].differing_samples, 1);
  EXPECT_EQ(status_of(comparisons), ExitStatus::internal) << "one of them differs";
  EXPECT_EQ(status_of({comparisons[0], comparisons[1], comparisons[2]}), ExitStatus::ok);
}

TEST_F(Compared, ADifferenceIsToldToPeople) {
  const Comparison comparison = compare_with(spoiled(halve_friction));
  const std::string text = text_of(comparison);
  EXPECT_THAT(text, testing::HasSubstr("12 compared, 1 differ in "));
  EXPECT_THAT(text, testing::HasSubstr(" units in the last place\n"));
  EXPECT_THAT(text, testing::HasSubstr("    position          differs in 1 of them\n"));
  EXPECT_THAT(text,
              testing::ContainsRegex("    first in sample 5, step 2[0-9], stage assemble: lcp_matrix\\[[0-9]+\\]\n"));
  EXPECT_THAT(text, testing::ContainsRegex("      reference  0.5 \\(1 contacts, [0-9]+ pivots, leaving [0-9 ]+, res"));
  EXPECT_THAT(text, testing::ContainsRegex("      other      0.25 \\(1 contacts, [0-9]+ pivots, leaving [0-9 ]+, res"));
  EXPECT_EQ(status_of({comparison}), ExitStatus::internal);
}

TEST_F(Compared, ADifferenceIsToldToMachines) {
  const nlohmann::ordered_json json = json_of(compare_with(spoiled(halve_friction)), "the reference");
  EXPECT_EQ(json.at("reference"), "the reference");
  EXPECT_EQ(json.at("other"), "spoiled");
  EXPECT_EQ(json.at("samples"), samples);
  EXPECT_EQ(json.at("differing_samples"), 1);
  EXPECT_GE(json.at("differing_bits"), 1);
  EXPECT_EQ(json.at("differing_fields").at("position"), 1);
  EXPECT_GE(json.at("largest_distance_ulp"), 1);
  const nlohmann::ordered_json& first = json.at("first");
  EXPECT_EQ(first.at("sample"), wrong_sample);
  EXPECT_GT(first.at("step"), wrong_step);
  EXPECT_EQ(first.at("stage"), "assemble");
  EXPECT_EQ(first.at("field"), "lcp_matrix");
  EXPECT_EQ(first.at("observed"), true);
  EXPECT_EQ(first.at("reference").at("value"), "0.5");
  EXPECT_EQ(first.at("other").at("value"), "0.25");
  for (const char* side : {"reference", "other"}) {
    EXPECT_EQ(first.at(side).at("contacts"), 1);
    EXPECT_EQ(first.at(side).at("pivot_path").size(), first.at(side).at("pivots").get<std::size_t>());
  }
}

TEST_F(Compared, ANumberBesideANaNIsInfinitelyFar) {
  const Comparison comparison = compare_with(spoiled([](Batch& batch, int i) {
    batch.state(i).status() = static_cast<int>(Status::not_finite);
    batch.state(i).position[3] = canonical_nan();
  }));
  EXPECT_EQ(comparison.largest_distance, infinity());
  EXPECT_TRUE(comparison.differing_fields.contains("status"));
}

// More samples than are held at once, of two steps each.
TEST(ComparedInChunks, ASampleKeepsItsNumber) {
  std::string text = balls;
  text.replace(text.find("0.6"), 3, "0.02");
  const Ensemble ensemble(parse_scenario(text, "balls.yaml"));
  constexpr std::int64_t wrong = 131'075, count = wrong + 3;
  const double wrong_speed = ensemble.draw(wrong)[0];
  const Backend right = threads_backend(0, 0);
  Backend other = right;
  other.run = [&](Batch& batch, int last_step, const std::atomic<bool>* stop) {
    const bool finished = right.run(batch, last_step, stop);
    for (int i = 0; i < batch.size(); ++i)
      if (last_step > 0 && batch.parameters(i).variables[0] == wrong_speed) batch.state(i).velocity[3] = 0;
    return finished;
  };
  const Comparison comparison = compare(ensemble, right, {{other, count}}).front();
  EXPECT_EQ(comparison.samples, count);
  EXPECT_EQ(comparison.differing_samples, 1);
  EXPECT_EQ(comparison.first_sample, wrong);
  ASSERT_TRUE(comparison.first);
  EXPECT_EQ(comparison.first->step, 1);
  EXPECT_EQ(comparison.first->field, "velocity");
  EXPECT_EQ(std::stod(comparison.first->reference.value), wrong_speed);
  EXPECT_EQ(comparison.first->other.value, "0");
  EXPECT_FALSE(comparison.first->observed) << "the observer is right";
}

}  // namespace
}  // namespace jostle
