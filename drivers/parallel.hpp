#pragma once
#include <functional>

namespace jostle {

/// f(0), ..., f(count - 1) by all threads of OpenMP, in no order. The first exception that is seen comes out at the
/// end.
void parallel_for(int count, const std::function<void(int)>& f);

}  // namespace jostle
