#include "drivers/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/math/bits.hpp"

namespace jostle {
namespace {

/// Samples that are held at once, so that memory does not grow with their number.
constexpr std::int64_t chunk_size = 4096;

/// The states of some samples, simulated in batches of the backend's size.
class SimulatedSamples {
 public:
  SimulatedSamples(const Ensemble& ensemble, std::int64_t first, int count, const Backend& backend, int last_step)
      : batch_size_(backend.batch_size > 0 ? backend.batch_size : count) {
    for (int begin = 0; begin < count; begin += batch_size_) {
      Batch& batch = batches_.emplace_back(ensemble.model(), std::min(batch_size_, count - begin));
      for (int i = 0; i < batch.size(); ++i) ensemble.load(first + begin + i, batch, i);
      backend.run(batch, last_step, nullptr);
    }
  }

  StateView state(int i) { return batches_[static_cast<std::size_t>(i / batch_size_)].state(i % batch_size_); }

 private:
  int batch_size_;
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
std::string text_of(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", value);
  } else {
    std::string text = "0x";
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = sizeof value; i-- > 0;) text += fmt::format("{:02x}", bytes[i]);
    return text;
  }
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

/// visit(field, writer, index, value of a, value of b) for every element of the states that differs.
template <class Visit>
void visit_differences(const Dimensions& d, const StateView& a, const StateView& b, Visit visit) {
#define JOSTLE_VISIT(type, name, extent, unit, writer)                                                 \
  for (int i = 0; i < static_cast<int>(extent); ++i) {                                                 \
    if (count_differing_bits(a.name[i], b.name[i]) > 0) visit(#name, writer, i, a.name[i], b.name[i]); \
  }
  JOSTLE_STATE(JOSTLE_VISIT)
#undef JOSTLE_VISIT
}

/// Adds the states of one sample. Returns whether they differ.
bool add_sample(Comparison& comparison, const Dimensions& d, const StateView& a, const StateView& b) {
  std::map<std::string, bool> fields;
  visit_differences(d, a, b, [&](const char* field, const char*, int, const auto& left, const auto& right) {
    fields[field] = true;
    comparison.differing_bits += count_differing_bits(left, right);
    if constexpr (std::is_same_v<std::decay_t<decltype(left)>, Real>)
      comparison.largest_distance = std::max(comparison.largest_distance, distance(left, right));
  });
  for (const auto& [field, differs] : fields) comparison.differing_fields[field] += differs;
  comparison.differing_samples += !fields.empty();
  ++comparison.samples;
  return !fields.empty();
}

/// One sample on one backend, step by step, with what the stages of the last step wrote.
class SteppedSample {
 public:
  SteppedSample(const Ensemble& ensemble, std::int64_t sample, const Backend& backend)
      : batch_(ensemble.model(), 1), backend_(backend) {
    ensemble.load(sample, batch_, 0);
  }

  void run_to(int step) {
    values_.clear();
    path_.clear();
    result_ = {};
    backend_.run_observed(batch_, step, [this](const System& system, const Workspace& work, const StepResult& result) {
      keep(system, work, result);
    });
  }

  StateView state() { return batch_.state(0); }
  StepAccount account(std::string value) const {
    return {std::move(value), result_.contacts, result_.pivots, result_.residual, path_};
  }

  /// What the stages before `integrate` wrote, in their order.
  struct Values {
    const char* stage;
    const char* field;
    std::vector<Real> elements;
  };
  const std::vector<Values>& values() const { return values_; }

 private:
  void keep(const System& system, const Workspace& work, const StepResult& result) {
    result_ = result;
    path_.assign(work.pivot_path, work.pivot_path + result.path);
    const auto n = static_cast<std::ptrdiff_t>(result.lcp_size);
    std::vector<Real> contacts;
    for (int c = 0; c < result.contacts; ++c) {
      const Contact& contact = work.contact[c];
      contacts.insert(contacts.end(), {static_cast<Real>(contact.pair), static_cast<Real>(contact.feature), contact.gap,
                                       contact.normal[0], contact.normal[1], contact.normal[2]});
    }
    values_ = {{"collide", "contact", std::move(contacts)},
               {"assemble", "lcp_matrix", {work.lcp_matrix, work.lcp_matrix + n * n}},
               {"assemble", "lcp_vector", {work.lcp_vector, work.lcp_vector + n}},
               {"pivot", "pivot_path", {path_.begin(), path_.end()}},
               {"pivot", "z", {work.z, work.z + n}},
               {"pivot", "next_velocity", {work.next_velocity, work.next_velocity + system.model.dimensions.freedoms}}};
  }

  Batch batch_;
  const Backend& backend_;
  StepResult result_;
  std::vector<int> path_;
  std::vector<Values> values_;
};

/// Index of the first element that differs, also where one list ends; -1: none.
int first_differing(const std::vector<Real>& a, const std::vector<Real>& b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i)
    if (bits_of(a[i]) != bits_of(b[i])) return static_cast<int>(i);
  return a.size() == b.size() ? -1 : static_cast<int>(common);
}

std::string element_text(const std::vector<Real>& list, int index) {
  const auto i = static_cast<std::size_t>(index);
  return i < list.size() ? text_of(list[i]) : "none";
}

std::optional<FirstDifference> difference_of_stages(const SteppedSample& a, const SteppedSample& b, int step) {
  for (std::size_t k = 0; k < std::min(a.values().size(), b.values().size()); ++k) {
    const SteppedSample::Values &left = a.values()[k], &right = b.values()[k];
    const int index = first_differing(left.elements, right.elements);
    if (index < 0) continue;
    return FirstDifference{step,
                           left.stage,
                           left.field,
                           index,
                           a.account(element_text(left.elements, index)),
                           b.account(element_text(right.elements, index))};
  }
  return std::nullopt;
}

std::optional<FirstDifference> find_first_difference(const Ensemble& ensemble, std::int64_t sample,
                                                     const Backend& reference, const Backend& other) {
  const Dimensions d = ensemble.model().view(0).dimensions;
  SteppedSample a(ensemble, sample, reference), b(ensemble, sample, other);
  for (int step = 0; step <= ensemble.model().total_steps; ++step) {
    a.run_to(step);
    b.run_to(step);
    std::optional<FirstDifference> first;
    visit_differences(d, a.state(), b.state(),
                      [&](const char* field, const char* writer, int i, const auto& left, const auto& right) {
                        if (first) return;
                        first = FirstDifference{step, step == 0 ? "initialise" : writer, field,
                                                i,    a.account(text_of(left)),          b.account(text_of(right))};
                      });
    if (!first) continue;
    const std::optional<FirstDifference> before = difference_of_stages(a, b, step);
    return before ? before : first;
  }
  return std::nullopt;
}

}  // namespace

Comparison compare(const Ensemble& ensemble, std::int64_t samples, const Backend& reference, const Backend& other) {
  const Dimensions d = ensemble.model().view(0).dimensions;
  const int last_step = static_cast<int>(ensemble.model().total_steps);
  Comparison comparison;
  for (std::int64_t begin = 0; begin < samples; begin += chunk_size) {
    const int count = static_cast<int>(std::min(chunk_size, samples - begin));
    SimulatedSamples a(ensemble, begin, count, reference, last_step), b(ensemble, begin, count, other, last_step);
    for (int i = 0; i < count; ++i) {
      const bool differs = add_sample(comparison, d, a.state(i), b.state(i));
      if (differs && comparison.first_sample < 0) comparison.first_sample = begin + i;
    }
  }
  if (comparison.first_sample >= 0)
    comparison.first = find_first_difference(ensemble, comparison.first_sample, reference, other);
  return comparison;
}

}  // namespace jostle
