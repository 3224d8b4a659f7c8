#pragma once
#include <cstdint>
#include <string>

namespace jostle {

/// --max-invalid N or P%: how many samples may have another status than ok.
struct MaxInvalid {
  double amount = 0;
  bool percent = false;
};

/// "3", "0.5%". Throws UsageError on anything else, also above 100%.
MaxInvalid parse_max_invalid(const std::string& text);

/// Whether `invalid` of `samples` are more than allowed.
bool exceeds(const MaxInvalid& limit, std::int64_t invalid, std::int64_t samples);

}  // namespace jostle
