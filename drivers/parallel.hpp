#pragma once
#include <functional>

namespace jostle {

/// Calls f(0), ..., f(count - 1) by all threads of OpenMP, in any order. At the end, rethrows the first exception that
/// was caught.
void parallel_for(int count, const std::function<void(int)>& f);

}  // namespace jostle
