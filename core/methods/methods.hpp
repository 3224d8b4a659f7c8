#pragma once
// How the driver of a step calls a method for a motion: a struct of static functions, each called by all lanes of a
// team. The type of `work` says for which systems the code is (core/model/traits.hpp):
//
//     begin(team, system, work, progress)           computes what acts on the bodies and the velocities of those with
//                                                   prescribed motion, lists contacts that may close; may shorten the
//                                                   piece: what it takes from progress.step it adds to progress.left
//     next(team, system, work, progress, problem)   writes the data of the next mixed LCP; false: there is none, and
//                                                   next_pose(), next_placed() and next_velocity() of the workspace
//                                                   are those at the end
//     take(team, system, work, progress)            uses the answer of that LCP, which is in the workspace
//
// A motion that turns out to follow an impact sets progress.piece: the driver then makes that impact. Impacts,
// projections and impacts of joints are called alike, and may have
//
//     recover(team, system, work, progress)         that LCP has no answer: whether `next` has another one instead
//
// A method keeps its data between these calls in the workspace and in StepProgress. `next` finds in `problem` what it
// left there for the LCP before. If a step needs more contacts than the workspace has, `next` sets the status
// `capacity`; the state is unchanged, and the step is repeated in a larger workspace.
#include "core/methods/anitescu_potra.hpp"
#include "core/methods/loetstedt.hpp"
#include "core/methods/stewart_trinkle.hpp"
#include "core/methods/trapezoidal.hpp"
#include "core/model/method.hpp"

namespace jostle {

/// with(method, f): f.operator()<M>() with the method of a model.
struct AllMethods {
#define JOSTLE_CASE(name, type, facts) \
  case Method::name: return f.template operator()<type>();
  template <class F>
  JOSTLE_HD static void with(Method method, F f) {
    switch (method) { JOSTLE_METHODS(JOSTLE_CASE) }
  }
#undef JOSTLE_CASE
};

/// The method of plain models (Dimensions::is_plain), for kernels that have no code for others.
struct PlainMethods {
  template <class F>
  JOSTLE_HD static void with(Method, F f) {
    f.template operator()<StewartTrinkle>();
  }
};

}  // namespace jostle
