#pragma once
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace jostle {

/// Leaves new numbers without a value, so that the threads that write them are the first to touch their memory.
template <class T>
struct UninitialisedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {                             // NOLINT(readability-identifier-naming): the standard's name
    using other = UninitialisedAllocator<U>;  // NOLINT(readability-identifier-naming): the standard's name
  };
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Values>
  void construct(U* place, Values&&... values) {
    ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
  }
};

/// Numbers of records, hundreds of megabytes of them. Those that resize() adds are undefined.
template <class T>
using RecordArray = std::vector<T, UninitialisedAllocator<T>>;

}  // namespace jostle
