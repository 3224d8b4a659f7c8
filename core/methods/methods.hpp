#pragma once
// How the driver of a step calls a method. It is a struct of static functions, each taken by all lanes of a team:
//
//     begin(team, system, work, progress)           what acts, which contacts may close
//     next(team, system, work, progress, problem)   writes the data of the next mixed LCP; false: there is none, and
//                                                   the next_pose(), next_placed() and next_velocity() of
//                                                   the workspace are those of the end
//     take(team, system, work, progress)            the answer of that LCP stands in the workspace
//
// What it remembers between these calls lies in the workspace and in StepProgress. Where a step needs more contacts
// than the workspace has, `next` sets the status `capacity`; the state is as it was, and the step is made again in a
// larger one.
#include "core/methods/list.hpp"

namespace jostle {

#define JOSTLE_ENUMERATOR(name, type) name,
enum class Method : std::uint8_t { JOSTLE_METHODS(JOSTLE_ENUMERATOR) };
#undef JOSTLE_ENUMERATOR

#define JOSTLE_CASE(name, type) \
  case Method::name: return f.template operator()<type>();
/// f.operator()<M>() with the method of a model.
template <class F>
JOSTLE_HD void with_method(Method method, F f) {
  switch (method) { JOSTLE_METHODS(JOSTLE_CASE) }
}
#undef JOSTLE_CASE

}  // namespace jostle
