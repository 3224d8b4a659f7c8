#pragma once
#include <string>

#include "scenarios/format/keys.hpp"

namespace jostle {

/// JSON Schema (draft 2020-12) of a scenario file, made from the list of keys. It checks types, required and unknown
/// keys; the reader checks what depends on values (units, names, physics).
std::string json_schema();
/// The schema of one kind of map.
std::string json_schema(const KeyTable& table);

}  // namespace jostle
