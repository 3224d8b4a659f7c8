#pragma once
// JSON that commands print or write.
#include <nlohmann/json.hpp>
#include <string>

namespace jostle {

/// In lines, with their end. What is not UTF-8, as a path need not be, is replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace jostle
