#pragma once
#include <string>

#include "scenarios/keys.hpp"

namespace jostle {

/// JSON Schema (draft 2020-12) of a scenario file, made from the list of keys. It knows types, required and unknown
/// keys; what depends on values (units, names, physics) is the reader's.
std::string json_schema();
/// Of one kind of map.
std::string json_schema(const KeyTable& table);

}  // namespace jostle
