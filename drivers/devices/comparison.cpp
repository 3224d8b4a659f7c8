#include "drivers/devices/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/math/bits.hpp"
#include "cuda/device_batch.hpp"
#include "drivers/devices/record_comparison.hpp"
#include "drivers/devices/stepped_sample.hpp"

namespace jostle {
namespace {

/// Samples [begin, begin + count).
struct SampleRange {
  std::int64_t begin = 0;
  int count = 0;
};

/// Samples in memory at the same time. This bounds the memory, but is enough to give each team of a large GPU several
/// of them, one after the other.
std::int64_t samples_at_once(const Model& model) {
  constexpr std::size_t least = 4096, most = 131'072, bytes = std::size_t{512} << 20;
  constexpr std::int64_t recorded = 256;  // nobody knows how much they will record
  if (model.records_steps()) return recorded;
  return static_cast<std::int64_t>(std::clamp(bytes / DeviceBatch::bytes_per_system(model), least, most));
}

/// What a backend has made of a sample.
struct SimulatedSample {
  StateView state;
  const RecordMemory* record;  ///< null: the scenario asks for none
};

/// Some samples, simulated in batches of the backend's size, with the records that the scenario asks for.
class SimulatedSamples {
 public:
  SimulatedSamples(const Ensemble& ensemble, SampleRange range, const Backend& backend, int last_step)
      : batch_size_(backend.batch_size > 0 ? backend.batch_size : range.count) {
    for (int begin = 0; begin < range.count; begin += batch_size_) {
      Batch& batch = batches_.emplace_back(ensemble.model(), std::min(batch_size_, range.count - begin));
      for (int i = 0; i < batch.size(); ++i) {
        ensemble.draw(range.begin + begin + i, batch, i);
        if (!ensemble.model().records_steps()) continue;
        records_.push_back(std::make_unique<RecordMemory>(ensemble.model(), ensemble.scenario().record.stride));
        batch.record(i, *records_.back());
      }
      backend.run(batch, last_step, nullptr);
    }
  }

  SimulatedSample sample(int i) {
    return {batches_[static_cast<std::size_t>(i / batch_size_)].state(i % batch_size_),
            records_.empty() ? nullptr : records_[static_cast<std::size_t>(i)].get()};
  }

