#pragma once
// A LiveBatch as Python has it.
#include <mutex>

#include "drivers/live/live_batch.hpp"
#include "python/module.hpp"

namespace jostle::python {

/// Calls from several threads of Python wait for each other. The GIL is released while jostle works, and before the
/// wait, so that nobody waits for both.
class PyBatch {
 public:
  PyBatch(const Scenario& scenario, std::vector<std::int64_t> samples, const std::string& device, int threads,
          const std::function<bool()>& is_stopped)
      : batch_(scenario, std::move(samples), Machine::named(device, threads), is_stopped) {}

  template <class F>
  auto work(F f) {
    const WithoutGil unlocked;
    const std::lock_guard lock(mutex_);
    return f(batch_);
  }

  /// A view of memory of the batch, which keeps the batch alive.
  template <class T>
  Array<T> view(T* memory, std::initializer_list<std::size_t> shape) {
    return Array<T>(nb::cast(nb::ndarray<nb::numpy, T>(memory, shape.size(), shape.begin(), nb::find(*this))));
  }
  LiveBatch& batch() { return batch_; }
  std::size_t size() const { return static_cast<std::size_t>(batch_.size()); }
  std::size_t bodies() const { return batch_.bodies().size(); }

 private:
  LiveBatch batch_;
  std::mutex mutex_;
};

}  // namespace jostle::python
