#include "drivers/max_invalid.hpp"

#include <charconv>
#include <cmath>

#include "drivers/errors.hpp"

namespace jostle {

MaxInvalid parse_max_invalid(const std::string& text) {
  MaxInvalid limit;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, limit.amount);
  limit.percent = rest + 1 == end && *rest == '%';
  const bool is_read = error == std::errc() && (rest == end || limit.percent) && limit.amount >= 0;
  const bool is_possible = limit.percent ? limit.amount <= 100 : std::floor(limit.amount) == limit.amount;
  if (!is_read || !is_possible || !std::isfinite(limit.amount))
    throw UsageError("--max-invalid wants a number of samples or a percentage like 0.5%, not '" + text + "'");
  return limit;
}

bool exceeds(const MaxInvalid& limit, std::int64_t invalid, std::int64_t samples) {
  const double allowed = limit.percent ? limit.amount / 100 * static_cast<double>(samples) : limit.amount;
  return static_cast<double>(invalid) > allowed;
}

}  // namespace jostle
