#include "tests/support/fake_producer.hpp"

#include <algorithm>

#include "core/status.hpp"

namespace jostle::test {

DatasetDescription fake_description(RecordSettings::Which which, std::int64_t trajectories, int times) {
  DatasetDescription description;
  description.scenario = "jostle: 1\ntitle: fake\n";
  description.scenario_yaml = description.scenario + "sample: {count: 100}\n";
  description.seed = 7;
  description.sampler = "sobol";
  description.method = "stewart_trinkle";
  description.step = 0.25;
  description.bodies = {"table", "rod"};
  description.variables = {"mu", "bodies.rod.spin[2]"};
  description.outcomes = {{"lies", OutcomeInfo::Kind::truth, "at_end", "rod.position.y < 0.05", ""},
                          {"rest_x", OutcomeInfo::Kind::number, "at_end", "rod.position.x", "m"},
                          {"hit", OutcomeInfo::Kind::first_time, "first_time", "rod.normal_impulse > 0", "s"}};
  description.record.which = which;
  description.record.trajectories = trajectories;
  for (int i = 0; i < times && which != RecordSettings::Which::none; ++i)
    description.record.time.push_back(description.step * i);
  return description;
}

namespace {

bool fails(std::int64_t sample) { return sample % 100 == 50; }

bool is_recorded(const RecordSettings& record, std::int64_t sample) {
  switch (record.which) {
    case RecordSettings::Which::none: return false;
    case RecordSettings::Which::first: return sample < record.trajectories;
    case RecordSettings::Which::all: return true;
    case RecordSettings::Which::failures: return fails(sample);
    case RecordSettings::Which::listed: return std::binary_search(record.list.begin(), record.list.end(), sample);
    case RecordSettings::Which::where: return false;  // nothing is evaluated here
  }
  return false;
}

/// State number k of the sample is sample + k/1000; a failed sample took one step.
void record_trajectory(const DatasetDescription& description, std::int64_t sample, Trajectories& trajectories) {
  const int times = static_cast<int>(description.record.time.size());
  const int bodies = static_cast<int>(description.bodies.size());
  const int valid = fails(sample) ? 1 : times - 1;
  trajectories.sample.push_back(sample);
  trajectories.valid_steps.push_back(valid);
  const auto append = [&](int each, double slope, RealArray& to) {
    std::vector<double> values;
    for (int k = 0; k < times * bodies * each; ++k)
      values.push_back(k < (valid + 1) * bodies * each ? static_cast<double>(sample) + slope * k : undefined_value);
    to.append(values);
  };
  append(7, 0.001, trajectories.q), append(6, -0.001, trajectories.v);
}

}  // namespace

ShardData fake_shard(const DatasetDescription& description, std::int64_t first, std::int64_t count) {
  ShardData shard = make_shard(description, first, count);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t sample = first + i;
    const double number = static_cast<double>(sample);
    const bool failed = fails(sample);
    shard.variables[0][i] = 1 / (1 + number);
    shard.variables[1][i] = number / 3;
    shard.outcomes[0][i] = failed ? undefined_value : sample % 4 != 0;
    shard.outcomes[1][i] = failed ? undefined_value : number / 8;
    shard.outcomes[2][i] = failed || sample % 3 == 0 ? undefined_value : static_cast<double>(sample % 10);
    shard.status[i] = static_cast<std::uint8_t>(failed ? Status::ray : Status::ok);
    shard.steps[i] = failed ? 1 : 2;
    shard.end_time[i] = description.step * shard.steps[i];
    shard.pivots_max[i] = static_cast<std::int32_t>(sample % 5);
    shard.residual_max[i] = 1e-12;
    shard.penetration_max[i] = sample == 17000 ? 3e-6 : 1e-9;
    shard.energy_gained[i] = 0;
    shard.energy_gain_max[i] = 0;
    shard.energy_drift[i] = failed ? undefined_value : -number;
    if (is_recorded(description.record, sample)) record_trajectory(description, sample, shard.trajectories);
  }
  return shard;
}

std::optional<ShardData> FakeProducer::produce(std::int64_t first, std::int64_t count,
                                               const std::function<void(const ProductionProgress&)>& progress,
                                               const std::atomic<bool>& stop) {
  produced.push_back(first);
  if (before) before(stop);
  if (stop) return std::nullopt;
  ShardData shard = fake_shard(description_, first, count);
  ProductionProgress done;
  for (std::int64_t i = 0; i < count; ++i) {
    ++done.samples;
    done.invalid += shard.status[i] != 0;
    done.true_count += shard.outcomes[0][i] == 1;
  }
  if (progress) progress(done);
  return shard;
}

}  // namespace jostle::test
