#include "scenarios/text/utf8.hpp"

#include <algorithm>

namespace jostle {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : (lead & 0xF0) == 0xE0       ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

std::size_t find_no_utf8(std::string_view text) {
  for (std::size_t at = 0, length = 0; at < text.size(); at += length) {
    length = utf8_length(text.substr(at));
    if (length == 0) return at;
  }
  return std::string_view::npos;
}

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
