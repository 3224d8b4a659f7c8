#include "scenarios/import/ledger.hpp"

#include <algorithm>

namespace jostle {

bool Import::is_complete(const std::vector<std::string>& allowed) const {
  return std::ranges::all_of(notes, [&](const ImportNote& note) {
    return note.fate != Fate::refused || std::ranges::find(allowed, note.kind) != allowed.end();
  });
}

}  // namespace jostle
