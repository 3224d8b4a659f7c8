#pragma once
#include <map>
#include <string>
#include <string_view>

namespace jostle {

/// Files that the build puts into the program, by their names: those of drivers/pages and scenarios/library, and the
/// library's golden digests.
const std::map<std::string, std::string_view>& embedded_files();

}  // namespace jostle
