#pragma once
// Text in UTF-8.
#include <cstddef>
#include <string_view>

namespace jostle {

/// Length of the sequence at the front of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// The place of the first byte that belongs to no sequence; npos if there is none.
std::size_t find_no_utf8(std::string_view text);

}  // namespace jostle
