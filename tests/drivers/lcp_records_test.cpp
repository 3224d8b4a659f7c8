// Recorded LCPs against what they must obey, and their way into datasets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "core/lcp/certificate.hpp"
#include "core/team.hpp"
#include "drivers/datasets/shard_digest.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/datasets/virtual_view.hpp"
#include "drivers/devices/step_channels.hpp"
#include "tests/support/recorded_samples.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/write_shard.hpp"

namespace jostle {
namespace {

using test::of_small_shards;
using test::RecordCase;
using test::RecordedSamplesOf;

/// One of the LCPs of a shard.
struct RecordedLcp {
  std::size_t sample, time;  ///< entry
  std::size_t first;         ///< row
  Eigen::MatrixXd M;
  Eigen::VectorXd q, z;
};

void for_each_lcp(const RecordedSamplesOf& of, const ShardData& shard, auto visit) {
  const std::size_t times = of.description.record.lcp_time.size();
  const LcpRecords& lcps = shard.lcps;
  for (std::size_t s = 0; s < shard.trajectories.sample.size(); ++s)
    for (std::size_t t = 0; t < times; ++t) {
      const std::size_t at = s * (times + 1) + t;
      auto number = lcps.matrix_splits[at];
      for (auto row = lcps.splits[at]; row < lcps.splits[at + 1];) {
        const auto first = static_cast<std::size_t>(row);
        const std::int64_t n = lcps.size[first];
        using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        visit(RecordedLcp{s, t, first, Eigen::Map<const Rows>(lcps.matrix.doubles().data() + number, n, n),
                          Eigen::Map<const Eigen::VectorXd>(lcps.q.doubles().data() + first, n),
                          Eigen::Map<const Eigen::VectorXd>(lcps.z.doubles().data() + first, n)});
        row += n, number += n * n;
      }
      EXPECT_EQ(number, lcps.matrix_splits[at + 1]);
    }
}

/// The equilibration of contact LCPs: of each impulse from its own entry of M, and of a slip speed that of its contact.
Eigen::VectorXd scale_of(const LcpRecords& lcps, const RecordedLcp& lcp) {
  const auto n = lcp.q.size();
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(n);
  const auto owner = [&](Eigen::Index i) {
    const std::size_t row = lcp.first + static_cast<std::size_t>(i);
    return std::pair(lcps.contact[row], lcps.joint[row]);
  };
  std::map<std::pair<int, int>, double> of_owner;
  for (Eigen::Index i = 0; i < n; ++i)
    if (lcp.M(i, i) > 0) of_owner.try_emplace(owner(i), 1 / std::sqrt(lcp.M(i, i)));
  for (Eigen::Index i = 0; i < n; ++i) scale[i] = lcp.M(i, i) > 0 ? of_owner[owner(i)] : 1 / of_owner[owner(i)];
  return scale;
}

class LcpRecord : public testing::TestWithParam<RecordCase> {
 protected:
  static RecordCase with_lcps(RecordCase of) {
    of.set.insert(of.set.begin(), "record.lcp.every=1");
    return of;
  }
  /// What residuals are compared with: q' and, where an LCP is about changes of velocity, these at 1 m/s.
  double size_of(const RecordedLcp& lcp, const Eigen::VectorXd& scale) const {
    const double size = lcp.q.cwiseProduct(scale).lpNorm<Eigen::Infinity>();
    return facts_of(recorded_.ensemble.model().method).has_impacts ? std::max(size, scale.minCoeff()) : size;
  }

