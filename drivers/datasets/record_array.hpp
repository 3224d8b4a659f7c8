#pragma once
#include <algorithm>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "drivers/files/stored_numbers.hpp"

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

/// Real numbers of records in the precision that their file has: those of type f4 are rounded as soon as they come,
/// because most of the time of a record is its way through memory.
class RealArray {
 public:
  RealArray() = default;
  explicit RealArray(bool single) : single_(single) {}
  RealArray(bool single, std::span<const double> values) : single_(single) { append(values); }

  bool is_single() const { return single_; }
  std::size_t size() const { return single_ ? singles_.size() : doubles_.size(); }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t i) const { return single_ ? static_cast<double>(singles_[i]) : doubles_[i]; }
  bool operator==(const RealArray&) const = default;

  /// visit(pointer to the first number), a float or double.
  auto visit(auto&& visit) { return single_ ? visit(singles_.data()) : visit(doubles_.data()); }
  auto visit(auto&& visit) const { return single_ ? visit(singles_.data()) : visit(doubles_.data()); }

  /// Numbers that are added are undefined.
  void resize(std::size_t size) { single_ ? singles_.resize(size) : doubles_.resize(size); }
  void reserve(std::size_t size) { single_ ? singles_.reserve(size) : doubles_.reserve(size); }
  void clear() { singles_.clear(), doubles_.clear(); }
  void append(std::span<const double> values) {
    resize(size() + values.size());
    put(size() - values.size(), values);
  }
  /// `count` numbers of an array in the same precision, from `first` on.
  void append(const RealArray& from, std::size_t first, std::size_t count) {
    const auto copy = [=](const auto& source, auto& to) {
      const auto begin = source.begin() + static_cast<std::ptrdiff_t>(first);
      to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    single_ ? copy(from.singles_, singles_) : copy(from.doubles_, doubles_);
  }
  /// Numbers `first` and on.
  void put(std::size_t first, std::span<const double> values) {
    visit([&](auto* numbers) { store(values, numbers + first); });
  }

  void undefine(std::size_t first, std::size_t end) {
    visit(
        [&]<class Number>(Number* numbers) { std::fill(numbers + first, numbers + end, undefined_number<Number>()); });
  }

  const void* data() const {
    return visit([](const auto* numbers) -> const void* { return numbers; });
  }

  /// Of an array in double precision.
  RecordArray<double>& doubles() { return doubles_; }
  const RecordArray<double>& doubles() const { return doubles_; }

 private:
  bool single_ = false;
  RecordArray<float> singles_;
  RecordArray<double> doubles_;
};

/// A column of records in memory.
template <class T>
using RecordColumnOf = std::conditional_t<std::is_same_v<T, double>, RealArray, RecordArray<T>>;

/// visit(pointer to the first number of a column).
auto visit_numbers(auto& column, auto&& visit) {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(column)>, RealArray>)
    return column.visit(visit);
  else
    return visit(column.data());
}

}  // namespace jostle
