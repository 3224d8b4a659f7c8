// Recorded contacts and steps against the laws that they must obey, and their way into datasets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "drivers/datasets/shard_digest.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/datasets/virtual_view.hpp"
#include "drivers/sweeps/dataset_folder.hpp"
#include "drivers/sweeps/training_meta.hpp"
#include "tests/support/recorded_samples.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/write_shard.hpp"

namespace jostle {
namespace {

using test::of_small_shards;
using test::RecordCase;
using test::RecordedSamplesOf;

Eigen::Vector3d vector(const RealArray& values, std::size_t at) { return {values[at], values[at + 1], values[at + 2]}; }

/// A view of one entry of a shard.
struct Entry {
  const RecordedSamplesOf& of;
  const ShardData& shard;
  std::size_t sample, time;

  const std::vector<int>& bodies() const { return of.description.record.bodies; }
  std::size_t times() const { return of.description.record.time.size(); }
  /// Where the numbers of body b are, which is recorded.
  std::size_t body(std::size_t b) const {
    const auto found = std::find(bodies().begin(), bodies().end(), static_cast<int>(b));
    return (sample * times() + time) * bodies().size() + static_cast<std::size_t>(found - bodies().begin());
  }
  Eigen::Quaterniond turn(std::size_t b) const {
    const double* const q = shard.trajectories.q.doubles().data() + 7 * body(b) + 3;
    return {q[0], q[1], q[2], q[3]};
  }
  Eigen::Vector3d velocity(std::size_t b) const { return vector(shard.trajectories.v, 6 * body(b)); }
  Eigen::Vector3d spin(std::size_t b) const { return vector(shard.trajectories.v, 6 * body(b) + 3); }
  Eigen::Vector3d impulse(std::size_t b) const { return vector(shard.step_records.impulse, 6 * body(b)); }
  Eigen::Vector3d moment(std::size_t b) const { return vector(shard.step_records.impulse, 6 * body(b) + 3); }
  Eigen::Vector3d applied(std::size_t b) const { return vector(shard.step_records.applied, 6 * body(b)); }
  Eigen::Vector3d torque(std::size_t b) const { return vector(shard.step_records.applied, 6 * body(b) + 3); }
  std::size_t first_row() const {
    return static_cast<std::size_t>(shard.contacts.splits[sample * (times() + 1) + time]);
  }
  /// Whether events divide the step, so that its moments are in the axes of several poses.
  bool has_events() const {
    bool any = false;
    for (std::size_t row = first_row(); row < end_row(); ++row) any = any || shard.contacts.piece[row] > 0;
    return any;
  }
  std::size_t end_row() const {
    return static_cast<std::size_t>(shard.contacts.splits[sample * (times() + 1) + time + 1]);
  }
};

void for_each_step(const RecordedSamplesOf& of, const ShardData& shard, auto visit) {
  for (std::size_t s = 0; s < shard.trajectories.sample.size(); ++s)
    for (int t = 1; t <= shard.trajectories.valid_steps[s]; ++t)
      visit(Entry{of, shard, s, static_cast<std::size_t>(t)});
}

/// The impulse of a row on b of its pair, N s, world.
Eigen::Vector3d impulse_of(const ContactRecords& contacts, std::size_t row) {
  const Eigen::Vector3d n = vector(contacts.normal, 3 * row), t = vector(contacts.tangent, 3 * row);
  return contacts.impulse_n[row] * n + contacts.impulse_t[2 * row] * t + contacts.impulse_t[2 * row + 1] * n.cross(t);
}

class StepRecord : public testing::TestWithParam<RecordCase> {
 protected:
  const RecordedSamplesOf recorded_{GetParam()};
  const ShardData shard_ = recorded_.shard(GetParam().samples);
};

TEST_P(StepRecord, ImpulsesSumToTheChangeOfMomentum) {
  const Model& model = recorded_.ensemble.model();
  ASSERT_TRUE(model.joints.empty());
  Batch batch(model, 1);
  int touched = 0;
  for_each_step(recorded_, shard_, [&](const Entry& now) {
    const Entry before{now.of, now.shard, now.sample, now.time - 1};
    recorded_.ensemble.draw(static_cast<std::int64_t>(now.sample), batch, 0);
    load_system(batch, 0);
    for (const int number : now.bodies()) {
      const auto b = static_cast<std::size_t>(number);
      const double m = batch.parameters(0).mass[b];
      const Eigen::Vector3d change = m * (now.velocity(b) - before.velocity(b));
      const double size = m * now.velocity(b).norm() + m * before.velocity(b).norm() + now.impulse(b).norm();
      EXPECT_LE((change - now.impulse(b) - now.applied(b)).norm(), 1e-12 * size + 1e-18);
      touched += now.impulse(b).norm() > 0;
      const bool has_stages = facts_of(model.method).has_stages;
      if (model.method != method_named("stewart_trinkle") && (!has_stages || now.has_events())) continue;
      const Eigen::Vector3d J = vector_at(batch.parameters(0).inertia, number);
      const Eigen::Vector3d turning =
          J.cwiseProduct(now.turn(b).conjugate() * now.spin(b) - before.turn(b).conjugate() * before.spin(b));
      const Eigen::Vector3d acting = (has_stages ? now : before).turn(b).conjugate() * (now.moment(b) + now.torque(b));
      constexpr double lever = 0.1;  // m: moments of contacts may cancel each other
      const double turn_size =
          J.maxCoeff() * (now.spin(b).norm() + before.spin(b).norm()) + lever * now.impulse(b).norm();
      // The projection that takes an overlap of nanometres away turns the axes of the end a little.
      const double rounding = has_stages ? 1e-10 : 1e-12;
      EXPECT_LE((turning - acting).norm(), rounding * turn_size + 1e-18);
    }
  });
  EXPECT_GT(touched, 0);
}

TEST_P(StepRecord, ImpulsesOfBodiesAreThoseOfTheRows) {
  const Model& model = recorded_.ensemble.model();
  const ContactRecords& contacts = shard_.contacts;
  for_each_step(recorded_, shard_, [&](const Entry& now) {
    std::vector<Eigen::Vector3d> sum(model.bodies.size(), Eigen::Vector3d::Zero());
    double size = 0;
    for (std::size_t row = now.first_row(); row < now.end_row(); ++row) {
      const PairModel& pair = model.pairs[static_cast<std::size_t>(contacts.pair[row])];
      const Eigen::Vector3d P = impulse_of(contacts, row);
      sum[static_cast<std::size_t>(model.shapes[pair.shape_b].body)] += P;
      sum[static_cast<std::size_t>(model.shapes[pair.shape_a].body)] -= P;
      size += P.norm();
    }
    for (const int number : now.bodies()) {
      const auto b = static_cast<std::size_t>(number);
      EXPECT_LE((sum[b] - now.impulse(b)).norm(), 1e-13 * size);
    }
  });
}

TEST_P(StepRecord, ModesAgreeWithImpulseAndSlip) {
  const ContactRecords& contacts = shard_.contacts;
  Batch batch(recorded_.ensemble.model(), 1);
  const bool is_polygon = recorded_.ensemble.scenario().world.friction_cone == FrictionCone::polygon;
  const int k = recorded_.ensemble.scenario().world.friction_directions;
  const bool turns = facts_of(recorded_.ensemble.model().method).has_stages;  // with the normals, by h |v| / R
  const double inner = k == 2 || !is_polygon ? 1.0 : std::cos(std::acos(-1.0) / k);
  constexpr double rounding = 1e-13;  // N s, 1e-11 of the impulse of a body's weight
  int modes[3] = {0, 0, 0};
  for_each_step(recorded_, shard_, [&](const Entry& now) {
    recorded_.ensemble.draw(static_cast<std::int64_t>(now.sample), batch, 0);
    load_system(batch, 0);
    for (std::size_t row = now.first_row(); row < now.end_row(); ++row) {
      const double n = contacts.impulse_n[row], x = contacts.impulse_t[2 * row], y = contacts.impulse_t[2 * row + 1];
      const double slip = std::hypot(contacts.slip[2 * row], contacts.slip[2 * row + 1]);
      const double bound = batch.parameters(0).friction[contacts.pair[row]] * n, friction = std::hypot(x, y);
      const int mode = contacts.mode[row] & 3;
      ASSERT_LT(mode, 3);
      ++modes[mode];
      EXPECT_GE(n, 0);
      double largest = 0;  // of the piece: less than 1e-12 of it is nothing
      for (std::size_t i = now.first_row(); i < now.end_row(); ++i)
        if (contacts.piece[i] == contacts.piece[row]) largest = std::max<double>(largest, contacts.impulse_n[i]);
      if (mode == contact_is_open) {
        EXPECT_LE(n, 1e-12 * largest);
      } else {
        EXPECT_GT(n, 1e-12 * largest);
      }
      EXPECT_LE(friction, turns ? 0.02 * n : bound * (1 + 1e-9) + rounding);
      if (mode == contact_sticks) {
        EXPECT_LE(slip, sticking_speed);
      } else if (mode == contact_slips) {
        EXPECT_GT(slip, sticking_speed);
        const bool is_restored = facts_of(recorded_.ensemble.model().method).has_impacts &&
                                 batch.parameters(0).restitution[contacts.pair[row]] > 0;
        if (is_restored || turns || bound < rounding) continue;  // of an impact, the slip is that after it
        const double power = x * contacts.slip[2 * row] + y * contacts.slip[2 * row + 1];
        EXPECT_LE(power, 1e-12 * bound * slip) << "friction opposes slip";
        if (slip > 1e-6) {
          EXPECT_GE(friction, bound * inner * (1 - 1e-9)) << "and is as large as it can be";
        }
      }
    }
  });
  EXPECT_GT(modes[1] + modes[2], 0);
}

TEST_P(StepRecord, IsTheSameForAnyBatchTeamAndWhetherRestIsComputed) {
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

INSTANTIATE_TEST_SUITE_P(
    Scenarios, StepRecord,
    testing::Values(RecordCase{"CubeToss", "cube_toss", {"record.quantities=[cube.position.z, 'gap(cube, table)']"}, 6},
                    RecordCase{"Stack", "box_stack", {"world.duration=0.3"}, 2},
                    RecordCase{"Circle", "cube_toss", {"world.friction_cone=circle"}},
                    RecordCase{"Vertex", "cube_toss", {"world.multipliers=vertex"}},
                    RecordCase{"FixedPoint", "cube_toss", {"world.linearisation=fixed_point"}},
                    RecordCase{"Plane", "rod", {"world.duration=0.8"}},
                    RecordCase{"Impacts", "cube_toss", {"world.method=anitescu_potra"}},
                    RecordCase{"Trapezoidal", "oblique_balls", {"world.duration=0.5"}, 2},
                    RecordCase{"Stages", "smooth_dome", {}, 3},
                    RecordCase{"StagesOfABox",
                               "tossed_box",
                               {"world.method=loetstedt", "contacts[0].friction=0", "world.duration=0.6"}},
                    RecordCase{"StagesInAPlane",
                               "bouncing_ball",
                               {"world.method=loetstedt", "world.impact.law=newton", "world.duration=1.5"},
                               2}),
    [](const auto& test_case) { return test_case.param.name; });

// --- uniqueness

/// What is placed on a plane for one step.
struct Placed {
  std::string name, body;
  int rows;    ///< of contacts
  int shared;  ///< of these, whose impulses are not unique
};

class Uniqueness : public testing::TestWithParam<Placed> {};

std::string placed_scenario(const std::string& body, const std::string& multipliers) {
  return "jostle: 1\nworld: {step: 0.01, duration: 0.01, friction_directions: 8, multipliers: " + multipliers +
         "}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  body: " + body +
         "\ncontacts: [{between: any, friction: 0.5}]\nrecord: {trajectories: all, contacts: true}\n";
}

ShardData placed_shard(const std::string& body, const std::string& multipliers) {
  const Ensemble ensemble(parse_scenario(placed_scenario(body, multipliers), "placed.yaml"));
  const DatasetDescription description = describe(ensemble);
  return SimulationProducer(ensemble, description, threads_backend(1, 0), 1).produce(0, 1, {}, test::never).value();
}

TEST_P(Uniqueness, IsMarkedWhereOtherImpulsesGiveTheSameMotion) {
  const ShardData least = placed_shard(GetParam().body, "least_norm"), vertex = placed_shard(GetParam().body, "vertex");
  const auto is_marked = [](std::uint8_t mode) { return (mode & contact_not_unique) != 0; };
  EXPECT_EQ(least.contacts.rows(), GetParam().rows);
  EXPECT_EQ(std::count_if(least.contacts.mode.begin(), least.contacts.mode.end(), is_marked), GetParam().shared);
  ASSERT_EQ(vertex.contacts.feature, least.contacts.feature);
  for (std::size_t row = 0; row < least.contacts.mode.size(); ++row)
    if (!is_marked(least.contacts.mode[row])) {
      EXPECT_FALSE(is_marked(vertex.contacts.mode[row]));
      EXPECT_LE((impulse_of(least.contacts, row) - impulse_of(vertex.contacts, row)).norm(), 1e-12);
    } else {
      EXPECT_TRUE(is_marked(vertex.contacts.mode[row]));
    }
}

// The lower ends of bodies lie on the plane. A corner at sqrt(3)/2 edges, an edge at sqrt(2)/2.
INSTANTIATE_TEST_SUITE_P(
    Bodies, Uniqueness,
    testing::Values(
        Placed{"CubeAtRest", "{mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.1]}", 4, 4},
        Placed{"CubeOnAnEdge",
               "{mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.14142135623730953], "
               "rotation: {axis: [1, 0, 0], degrees: 45}}",
               2, 2},
        Placed{"CubeOnACorner",
               "{mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.17320508075688773], "
               "rotation: {axis: [1, -1, 0], degrees: 54.735610317245346}}",
               1, 0},
        Placed{"SlidingCube",
               "{mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.1], velocity: [1, 0, 0]}", 4, 4},
        Placed{"Ball", "{mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}", 1, 0},
        Placed{"Dumbbell",
               "{mass: 1, inertia: [0.1, 0.1, 0.1], shapes: [{sphere: {radius: 0.1}, position: [0.3, 0, 0]}, "
               "{sphere: {radius: 0.1}, position: [-0.3, 0, 0]}], position: [0, 0, 0.1]}",
               2, 2},
        Placed{"Tripod",
               "{mass: 1, inertia: [0.1, 0.1, 0.1], shapes: [{sphere: {radius: 0.1}, position: [0.3, 0, 0]}, "
               "{sphere: {radius: 0.1}, position: [-0.2, 0.2, 0]}, {sphere: {radius: 0.1}, position: [-0.2, -0.2, 0]}],"
               " position: [0, 0, 0.1], velocity: [1, 0, 0]}",
               3, 0}),
    [](const auto& test_case) { return test_case.param.name; });

// --- datasets

TEST(RecordedContacts, ThatNeedMoreMemoryThanUsualAreAllThere) {
  const RecordedSamplesOf recorded({"", "box_stack", {"world.duration=0.5"}});
  const ShardData shard = recorded.shard(1);
  EXPECT_GT(shard.contacts.rows(), 16 * recorded.ensemble.model().usual_contacts());
  int contacts = 0;
  for_each_step(recorded, shard, [&](const Entry& now) {
    contacts += shard.step_records.contacts[now.sample * now.times() + now.time];
  });
  EXPECT_EQ(shard.contacts.rows(), contacts) << "one piece each step";
}

TEST(RecordedContacts, WithAStrideAreThoseOfEveryStep) {
  const RecordedSamplesOf all({"", "cube_toss", {}}), some({"", "cube_toss", {"record.stride=5"}});
  const ShardData each = all.shard(3), fifth = some.shard(3);
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t e = 0; e < some.description.record.time.size(); ++e) {
      const Entry few{some, fifth, s, e}, same{all, each, s, std::min<std::size_t>(5 * e, 118)};
      ASSERT_EQ(few.end_row() - few.first_row(), same.end_row() - same.first_row()) << s << " " << e;
      for (std::size_t i = 0; i < few.end_row() - few.first_row(); ++i)
        EXPECT_EQ(fifth.contacts.impulse_n[few.first_row() + i], each.contacts.impulse_n[same.first_row() + i]);
      EXPECT_EQ(few.impulse(1), same.impulse(1));
    }
}

TEST(RecordedParameters, AreThereOnceUnlessTheyVary) {
  const RecordedSamplesOf recorded({"", "tossed_box", {"world.duration=0.1"}});
  const ShardData shard = recorded.shard(3);
  int varying = 0;
  for (std::size_t i = 0; i < recorded.description.record.parameters.size(); ++i) {
    const ParameterInfo& info = recorded.description.record.parameters[i];
    EXPECT_EQ(info.varies, info.name == "friction");
    varying += info.varies;
    if (info.varies) {
      EXPECT_EQ(test::numbers_of(shard.parameters[i]), shard.variables[0]);
    }
    if (info.name == "mass") {
      EXPECT_THAT(info.constant, testing::ElementsAre(0.5));
    }
  }
  EXPECT_EQ(varying, 1);
}

TEST(RecordedDataset, IsReadAsItWasWrittenAndItsViewHasAllRows) {
  std::map<std::int64_t, std::vector<double>> precise_slip;  // by the number of samples
  for (const char* dtype : {"f8", "f4"}) {
    const RecordedSamplesOf recorded(
        {"", "cube_toss", {std::string("record.dtype=") + dtype, "record.quantities=[energy, cube.position.z]"}});
    const DatasetDescription description = of_small_shards(recorded.description);
    const test::ScratchFolder folder;
    std::filesystem::create_directories(folder / "shards");
    for (const ShardRange& range : shard_ranges(description, 10)) {
      ShardData shard = recorded.shard(static_cast<int>(range.count), threads_backend(1, 0), 3, range.first);
      write_shard(folder / shard_name(range.index), description, shard);
      EXPECT_TRUE(verify_shard(folder / shard_name(range.index), description, range.first, range.count));
      const ShardData again = ShardReader(folder / shard_name(range.index)).read(description);
      EXPECT_EQ(again.contacts.impulse_t, shard.contacts.impulse_t);
      EXPECT_EQ(again.contacts.splits, shard.contacts.splits);
      EXPECT_EQ(again.step_records.quantities, shard.step_records.quantities);
    }
    for (const std::int64_t n : {10, 6, 3}) {  // of three shards, two, and one
      write_virtual_view(folder.path(), description, shard_ranges(description, n));
      ShardData whole = recorded.shard(static_cast<int>(n));
      const hdf5::Handle file = hdf5::open_for_reading((folder / "run.h5").string());
      std::vector<std::int64_t> splits(whole.contacts.splits.size());
      hdf5::read_dataset(file, "contact/splits", H5T_NATIVE_INT64, splits.data());
      EXPECT_EQ(splits, whole.contacts.splits);
      std::vector<double> slip(whole.contacts.slip.size());
      ASSERT_EQ(hdf5::extents_of(file, "contact/slip").at(0), static_cast<hsize_t>(whole.contacts.rows()));
      hdf5::read_dataset(file, "contact/slip", H5T_NATIVE_DOUBLE, slip.data());
      EXPECT_EQ(slip, test::numbers_of(whole.contacts.slip));
      if (!description.record.single) precise_slip[n] = slip;
      for (std::size_t i = 0; description.record.single && i < slip.size(); ++i)
        EXPECT_EQ(slip[i], static_cast<double>(static_cast<float>(precise_slip[n].at(i))));
      std::vector<double> height(whole.step_records.quantities[1].size());
      hdf5::read_dataset(file, "step/cube.position.z", H5T_NATIVE_DOUBLE, height.data());
      EXPECT_EQ(height, test::numbers_of(whole.step_records.quantities[1]));
    }
  }
}

TEST(Split, GivesAboutThePartToTrainingAndIsKnownByHand) {
  int training = 0;
  for (int i = 0; i < 10000; ++i) training += split_of(i) < training_part;
  EXPECT_NEAR(training, 9000, 100);
  EXPECT_EQ(split_of(0), static_cast<double>(0xE220A8397B1DCDAFu >> 11) / 9007199254740992.0);  // splitmix64's first
}

// Shards record the first of their own; a view has the first of all.
TEST(VirtualView, HasTheFirstOfAllShards) {
  DatasetDescription description;
  description.record.which = RecordSettings::Which::where;
  description.record.first_where = 3;
  const std::vector<std::int64_t> first = {2, 5}, second = {100, 101, 103};
  EXPECT_EQ(rows_below(description, first, {0, 0, 100}, 0), 2);
  EXPECT_EQ(rows_below(description, second, {1, 100, 100}, 2), 1);
  EXPECT_EQ(rows_below(description, second, {2, 200, 100}, 3), 0);
  description.record.first_where = 0;
  EXPECT_EQ(rows_below(description, second, {1, 100, 2}, 2), 2) << "of a part of the shard";
}

}  // namespace
}  // namespace jostle
