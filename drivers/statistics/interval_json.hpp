#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// Adds `PREFIXlower` and `PREFIXupper`, null where there is no interval.
inline void add_interval(nlohmann::ordered_json& json, const std::string& prefix,
                         const std::optional<Interval>& interval) {
  const nlohmann::ordered_json none;
  json[prefix + "lower"] = interval ? nlohmann::ordered_json(interval->lower) : none;
  json[prefix + "upper"] = interval ? nlohmann::ordered_json(interval->upper) : none;
}

}  // namespace jostle
