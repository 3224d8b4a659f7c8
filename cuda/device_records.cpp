#include "cuda/device_records.hpp"

#include <algorithm>
#include <cstring>

namespace jostle {
namespace {

std::size_t size_of(const auto& array) { return round_up_to_line(array.size() * sizeof array[0]); }

/// Of the progress, which comes first, and all arrays.
std::size_t size_of_record(RecordMemory& record) {
  std::size_t bytes = round_up_to_line(sizeof(RecordProgress));
  RecordView view = *record.view();
  record.for_each_array(view, [&](const auto& array, auto&) { bytes += size_of(array); });
  return bytes;
}

}  // namespace

std::size_t DeviceRecords::bytes_of(RecordMemory& record) {
  constexpr std::size_t growth = 2;  // in each direction a record doubles
  return growth * size_of_record(record) + sizeof(RecordView);
}

void DeviceRecords::upload(Batch& batch, int first, int count) {
  recorded_.clear();
  count_ = count;
  for (int i = 0; i < count; ++i)
    if (RecordMemory* const host = batch.record(first + i))
      recorded_.push_back({i, host, host->progress(), host->view()->stride});
  if (recorded_.empty()) return;
  place();
  send();
}

void DeviceRecords::place() {
  bytes_ = 0;
  for (Recorded& recorded : recorded_) {
    recorded.first = bytes_;
    bytes_ += size_of_record(*recorded.host);
  }
  const std::size_t view_bytes = static_cast<std::size_t>(count_) * sizeof(RecordView);
  memory_.reserve(device_, bytes_);
  staged_.reserve(device_, bytes_);
  views_.reserve(device_, view_bytes);
  staged_views_.reserve(device_, view_bytes);
}

void DeviceRecords::send() {
  auto* const views = staged_views_.as<RecordView>();
  for (int i = 0; i < count_; ++i) views[i] = {};
  for (const Recorded& recorded : recorded_) {
    RecordView& view = views[recorded.system] = *recorded.host->view();
    view.stride = recorded.stride;
    std::size_t at = recorded.first;
    std::memcpy(staged_.data() + at, &recorded.progress, sizeof recorded.progress);
    view.progress = reinterpret_cast<RecordProgress*>(memory_.data() + at);
    at += round_up_to_line(sizeof recorded.progress);
    recorded.host->for_each_array(view, [&](const auto& array, auto& pointer) {
      using Element = std::remove_reference_t<decltype(*pointer)>;
      if (!array.empty()) std::memcpy(staged_.data() + at, array.data(), array.size() * sizeof array[0]);
      pointer = array.empty() ? nullptr : reinterpret_cast<Element*>(memory_.data() + at);
      at += size_of(array);
    });
  }
  device_.upload(queue_, memory_.data(), staged_.data(), bytes_);
  device_.upload(queue_, views_.data(), staged_views_.data(), static_cast<std::size_t>(count_) * sizeof(RecordView));
}

void DeviceRecords::download() {
  if (!recorded_.empty()) device_.download(queue_, staged_.data(), memory_.data(), bytes_);
}

// What lies beyond the progress of a system means nothing, so a run that fails has changed nothing.
void DeviceRecords::fetch() {
  for (Recorded& recorded : recorded_) {
    std::size_t at = recorded.first;
    std::memcpy(&recorded.progress, staged_.data() + at, sizeof recorded.progress);
    at += round_up_to_line(sizeof recorded.progress);
    RecordView view = *recorded.host->view();
    recorded.host->for_each_array(view, [&](auto& array, auto&) {
      if (!array.empty()) std::memcpy(array.data(), staged_.data() + at, array.size() * sizeof array[0]);
      at += size_of(array);
    });
  }
}

int DeviceRecords::most_rows() const {
  int most = 0;
  for (const Recorded& recorded : recorded_) most = std::max(most, recorded.host->view()->capacity.rows);
  return most;
}

void DeviceRecords::grow() {
  download();
  device_.download(queue_, staged_views_.data(), views_.data(), static_cast<std::size_t>(count_) * sizeof(RecordView));
  device_.wait(queue_);
  fetch();
  for (Recorded& recorded : recorded_) {
    recorded.stride = staged_views_.as<RecordView>()[recorded.system].stride;
    recorded.host->grow(recorded.progress.needed);
  }
  place();
  send();
}

void DeviceRecords::store() {
  fetch();
  for (const Recorded& recorded : recorded_) recorded.host->progress() = recorded.progress;
}

}  // namespace jostle
