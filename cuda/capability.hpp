#pragma once
// Which GPUs the code of a build runs on.
#include <algorithm>
#include <initializer_list>
#include <string>

namespace jostle {

/// Whether a build for the capabilities `built` (90 is 9.0) runs on a GPU of `capability`. Code runs on GPUs with the
/// same major number and no lower minor number; intermediate code of the newest, which every build has, runs on all
/// that are not older.
inline bool has_code_for(int capability, std::initializer_list<int> built) {
  const auto runs_there = [=](int one) { return one / 10 == capability / 10 && one <= capability; };
  return capability >= std::max(built) || std::any_of(built.begin(), built.end(), runs_there);
}

/// "8.0, 9.0"
inline std::string capabilities(std::initializer_list<int> built) {
  std::string text;
  for (const int one : built)
    text += (text.empty() ? "" : ", ") + std::to_string(one / 10) + '.' + std::to_string(one % 10);
  return text;
}

}  // namespace jostle
