#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jostle {

/// A whole number as people write it: "1000000" or "1e6", the latter up to 2^53, where doubles are whole numbers.
inline std::optional<std::int64_t> whole_number_of(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t number = 0;
  if (const auto [last, error] = std::from_chars(text.data(), end, number); error == std::errc() && last == end)
    return number;
  double value = 0;
  if (const auto [last, error] = std::from_chars(text.data(), end, value); error != std::errc() || last != end)
    return std::nullopt;
  if (text.find_first_of("eE") == std::string_view::npos || std::floor(value) != value || std::fabs(value) > 0x1p53)
    return std::nullopt;
  return static_cast<std::int64_t>(value);
}

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
