// `compare` of scenarios that record: the channels are compared, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "drivers/devices/comparison.hpp"
#include "emulation/host_device.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

constexpr int recorded_samples = 5, wrong_recorded_sample = 3;

Scenario recorded() {
  ReadOptions options;
  options.set = {"world.steps=70",
                 "record={trajectories: all, contacts: true, stride: 2, lcp: {every: 20}, "
                 "quantities: [cube.kinetic_energy]}"};
  return read_scenario(JOSTLE_SOURCE_DIR "/scenarios/library/cube_toss.yaml", options);
}

class ComparedRecords : public testing::Test {
 protected:
  /// One thread; what is in the record of a sample is changed afterwards.
  Comparison compare_with(const std::function<void(RecordMemory&)>& spoil) const {
    Backend other = threads_backend(1, 0);
    other.run = [spoil, run = other.run](Batch& batch, int last_step, const std::atomic<bool>* stop) {
      const bool done = run(batch, last_step, stop);
      if (RecordMemory* const record =
              batch.size() > wrong_recorded_sample ? batch.record(wrong_recorded_sample) : nullptr)
        spoil(*record);
      return done;
    };
    return compare(ensemble_, threads_backend(1, 0), {{other, recorded_samples}}).front();
  }

  Ensemble ensemble_{recorded()};
};

TEST_F(ComparedRecords, AreAlikeOnEveryBackend) {
  const auto device = std::make_unique<HostDevice>();
  for (const Backend& other : {threads_backend(2, 3), lanes_backend(3), device_backend(*device, ensemble_.model())}) {
    SCOPED_TRACE(other.name);
    const Comparison comparison = compare(ensemble_, threads_backend(1, 0), {{other, recorded_samples}}).front();
    EXPECT_TRUE(comparison.equal()) << text_of(comparison);
    EXPECT_EQ(comparison.samples, recorded_samples);
  }
}

TEST_F(ComparedRecords, OfOneBitAreFound) {
  const Comparison comparison = compare_with([](RecordMemory& record) {
    double& energy = record.energy[30];  // of step 60
    energy = std::nextafter(energy, 1e9);
  });
  EXPECT_EQ(comparison.differing_samples, 1);
  EXPECT_EQ(comparison.largest_distance, 1);
  EXPECT_EQ(comparison.first_sample, wrong_recorded_sample);
  EXPECT_THAT(comparison.differing_fields, testing::ElementsAre(testing::Pair("step/energy", 1)));
  ASSERT_TRUE(comparison.first);
  EXPECT_EQ(comparison.first->step, 60);
  EXPECT_EQ(comparison.first->stage, "record");
  EXPECT_EQ(comparison.first->field, "step/energy");
  EXPECT_THAT(text_of(comparison), testing::HasSubstr("first in sample 3, step 60, stage record: step/energy[0]"));
}

TEST_F(ComparedRecords, OfContactsAndLcpsAreFoundInTheirStep) {
  const Comparison of_contacts = compare_with([](RecordMemory& record) {
    int first = 0;
    for (int e = 0; e < 35; ++e) first += record.entry_rows()[static_cast<std::size_t>(e)];
    const_cast<ContactRow&>(record.rows()[static_cast<std::size_t>(first)]).impulse_n *= 2;
  });
  ASSERT_TRUE(of_contacts.first);
  EXPECT_EQ(of_contacts.first->field, "contact/impulse_n");
  EXPECT_EQ(of_contacts.first->step, 70);
  const Comparison of_lcps = compare_with([](RecordMemory& record) {
    const std::size_t last = record.lcp_matrix().size() - 1;
    const_cast<double&>(record.lcp_matrix()[last]) += 1;
    const_cast<LcpRow&>(record.lcp_rows().back()).kind ^= 1;
  });
  EXPECT_THAT(of_lcps.differing_fields, testing::ElementsAre(testing::Pair("lcp/M", 1), testing::Pair("lcp/kind", 1)));
  ASSERT_TRUE(of_lcps.first);
  EXPECT_EQ(of_lcps.first->step, 60);
}

TEST_F(ComparedRecords, OfAnotherNumberOfContactsAreFound) {
  const Comparison comparison =
      compare_with([](RecordMemory& record) { const_cast<int&>(record.entry_rows()[35]) -= 1; });
  EXPECT_THAT(comparison.differing_fields, testing::ElementsAre(testing::Pair("contact/splits", 1)));
}

}  // namespace
}  // namespace jostle
