#pragma once
// What became of each element of a file that is imported: nothing is left out without a word.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace jostle {

enum class Fate {
  used,       ///< the scenario says it
  converted,  ///< the scenario says it in another way, which the text explains
  ignored,    ///< it does not change motion
  refused     ///< it changes motion, and the scenario cannot say it
};

struct ImportNote {
  Fate fate = Fate::used;
  int line = 0;
  std::string
      item;  ///< "joint 'elbow' mimic"; its first word with a meaning of its own, "mimic", is what may be allowed
  std::string kind;     ///< "mimic": the name by which it can be allowed
  std::string message;  ///< how it was converted, why it was ignored or refused; may be empty
};

struct Import {
  std::string scenario;  ///< YAML
  std::vector<ImportNote> notes;
  std::vector<std::string> meshes;  ///< files that a robot refers to

  /// Whether all that changes motion is in the scenario, or allowed by its kind to be left out.
  bool is_complete(const std::vector<std::string>& allowed) const {
    return std::ranges::all_of(notes, [&](const ImportNote& note) {
      return note.fate != Fate::refused || std::ranges::find(allowed, note.kind) != allowed.end();
    });
  }
};

inline std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::used: return "used";
    case Fate::converted: return "converted";
    case Fate::ignored: return "ignored";
    case Fate::refused: return "refused";
  }
  return "";
}

}  // namespace jostle