 private:
  int batch_size_;
  std::vector<std::unique_ptr<RecordMemory>> records_;
  std::vector<Batch> batches_;
};

/// The number of doubles from one to the other: 0 from -0 to 0, infinity to a NaN.
double distance(double a, double b) {
  if (is_nan(a) || is_nan(b)) return infinity();
  constexpr std::uint64_t zero = std::uint64_t{1} << 63;
  const auto rank = [](double x) { return sign_bit(x) ? zero - (bits_of(x) & ~zero) : zero + bits_of(x); };
  return static_cast<double>(std::max(rank(a), rank(b)) - std::min(rank(a), rank(b)));
}

template <class T>
int count_differing_bits(const T& a, const T& b) {
  std::array<unsigned char, sizeof(T)> left, right;
  std::memcpy(left.data(), &a, sizeof a);
  std::memcpy(right.data(), &b, sizeof b);
  int count = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) count += std::popcount(static_cast<unsigned>(left[i] ^ right[i]));
  return count;
}

/// visit(field, stage, index, value of a, value of b) for every element of the states that differs.
template <class Visit>
void visit_differences(const Dimensions& d, const StateView& a, const StateView& b, Visit visit) {
#define JOSTLE_VISIT(type, name, extent, unit, stage, ...)                        \
  for (int i = 0; i < static_cast<int>(extent); ++i) {                            \
    const type of_a = elements(a.name)[i], of_b = elements(b.name)[i];            \
    if (count_differing_bits(of_a, of_b) > 0) visit(#name, stage, i, of_a, of_b); \
  }
  JOSTLE_ALL_STATE(JOSTLE_VISIT)
#undef JOSTLE_VISIT
}

/// visit(step, group, name, number in its entry, of a, of b) for every number of the records that differs.
template <class Visit>
void visit_differences(const Model& model, const SimulatedSample& a, const SimulatedSample& b, Visit visit) {
  if (!a.record || !b.record) return;
  const int steps = std::min(a.state.steps(), b.state.steps());
  const auto see = [&](int step, const char* group, const char* name, std::size_t i, const auto& left,
                       const auto& right) {
    if (count_differing_bits(left, right) > 0) visit(step, group, name, static_cast<int>(i), left, right);
  };
  visit_records(*a.record, *b.record, model.total_steps, valid_entries(*a.record, model.total_steps, steps), steps,
                see);
}

/// Adds the state of one sample and its records. Returns whether they differ.
bool add_sample(Comparison& comparison, const Model& model, const SimulatedSample& a, const SimulatedSample& b) {
  std::map<std::string, bool> fields;
  const auto add = [&](const std::string& field, const auto& left, const auto& right) {
    fields[field] = true;
    comparison.differing_bits += count_differing_bits(left, right);
    if constexpr (std::is_same_v<std::decay_t<decltype(left)>, double>)
      comparison.largest_distance = std::max(comparison.largest_distance, distance(left, right));
  };
  visit_differences(
      model.view(0).dimensions, a.state, b.state,
      [&](const char* field, const char*, int, const auto& left, const auto& right) { add(field, left, right); });
  visit_differences(model, a, b,
                    [&](int, const char* group, const char* name, int, const auto& left, const auto& right) {
                      add(std::string(group) + "/" + name, left, right);
                    });
  for (const auto& [field, differs] : fields) comparison.differing_fields[field] += differs;
  comparison.differing_samples += !fields.empty();
  ++comparison.samples;
  return !fields.empty();
}

/// The first element of the states that differs.
std::optional<FirstDifference> difference_of_states(const Dimensions& d, const StateView& a, const StateView& b,
                                                    int step) {
  std::optional<FirstDifference> first;
  visit_differences(d, a, b, [&](const char* field, const char* stage, int i, const auto& left, const auto& right) {
    if (first) return;
    first.emplace();
    first->step = step;
    first->stage = step == 0 ? "initialise" : stage;
    first->field = field;
    first->index = i;
    first->reference.value = value_text(left);
    first->other.value = value_text(right);
  });
  return first;
}

/// The first number of the records that differs, where the states do not.
std::optional<FirstDifference> difference_of_records(const Model& model, const SimulatedSample& a,
                                                     const SimulatedSample& b) {
  std::optional<FirstDifference> first;
  visit_differences(model, a, b,
                    [&](int step, const char* group, const char* name, int i, const auto& left, const auto& right) {
                      if (first && first->step <= step) return;
                      first = FirstDifference{step, "record", std::string(group) + "/" + name, i, true, {}, {}};
                      first->reference.value = value_text(left), first->other.value = value_text(right);
                    });
  return first;
}

/// Compares step by step, with the sample alone, up to `last_step`.
std::optional<FirstDifference> observed_difference(const Ensemble& ensemble, std::int64_t sample,
                                                   const Backend& reference, const Backend& other, int last_step) {
  const Dimensions d = ensemble.model().view(0).dimensions;
  SteppedSample a(ensemble, sample, reference), b(ensemble, sample, other);
  for (int step = 0; step <= last_step; ++step) {
    a.run_to(step);
    b.run_to(step);
    std::optional<FirstDifference> first = difference_of_states(d, a.state(), b.state(), step);
    if (!first) continue;
    if (std::optional<FirstDifference> before = difference_of_stages(a, b, step)) return before;
    first->reference = a.account(first->reference.value);
    first->other = b.account(first->other.value);
    return first;
  }
  return std::nullopt;
}

/// The samples of the range that the backend simulates together with a sample.
SampleRange company_of(std::int64_t sample, SampleRange range, const Backend& backend) {
  if (backend.batch_size <= 0) return range;
  const auto before = static_cast<int>((sample - range.begin) / backend.batch_size * backend.batch_size);
  return {range.begin + before, std::min(backend.batch_size, range.count - before)};
}

/// Bisects by running whole batches from the start, unobserved: an observed step of a device is another launch with its
/// memory elsewhere, and the difference may disappear. If states part, meet and part again, bisection may find any of
/// these steps; the observer then finds the first one.
std::optional<FirstDifference> find_first_difference(const Ensemble& ensemble, std::int64_t sample, SampleRange range,
                                                     const Backend& reference, const Backend& other) {
  const SampleRange company = company_of(sample, range, other);
  const auto difference_at = [&](int step) {
    SimulatedSamples a(ensemble, {sample, 1}, reference, step), b(ensemble, company, other, step);
    return difference_of_states(ensemble.model().view(0).dimensions, a.sample(0).state,
                                b.sample(static_cast<int>(sample - company.begin)).state, step);
  };
  int equal = -1, differing = static_cast<int>(ensemble.model().total_steps);
  std::optional<FirstDifference> parting = difference_at(differing);
  if (!parting) return std::nullopt;
  while (differing - equal > 1) {
    const int middle = equal + (differing - equal) / 2;
    std::optional<FirstDifference> difference = difference_at(middle);
    (difference ? differing : equal) = middle;
    if (difference) parting = std::move(difference);
  }
  if (std::optional<FirstDifference> seen = observed_difference(ensemble, sample, reference, other, differing))
    return seen;
  parting->observed = false;
  SteppedSample alone(ensemble, sample, reference);
  alone.run_to(differing);
  parting->reference = alone.account(parting->reference.value);
  return parting;
}

/// Adds samples that the reference has simulated.
void add_range(Comparison& comparison, const Ensemble& ensemble, SampleRange range, SimulatedSamples& simulated,
               const Backend& reference, const Backend& other) {
  const Model& model = ensemble.model();
  const bool were_equal = comparison.equal();
  {
    SimulatedSamples samples(ensemble, range, other, static_cast<int>(model.total_steps));
    for (int i = 0; i < range.count; ++i) {
      const bool differs = add_sample(comparison, model, simulated.sample(i), samples.sample(i));
      if (!differs || comparison.first_sample >= 0) continue;
      comparison.first_sample = range.begin + i;
      comparison.first = difference_of_records(model, simulated.sample(i), samples.sample(i));
    }
  }
  if (!were_equal || comparison.equal()) return;
  auto of_states = find_first_difference(ensemble, comparison.first_sample, range, reference, other);
  if (of_states && (!comparison.first || of_states->step <= comparison.first->step))
    comparison.first = std::move(of_states);
}

}  // namespace

std::vector<Comparison> compare(const Ensemble& ensemble, const Backend& reference,
                                const std::vector<OtherBackend>& others) {
  std::vector<Comparison> comparisons(others.size());
  std::int64_t samples = 0;
  for (std::size_t k = 0; k < others.size(); ++k) {
    comparisons[k].other = others[k].backend.name;
    samples = std::max(samples, others[k].samples);
  }
  const std::int64_t most = samples_at_once(ensemble.model());
  for (std::int64_t begin = 0; begin < samples; begin += most) {
    const SampleRange range{begin, static_cast<int>(std::min(most, samples - begin))};
    SimulatedSamples simulated(ensemble, range, reference, static_cast<int>(ensemble.model().total_steps));
    for (std::size_t k = 0; k < others.size(); ++k) {
      const auto count = static_cast<int>(std::clamp<std::int64_t>(others[k].samples - begin, 0, range.count));
      if (count > 0) add_range(comparisons[k], ensemble, {begin, count}, simulated, reference, others[k].backend);
    }
  }
  return comparisons;
}

Comparison compare_states(Batch& reference, Batch& other) {
  Comparison comparison;
  for (int i = 0; i < reference.size(); ++i) {
    const bool differs =
        add_sample(comparison, reference.model(), {reference.state(i), nullptr}, {other.state(i), nullptr});
    if (differs && comparison.first_sample < 0) comparison.first_sample = i;
  }
  return comparison;
}

}  // namespace jostle
