#pragma once

namespace jostle {

/// The commit that this was built from, "13ed076"; empty: not from a git repository. The build makes its source anew
/// with every commit (cmake/commit.cmake), which compiles that alone.
const char* commit();

}  // namespace jostle