  const RecordedSamplesOf recorded_{with_lcps(GetParam())};
  const ShardData shard_ = recorded_.shard(GetParam().samples);
};

TEST_P(LcpRecord, AnswersItsLcp) {
  int answers = 0;
  for_each_lcp(recorded_, shard_, [&](const RecordedLcp& lcp) {
    const Eigen::VectorXd scale = scale_of(shard_.lcps, lcp), w = lcp.M * lcp.z + lcp.q;
    const double size = size_of(lcp, scale);
    for (Eigen::Index i = 0; i < w.size(); ++i)
      EXPECT_LE(std::fabs(std::min(lcp.z[i] / scale[i], w[i] * scale[i])), 1e-12 * size) << i;
    answers += lcp.z.maxCoeff() > 0;
  });
  EXPECT_GT(answers, 0);
}

// With redundant contacts the columns of the basis depend on each other, and z is one of many answers.
TEST_P(LcpRecord, HasABasisThatReproducesIt) {
  int reproduced = 0;
  for_each_lcp(recorded_, shard_, [&](const RecordedLcp& lcp) {
    const Eigen::VectorXd scale = scale_of(shard_.lcps, lcp);
    std::vector<Eigen::Index> basic;
    for (Eigen::Index i = 0; i < lcp.q.size(); ++i) {
      const bool is_basic = shard_.lcps.basis[lcp.first + static_cast<std::size_t>(i)] != 0;
      EXPECT_EQ(is_basic, lcp.z[i] > 0);
      EXPECT_GE(lcp.z[i], -1e-12 * size_of(lcp, scale) * scale[i]);
      if (is_basic) basic.push_back(i);
    }
    if (basic.empty()) return;
    const Eigen::MatrixXd M = scale(basic).asDiagonal() * lcp.M(basic, basic) * scale(basic).asDiagonal();
    const Eigen::VectorXd z = lcp.z(basic).cwiseQuotient(scale(basic)), q = lcp.q(basic).cwiseProduct(scale(basic));
    EXPECT_LE((M * z + q).lpNorm<Eigen::Infinity>(), 1e-12 * size_of(lcp, scale));
    Eigen::FullPivLU<Eigen::MatrixXd> lu(M);
    lu.setThreshold(1e-5);
    if (!lu.isInvertible()) return;
    EXPECT_LE((lu.solve(-q) - z).norm(), 1e-7 * (z.norm() + size_of(lcp, scale)));
    ++reproduced;
  });
  EXPECT_EQ(reproduced > 0, GetParam().name != "Stack") << "boxes that lie on each other are redundant in every step";
}

TEST_P(LcpRecord, LabelsTheUnknowns) {
  const LcpRecords& lcps = shard_.lcps;
  const Model& model = recorded_.ensemble.model();
  for (std::size_t row = 0; row < lcps.size.size(); ++row) {
    const auto kind = static_cast<LcpKind>(lcps.kind[row]);
    const Eigen::Vector3d d(lcps.direction[3 * row], lcps.direction[3 * row + 1], lcps.direction[3 * row + 2]);
    const bool has_direction = kind == LcpKind::friction || kind == LcpKind::normal;
    EXPECT_NEAR(d.norm(), has_direction ? 1 : 0, 1e-14);
    EXPECT_EQ(lcps.contact[row] < 0, lcps.joint[row] >= 0);
    EXPECT_EQ(lcps.contact[row] < 0, lcps.pair[row] < 0);
    EXPECT_LT(lcps.pair[row], static_cast<int>(model.pairs.size()));
    EXPECT_LT(lcps.joint[row], static_cast<int>(model.joints.size()));
    EXPECT_TRUE(kind <= LcpKind::slip_speed || lcps.joint[row] >= 0);
  }
}

// The impulses of the last LCP of a piece are those of its contacts; with events a contact has the sum of two.
TEST_P(LcpRecord, HasTheImpulsesOfTheContacts) {
  const WorldSpec& world = recorded_.ensemble.scenario().world;
  if (facts_of(recorded_.ensemble.model().method).has_impacts || world.friction_cone == FrictionCone::circle) return;
  const LcpRecords& lcps = shard_.lcps;
  const ContactRecords& contacts = shard_.contacts;
  const std::size_t times = recorded_.description.record.time.size();
  int compared = 0;
  for (std::size_t s = 0; s < shard_.trajectories.sample.size(); ++s)
    for (std::size_t t = 0; t < times; ++t) {
      const std::size_t at = s * (times + 1) + t;
      std::map<std::pair<int, int>, std::size_t> first_of_contact;  // row of (piece, number)
      std::map<int, int> counted;
      for (auto r = static_cast<std::size_t>(contacts.splits[at]);
           r < static_cast<std::size_t>(contacts.splits[at + 1]); ++r)
        first_of_contact[{contacts.piece[r], counted[contacts.piece[r]]++}] = r;
      std::map<std::pair<int, int>, Eigen::Vector3d> impulse;  // of the last LCP that has the contact
      std::map<std::pair<int, int>, int> problem;
      for (auto r = static_cast<std::size_t>(lcps.splits[at]); r < static_cast<std::size_t>(lcps.splits[at + 1]); ++r) {
        if (lcps.contact[r] < 0) continue;
        const std::pair key(lcps.piece[r], lcps.contact[r]);
        if (!problem.contains(key) || problem[key] != lcps.problem[r]) impulse[key] = Eigen::Vector3d::Zero();
        problem[key] = lcps.problem[r];
        if (static_cast<LcpKind>(lcps.kind[r]) != LcpKind::slip_speed)
          impulse[key] += lcps.z[r] * Eigen::Map<const Eigen::Vector3d>(lcps.direction.doubles().data() + 3 * r);
      }
      ASSERT_EQ(impulse.size(), first_of_contact.size()) << s << " " << t;
      for (const auto& [key, P] : impulse) {
        const std::size_t r = first_of_contact.at(key);
        const Eigen::Vector3d n = Eigen::Map<const Eigen::Vector3d>(contacts.normal.doubles().data() + 3 * r),
                              t1 = Eigen::Map<const Eigen::Vector3d>(contacts.tangent.doubles().data() + 3 * r);
        const Eigen::Vector3d told =
            contacts.impulse_n[r] * n + contacts.impulse_t[2 * r] * t1 + contacts.impulse_t[2 * r + 1] * n.cross(t1);
        EXPECT_LE((P - told).norm(), 1e-13 * (1 + told.norm())) << s << " " << t;
        ++compared;
      }
    }
  EXPECT_EQ(compared > 0, contacts.rows() > 0);
}

TEST_P(LcpRecord, IsTheSameForAnyBatchTeamAndWhetherRestIsComputed) {
  const std::string expected = shard_digest(recorded_.description, shard_);
  const int count = GetParam().samples;
  EXPECT_EQ(shard_digest(recorded_.description, recorded_.shard(count, threads_backend(2, 0), 1)), expected);
  EXPECT_EQ(shard_digest(recorded_.description, recorded_.shard(count, lanes_backend(4), 2)), expected);
  Scenario every = recorded_.ensemble.scenario();
  every.world.every_step = true;
  const Ensemble ensemble(every);
  SimulationProducer producer(ensemble, recorded_.description, threads_backend(1, 0), 3);
  EXPECT_EQ(shard_digest(recorded_.description, producer.produce(0, count, {}, test::never).value()), expected);
}

TEST_P(LcpRecord, ChangesNoOtherRecord) {
  const RecordedSamplesOf without(GetParam());
  const ShardData plain = without.shard(GetParam().samples);
  EXPECT_EQ(plain.trajectories.q, shard_.trajectories.q);
  EXPECT_EQ(plain.contacts.impulse_n, shard_.contacts.impulse_n);
  EXPECT_EQ(plain.contacts.mode, shard_.contacts.mode);
  EXPECT_EQ(plain.pivoted, shard_.pivoted);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, LcpRecord,
                         testing::Values(RecordCase{"CubeToss", "cube_toss", {}, 6},
                                         RecordCase{"Stack", "box_stack", {"world.duration=0.3"}, 2},
                                         RecordCase{"Vertex", "cube_toss", {"world.multipliers=vertex"}},
                                         RecordCase{"Lemke", "cube_toss", {"world.solver=lemke"}},
                                         RecordCase{"FixedPoint", "cube_toss", {"world.linearisation=fixed_point"}},
                                         RecordCase{"Circle", "cube_toss", {"world.friction_cone=circle"}},
                                         RecordCase{"Plane", "rod", {"world.duration=0.8"}},
                                         RecordCase{"Joint", "door", {}, 2},
                                         RecordCase{"Impacts", "cube_toss", {"world.method=anitescu_potra"}},
                                         RecordCase{"Stages", "smooth_dome", {}, 2},
                                         RecordCase{"StagesOfJoints", "swinging_chain", {"world.duration=0.5"}, 2}),
                         [](const auto& test_case) { return test_case.param.name; });

// The impulse of a contact is the integral of the forces of its stages, and what the projection changes.
TEST(RecordedLcps, OfStagesExplainTheImpulsesOfContacts) {
  const RecordedSamplesOf recorded(
      {"", "smooth_dome", {"record.lcp.every=1", "world.duration=0.5", "variables.a=0.4"}});
  const ShardData shard = recorded.shard(1);
  const LcpRecords& lcps = shard.lcps;
  const ContactRecords& contacts = shard.contacts;
  const double h = recorded.ensemble.model().step;
  std::map<std::size_t, Eigen::Vector3d> impulse;  // of the stages, by entry
  std::map<std::size_t, double> pressed, last;
  std::map<std::size_t, int> stages;
  for_each_lcp(recorded, shard, [&](const RecordedLcp& lcp) {
    const Eigen::Map<const Eigen::Vector3d> n(lcps.direction.doubles().data() + 3 * lcp.first);
    const int stage = lcps.stage[lcp.first];
    ASSERT_EQ(lcp.z.size(), 1);
    EXPECT_EQ(stage, (stages[lcp.time] + 1) % 5) << "four stages, and the projection";
    stages[lcp.time] = stage;
    if (!impulse.contains(lcp.time)) impulse[lcp.time] = Eigen::Vector3d::Zero();
    const double weight = h / 6 * (stage == 2 || stage == 3 ? 2 : 1);
    if (stage > 0) pressed[lcp.time] += weight * lcp.z[0], last[lcp.time] = lcp.z[0];
    const double held = last[lcp.time] > 0 ? pressed[lcp.time] : 0.0;
    impulse[lcp.time] += (stage > 0 ? weight * lcp.z[0] : lcp.z[0] - held) * n;
  });
  int compared = 0;
  for (const auto& [time, P] : impulse) {
    const auto r = static_cast<std::size_t>(contacts.splits[time]);
    ASSERT_EQ(contacts.splits[time + 1] - contacts.splits[time], 1);
    const Eigen::Vector3d n = Eigen::Map<const Eigen::Vector3d>(contacts.normal.doubles().data() + 3 * r),
                          t1 = Eigen::Map<const Eigen::Vector3d>(contacts.tangent.doubles().data() + 3 * r);
    const Eigen::Vector3d told =
        contacts.impulse_n[r] * n + contacts.impulse_t[2 * r] * t1 + contacts.impulse_t[2 * r + 1] * n.cross(t1);
    EXPECT_LE((P - told).norm(), 1e-15) << time;
    compared += P.norm() > 0;
  }
  EXPECT_GT(compared, 50);
}

TEST(RecordedLcps, OfEveryTenthStepAreThoseOfAllSteps) {
  const RecordedSamplesOf all({"", "cube_toss", {"record.lcp.every=1"}}),
      some({"", "cube_toss", {"record.lcp.every=10"}});
  const ShardData each = all.shard(3), tenth = some.shard(3);
  EXPECT_EQ(some.description.record.lcp_time.size(), 12u);  // 118 steps
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> expected;
  for_each_lcp(all, each, [&](const RecordedLcp& lcp) {
    if (lcp.time % 10 == 0)
      expected[{lcp.sample, lcp.time / 10}].insert(expected[{lcp.sample, lcp.time / 10}].end(), lcp.z.data(),
                                                   lcp.z.data() + lcp.z.size());
  });
  EXPECT_FALSE(expected.empty());
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> found;
  for_each_lcp(some, tenth, [&](const RecordedLcp& lcp) {
    found[{lcp.sample, lcp.time}].insert(found[{lcp.sample, lcp.time}].end(), lcp.z.data(),
                                         lcp.z.data() + lcp.z.size());
  });
  EXPECT_EQ(found, expected);
}

TEST(RecordedLcps, AreThoseThatARunDumps) {
  const RecordedSamplesOf recorded({"", "rod", {"record.lcp.every=1", "world.linearisation=fixed_point"}});
  const ShardData shard = recorded.shard(1);
  std::vector<double> M, q;
  Scenario every = recorded.ensemble.scenario();
  every.world.every_step = true;  // a record has the LCPs of steps at rest, too
  const Ensemble ensemble(every);
  Batch batch(ensemble.model(), 1);
  ensemble.draw(0, batch, 0);
  const ChannelObservers observers{[&](const StepLcp& lcp) {
                                     M.insert(M.end(), lcp.lcp.M.begin(), lcp.lcp.M.end());
                                     q.insert(q.end(), lcp.lcp.q.begin(), lcp.lcp.q.end());
                                   },
                                   {}};
  run_with_channels(every, batch, observers, [](const System&, const Workspace&, const StepResult&) {});
  EXPECT_FALSE(q.empty());
  EXPECT_EQ(test::numbers_of(shard.lcps.matrix), M);
  EXPECT_EQ(test::numbers_of(shard.lcps.q), q);
}

TEST(RecordedLcps, AreReadAsTheyWereWrittenAndTheirViewHasAll) {
  for (const char* dtype : {"f8", "f4"}) {
    const RecordedSamplesOf recorded(
        {"", "cube_toss", {std::string("record.dtype=") + dtype, "record.lcp.every=10", "record.contacts=false"}});
    const DatasetDescription description = of_small_shards(recorded.description);
    const test::ScratchFolder folder;
    std::filesystem::create_directories(folder / "shards");
    for (const ShardRange& range : shard_ranges(description, 10)) {
      ShardData shard = recorded.shard(static_cast<int>(range.count), threads_backend(1, 0), 3, range.first);
      write_shard(folder / shard_name(range.index), description, shard);
      EXPECT_TRUE(verify_shard(folder / shard_name(range.index), description, range.first, range.count));
      const ShardData again = ShardReader(folder / shard_name(range.index)).read(description);
      EXPECT_EQ(again.lcps.splits, shard.lcps.splits);
      EXPECT_EQ(again.lcps.matrix_splits, shard.lcps.matrix_splits);
      EXPECT_EQ(again.lcps.matrix, shard.lcps.matrix);
      EXPECT_EQ(again.lcps.basis, shard.lcps.basis);
      EXPECT_EQ(again.lcps.direction, shard.lcps.direction);
    }
    for (const std::int64_t n : {10, 6, 3}) {  // of three shards, two, and one
      write_virtual_view(folder.path(), description, shard_ranges(description, n));
      ShardData whole = recorded.shard(static_cast<int>(n));
      const hdf5::Handle file = hdf5::open_for_reading((folder / "run.h5").string());
      std::vector<std::int64_t> splits(whole.lcps.splits.size());
      hdf5::read_dataset(file, "lcp/M_splits", H5T_NATIVE_INT64, splits.data());
      EXPECT_EQ(splits, whole.lcps.matrix_splits);
      for (const auto& [name, expected] : {std::pair("lcp/M", &whole.lcps.matrix), std::pair("lcp/z", &whole.lcps.z)}) {
        std::vector<double> values(expected->size());
        ASSERT_EQ(hdf5::extents_of(file, name).at(0), values.size()) << name;
        hdf5::read_dataset(file, name, H5T_NATIVE_DOUBLE, values.data());
        EXPECT_EQ(values, test::numbers_of(*expected)) << name;
      }
    }
  }
}

}  // namespace
}  // namespace jostle
