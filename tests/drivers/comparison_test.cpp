// Backends that agree, and backends that are made to differ in a known place.
#include "drivers/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scenarios/reader.hpp"

namespace jostle {
namespace {

constexpr const char* balls = R"yaml(jostle: 1
variables: {speed: {uniform: [0.5, 1.5]}}
world: {step: 0.01, duration: 0.6}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.3], velocity: [$speed, 0, 0]}
contacts: [{between: any, friction: 0.5}]
)yaml";

constexpr int samples = 12, wrong_sample = 5, wrong_step = 10;  // in flight; it lands in step 20 or 21

class Compared : public testing::Test {
 protected:
  Compared() : wrong_speed(ensemble.draw(wrong_sample)[0]) {}

  /// One thread; when the system of wrong_sample comes to wrong_step, spoil(system) is called.
  template <class Spoil>
  Backend spoiled(Spoil spoil) const {
    const Backend right = threads_backend(1, 0);
    const auto spoil_at_wrong_step = [=, this](Batch& batch, int last_step) {
      for (int i = 0; i < batch.size() && last_step >= wrong_step; ++i) {
        if (batch.parameters(i).variables[0] != wrong_speed || batch.state(i).steps[0] >= wrong_step) continue;
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
    return jostle::compare(ensemble, samples, threads_backend(1, 0), other);
  }

  Ensemble ensemble{parse_scenario(balls, "balls.yaml")};
  double wrong_speed;
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
  }
}

TEST_F(Compared, OneBitInOneSampleIsFoundWhereItWasSpoiled) {
  double right = 0, wrong = 0;
  const Comparison comparison = compare_with(spoiled([&](Batch& batch, int i) {
    Real& speed = batch.state(i).velocity[3];
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
  const Comparison comparison =
      compare_with(spoiled([](Batch& batch, int i) { batch.parameters(i).friction[0] *= 0.5; }));
  EXPECT_EQ(comparison.first_sample, wrong_sample);
  ASSERT_TRUE(comparison.first);
  EXPECT_GT(comparison.first->step, wrong_step);
  EXPECT_EQ(comparison.first->stage, "assemble");
  EXPECT_EQ(comparison.first->field, "lcp_matrix");
  EXPECT_EQ(std::stod(comparison.first->reference.value), 0.5);
  EXPECT_EQ(std::stod(comparison.first->other.value), 0.25);
  EXPECT_EQ(comparison.first->reference.contacts, 1);
  EXPECT_GT(comparison.first->reference.pivots, 0);
}

TEST_F(Compared, WhatIsWrongOnlyInCompanyHasNoFirstStep) {
  const Comparison comparison = compare_with(spoiled([](Batch& batch, int i) {
    if (batch.size() > 1) batch.state(i).position[3] += 1e-9;
  }));
  EXPECT_EQ(comparison.differing_samples, 1);
  EXPECT_EQ(comparison.first_sample, wrong_sample);
  EXPECT_FALSE(comparison.first);
}

TEST_F(Compared, ANumberBesideANaNIsInfinitelyFar) {
  const Comparison comparison = compare_with(spoiled([](Batch& batch, int i) {
    batch.state(i).status[0] = static_cast<int>(Status::not_finite);
    batch.state(i).position[3] = canonical_nan();
  }));
  EXPECT_EQ(comparison.largest_distance, infinity());
  EXPECT_TRUE(comparison.differing_fields.contains("status"));
}

}  // namespace
}  // namespace jostle
