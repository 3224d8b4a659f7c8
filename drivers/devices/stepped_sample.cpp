#include "drivers/devices/stepped_sample.hpp"

#include <algorithm>

#include "core/math/bits.hpp"

namespace jostle {
namespace {

/// Index of the first element that differs, also where one list ends; -1: none.
int first_differing(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i)
    if (bits_of(a[i]) != bits_of(b[i])) return static_cast<int>(i);
  return a.size() == b.size() ? -1 : static_cast<int>(common);
}

std::string element_text(const std::vector<double>& list, int index) {
  const auto i = static_cast<std::size_t>(index);
  return i < list.size() ? value_text(list[i]) : "none";
}

}  // namespace

void SteppedSample::keep(const System& system, const Workspace& work, const StepResult& result) {
  result_ = result;
  path_.clear();
  values_.clear();
  if (result.rests && result.lcp_size == 0) return;  // the step was not computed
  for (int i = 0; i < result.path; ++i) path_.push_back(work.pivot_path(i));
  std::vector<double> contacts;
  for (int c = 0; c < result.contacts; ++c) {
    const Contact& contact = work.contact(c);
    contacts.insert(contacts.end(), {static_cast<double>(contact.pair), static_cast<double>(contact.feature),
                                     contact.gap, contact.normal[0], contact.normal[1], contact.normal[2]});
  }
  DenseLcp lcp = dense_lcp(system.model.dimensions, work, result.lcp_size);
  std::vector<double> answer, velocity;  // no answer if one of the islands has none
  if (result.status == Status::ok) answer.assign(work.z(), work.z() + result.lcp_size);
  for (int i = 0; i < system.model.dimensions.velocities(); ++i) velocity.push_back(work.next_velocity(i / 6)[i % 6]);
  values_ = {{"collide", "contact", std::move(contacts)},
             {"assemble", "lcp_matrix", std::move(lcp.M)},
             {"assemble", "lcp_vector", std::move(lcp.q)},
             {"pivot", "pivot_path", {path_.begin(), path_.end()}},
             {"pivot", "z", std::move(answer)},
             {"pivot", "next_velocity", std::move(velocity)}};
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
                           true,
                           a.account(element_text(left.elements, index)),
                           b.account(element_text(right.elements, index))};
  }
  return std::nullopt;
}

}  // namespace jostle
