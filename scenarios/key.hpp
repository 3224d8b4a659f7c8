#pragma once
// One key of a map of a scenario file, as format.hpp says it.
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace jostle {

enum class Presence {
  optional,
  required,
  one_of,  ///< exactly one of the map's keys that are marked so
  later    ///< known to the format; refused by name in this version
};

/// Of every component of a number.
enum class Sign { any, positive, not_negative };

struct Key {
  std::string_view name;
  std::string_view unit = {};
  std::string_view meaning = {};
  Presence presence = Presence::optional;
  Sign sign = Sign::any;
  std::int64_t least = 1, most = std::numeric_limits<std::int64_t>::max();  ///< of a whole number
  bool of_time = false;                                                     ///< a number that may use the time `t`
  bool is_judged_whole = false;  ///< a draw of it is judged with the numbers beside it, not alone
  bool applies = true;           ///< to the struct at hand: canonical text and parameters have it
  bool is_identity = true;       ///< datasets that differ in it are different
  /// What the manual calls the default, where the member's own does not say it; empty: there is none.
  std::optional<std::string_view> default_text = {};
  std::string_view if_missing = {};  ///< what to do then, where the name does not say it
  std::string_view later = {};       ///< words of later versions, refused by name: "grid, latin_hypercube"
  std::string_view since = {};       ///< the version of jostle that reads it first; empty: 0.1
};

}  // namespace jostle
