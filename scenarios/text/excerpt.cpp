#include "scenarios/text/excerpt.hpp"

#include <algorithm>

#include "scenarios/text/utf8.hpp"

namespace jostle {

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string shown = "'";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at)), end = at + std::max<std::size_t>(length, 1);
    if (end > longest) return shown + "...'";
    shown += length == 0 ? "\uFFFD" : text.substr(at, length);
    at = end;
  }
  return shown + "'";
}

}  // namespace jostle
