#pragma once
#include <cstdint>
#include <string>

namespace jostle {

/// 1234567 as "1,234,567".
std::string with_commas(std::int64_t number);

/// Seconds as "0.5 s", "42 s", "12 min 5 s" or "3 h 20 min".
std::string duration_text(double seconds);

}  // namespace jostle
