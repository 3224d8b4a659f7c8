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
#define JOSTLE_ALLOCATE(type, name, extent, unit, meaning) \
  name.assign(static_cast<std::size_t>(entries_) * static_cast<std::size_t>(extent), undefined<type>());
  JOSTLE_STEP_FIELDS(JOSTLE_ALLOCATE)
#undef JOSTLE_ALLOCATE
  quantities.assign(static_cast<std::size_t>(entries_) * model.recorded.size(), canonical_nan());
  entry_rows_.assign(static_cast<std::size_t>(entries_), 0);
  view_.progress = &progress_;
  view_.stride = stride;
  view_.lcp_every = model.lcp_every;
  RecordUse first;
  if (model.records_contacts) first.rows = std::clamp(entries_ - 1, 1, 16) * model.usual_contacts();
  if (model.lcp_every > 0) {
    const auto lcp_entries = static_cast<std::size_t>(model.total_steps / model.lcp_every + 1);
    lcp_entry_rows_.assign(lcp_entries, 0);
    lcp_entry_numbers_.assign(lcp_entries, 0);
    const int n = model.view(std::min(model.usual_contacts(), 4)).dimensions.lcp_size();
    first.lcp_rows = 4 * n, first.lcp_numbers = std::int64_t{4} * n * n;
  }
  make_room(first);
}

void RecordMemory::grow(const RecordUse& needed) {
  const auto larger = [](auto now, auto least) { return least <= now ? now : std::max(least, 2 * now); };
  const RecordUse& now = view_.capacity;
  make_room({larger(now.rows, needed.rows), larger(now.lcp_rows, needed.lcp_rows),
             larger(now.lcp_numbers, needed.lcp_numbers)});
}

void RecordMemory::make_room(const RecordUse& capacity) {
  rows_.resize(static_cast<std::size_t>(capacity.rows));
  lcp_rows_.resize(static_cast<std::size_t>(capacity.lcp_rows));
  lcp_matrix_.resize(static_cast<std::size_t>(capacity.lcp_numbers));
  view_.capacity = capacity;
  for_each_array(view_, [](auto& array, auto& pointer) { pointer = array.empty() ? nullptr : array.data(); });
}

void RecordMemory::wait_for(int step) {
  progress_ = {};
  std::ranges::fill(entry_rows_, 0);
  if (view_.rows != nullptr) view_.stride = step;
  if (view_.lcp_every > 0) view_.lcp_every = step;
}

}  // namespace jostle
