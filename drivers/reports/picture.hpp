#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace jostle {

/// A sample at its start as JSON that pages draw (views/motion.hpp makes it), or an empty value.
using Picture = std::function<nlohmann::ordered_json(std::int64_t sample)>;

}  // namespace jostle
