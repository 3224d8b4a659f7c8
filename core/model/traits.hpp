#pragma once
// What the code of a step is made for: the type of a workspace carries it, so that no function is told. Three variants
// ship: with_traits (core/step.hpp) says which one a model gets on a CPU, cuda/team_kernels.hpp on a GPU. A system has
// the same bits from each that has code for it.
#include <type_traits>

namespace jostle {

/// Contacts alone under the method of Stewart and Trinkle (Dimensions::is_plain): kernels.
struct PlainSystems {
  static constexpr bool is_coupled = false;     ///< bodies may be coupled by joints, or by a full matrix A
  static constexpr bool has_cones = false;      ///< circular friction cones and pointedness
  static constexpr bool has_impacts = false;    ///< methods that find collisions, and what only these have
  static constexpr bool has_records = false;    ///< records of steps
  static constexpr bool has_polytopes = false;  ///< polygons and hulls
  static constexpr bool has_wrenches = false;   ///< forces of contacts as quantities
};

/// The same, recorded: threads of a CPU.
struct RecordedPlainSystems : PlainSystems {
  static constexpr bool has_records = true;
};

/// Whatever there is.
struct AllSystems {
  static constexpr bool is_coupled = true, has_cones = true, has_impacts = true, has_records = true,
                        has_polytopes = true, has_wrenches = true;
};

namespace detail {

template <class Traits>
struct Uncoupled : Traits {
  static constexpr bool is_coupled = false;
};

}  // namespace detail

/// For models of these systems that couple no bodies.
template <class Traits>
using UncoupledPart = std::conditional_t<Traits::is_coupled, detail::Uncoupled<Traits>, Traits>;

}  // namespace jostle
