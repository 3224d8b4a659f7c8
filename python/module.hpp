#pragma once
// What the parts of jostle._core share.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <iterator>
#include <optional>

#include "python/gil.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle::python {

namespace nb = nanobind;

/// Asks Python for signals while jostle runs without the GIL, on the thread that Python called.
class Interrupt {
 public:
  /// True from the first signal on whose handler raises an exception, such as Ctrl-C, and while the interpreter exits.
  bool is_set();
  /// Throws that exception, if there is one; needs the GIL.
  void rethrow();

 private:
  std::optional<nb::python_error> error_;
};

/// For the types of the compiled part: what an array or a container has.
template <class T>
using Array = nb::typed<nb::object, nb::ndarray<nb::numpy, T>>;
using Dict = nb::typed<nb::dict, nb::str, nb::any>;
using List = nb::typed<nb::list, nb::any>;
using Tuple = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

/// A new array that Python owns.
template <class T, class Allocator, class Shape>
Array<T> new_array(std::vector<T, Allocator> values, const Shape& shape) {
  using Values = std::vector<T, Allocator>;
  auto* const kept = new Values(std::move(values));
  const nb::capsule owner(kept, [](void* memory) noexcept { delete static_cast<Values*>(memory); });
  return Array<T>(nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), std::data(shape), owner)));
}
template <class T, class Allocator>
Array<T> new_array(std::vector<T, Allocator> values, std::initializer_list<std::size_t> shape) {
  return new_array<T, Allocator, std::initializer_list<std::size_t>>(std::move(values), shape);
}

void bind_scenario(nb::module_& module);
void bind_batch(nb::module_& module);
void bind_device(nb::module_& module);
void bind_sweep(nb::module_& module);
void bind_lcp(nb::module_& module);
void bind_device_lcp(nb::module_& module);

/// The scenario with another seed, and number of samples, as the program's --seed and -n make it.
Scenario with_sampling(const Scenario& scenario, std::optional<std::uint64_t> seed, std::optional<std::int64_t> count);

}  // namespace jostle::python
