#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace jostle {

/// The number that a whole text is, as std::from_chars reads it.
template <class Number>
std::optional<Number> parsed(std::string_view text) {
  const char* const end = text.data() + text.size();
  Number number{};
  const auto [last, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

/// A whole number as people write it: "1000000" or "1e6", the latter up to 2^53, where doubles are whole numbers.
inline std::optional<std::int64_t> whole_number_of(std::string_view text) {
  if (const auto number = parsed<std::int64_t>(text)) return number;
  const auto value = parsed<double>(text);
  const bool has_exponent = text.find_first_of("eE") != std::string_view::npos;
  if (!value || !has_exponent || std::floor(*value) != *value || std::fabs(*value) > 0x1p53) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

/// The finite number that a whole text is, with or without '+' before it.
inline std::optional<double> finite_number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto value = parsed<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace jostle
