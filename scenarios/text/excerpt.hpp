#pragma once
#include <string>
#include <string_view>

namespace jostle {

/// 'text' for a message, shortened to 60 bytes; bytes that are not UTF-8 become U+FFFD.
std::string excerpt(std::string_view text);

}  // namespace jostle
