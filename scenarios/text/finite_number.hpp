#pragma once
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace jostle {

/// The finite number that a whole text is, with or without '+' before it.
inline std::optional<double> finite_number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  double value = 0;
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace jostle
