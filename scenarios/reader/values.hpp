#pragma once
// Strict reading of maps, words, flags and whole numbers of a scenario.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/keys.hpp"
#include "scenarios/reader/tree.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {

/// A map of the file, checked against its possible keys: none is unknown or not supported yet, all required keys are
/// there, and exactly one of those that exclude each other.
class MapReader {
 public:
  /// `path` is the map's name in messages: "bodies.rod"; empty for the whole file.
  MapReader(const SourceNames& sources, const Node& map, const KeyTable& table, std::string path);

  const Node* find(std::string_view key) const;
  /// A key that is required.
  const Node& at(std::string_view key) const;
  std::string path() const { return path_; }
  std::string path(std::string_view key) const;
  [[noreturn]] void fail(const std::string& message) const { sources_.fail(map_.where, message); }
  /// At the value of a key: its path, then the message.
  [[noreturn]] void fail(std::string_view key, const std::string& message) const {
    sources_.fail(at(key).where, path(key) + message);
  }

 private:
  void check_keys() const;
  void check_presence() const;

  const SourceNames& sources_;
  const Node& map_;
  const KeyTable& table_;
  std::string path_;
};

/// The index of the word in `node`.
std::size_t read_word(const SourceNames& sources, const Node& node, const std::string& path,
                      const std::vector<std::string_view>& words);

/// What to write instead if a comma without quotes, or a ':' without a space after it, made a key of `entry`:
/// " (quote text that has a comma: 'gap(a, b)')"; empty if it is a normal key.
std::string split_text_hint(const std::vector<Node::Entry>& entries, const Node::Entry& entry);

/// Text of a scalar; `path` names it in messages.
const std::string& read_text(const SourceNames& sources, const Node& node, const std::string& path);

bool read_flag(const SourceNames& sources, const Node& node, const std::string& path);

/// Fails at a spelling of numbers that YAML or C know, but no scenario.
void refuse_notation(const SourceNames& sources, const Node& node, const std::string& path);

/// A whole number from `minimum` to `maximum`.
std::int64_t read_whole_number(const SourceNames& sources, const Node& node, const std::string& path,
                               std::int64_t minimum, std::int64_t maximum);

/// The items of a list, or of a list of exactly `length` items.
const std::vector<Node>& read_list(const SourceNames& sources, const Node& node, const std::string& path,
                                   std::optional<std::size_t> length = {});
const std::vector<Node::Entry>& read_map(const SourceNames& sources, const Node& node, const std::string& path,
                                         const std::string& example = {});

/// Fails unless `name` begins with a letter or '_' and continues with letters, digits and '_'.
void check_identifier(const SourceNames& sources, const Node::Entry& entry, const std::string& what);

}  // namespace jostle
