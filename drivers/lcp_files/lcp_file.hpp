#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/lcp/dense.hpp"

namespace jostle {

struct NamedLcp {
  DenseLcp lcp;
  std::string name;  ///< as the file calls it; empty: it does not
};

/// The LCPs of a file, or of stdin if it is "-", at least one:
///
///   {"M": [[...]], "q": [...], "name": "..."}   or a list of them, or one on each line
///   an archive of numpy                         with M (n, n) and q (n), or stacks of them, (k, n, n) and (k, n); and
///                                               any number of M_NAME, q_NAME
///
/// What `jostle run --dump-lcp` writes besides, the labels, is not read. Throws UsageError with the place:
/// FILE:line:column if it is not JSON, FILE[problem].M[row][column] or FILE: array if it is not an LCP.
std::vector<NamedLcp> read_lcp_file(const std::string& file);

/// The same of the content of a file.
std::vector<NamedLcp> lcps_of(const std::string& text, const std::string& file);

/// The same of an archive that was read.
std::vector<NamedLcp> lcps_of_archive(std::string_view bytes, const std::string& file);

}  // namespace jostle
