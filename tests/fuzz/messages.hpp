#pragma once
// What every message about bad input must be.
#include <string>
#include <string_view>

namespace jostle::test {

/// Empty, or what is wrong: a message is one line of characters that a terminal shows, and begins with its file.
inline std::string fault_of_message(std::string_view message, std::string_view file) {
  for (const char c : message)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return "more than one line of text: " + std::string(message);
  return message.starts_with(file) ? "" : "no place: " + std::string(message);
}

}  // namespace jostle::test
