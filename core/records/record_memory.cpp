#include "core/records/record_memory.hpp"

#include <algorithm>

#include "core/math/bits.hpp"
#include "core/model/system.hpp"

namespace jostle {
namespace {

template <class T>
T undefined() {
  return T{};
}
template <>
double undefined<double>() {
  return canonical_nan();
}

}  // namespace

RecordMemory::RecordMemory(const Model& model, int stride) {
  const Dimensions d = model.view(0).dimensions;
  const TrajectoryView trajectory{nullptr, nullptr, stride};
  entries_ = static_cast<int>(trajectory.entries(model.total_steps));
#define JOSTLE_ALLOCATE(type, name, extent, unit, meaning)                                               \
  name.assign(static_cast<std::size_t>(entries_) * static_cast<std::size_t>(extent), undefined<type>()); \
  view_.name = name.data();
  JOSTLE_STEP_FIELDS(JOSTLE_ALLOCATE)
#undef JOSTLE_ALLOCATE
  quantities.assign(static_cast<std::size_t>(entries_) * model.recorded.size(), canonical_nan());
  view_.quantities = quantities.data();
  entry_rows_.assign(static_cast<std::size_t>(entries_), 0);
  view_.entry_rows = entry_rows_.data();
  view_.progress = &progress_;
  view_.stride = stride;
  if (model.records_contacts) rows_.resize(static_cast<std::size_t>(16 * model.usual_contacts()));
  view_.rows = rows_.empty() ? nullptr : rows_.data();
  view_.capacity = static_cast<int>(rows_.size());
}

void RecordMemory::grow() {
  rows_.resize(2 * rows_.size());
  view_.rows = rows_.data();
  view_.capacity = static_cast<int>(rows_.size());
}

void RecordMemory::wait_for(int step) {
  progress_ = {};
  std::ranges::fill(entry_rows_, 0);
  view_.stride = step;
}

}  // namespace jostle
