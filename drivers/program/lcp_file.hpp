#pragma once
#include <string>
#include <vector>

#include "core/lcp/dense.hpp"

namespace jostle {

/// {"M": [[...]], "q": [...]}, or a list of at least one of them. Throws UsageError with the place: FILE:line:column
/// if it is not JSON, FILE[problem].M[row][column] if it is not an LCP.
std::vector<DenseLcp> read_lcp_file(const std::string& file);

}  // namespace jostle
