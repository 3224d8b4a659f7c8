#pragma once
// Text in UTF-8.
#include <cstddef>
#include <string>
#include <string_view>

namespace jostle {

/// Length of the sequence at the front of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// The place of the first byte that belongs to no sequence; npos if there is none.
std::size_t find_no_utf8(std::string_view text);

/// 'text' for a message, shortened to 60 bytes; bytes that are not UTF-8 become U+FFFD.
std::string excerpt(std::string_view text);

}  // namespace jostle
