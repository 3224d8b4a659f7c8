// The values that many keys have.
#include "scenarios/reader/members.hpp"

#include <charconv>

namespace jostle {

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, FormatVersion&) {
  constexpr std::int64_t version = 1;
  if (read_whole_number(reading.sources, node, path, 1, std::numeric_limits<std::int64_t>::max()) != version)
    reading.sources.fail(node.where, path + ": " + node.text + " is a later format, this version reads format 1");
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, std::string& member) {
  member = read_text(reading.sources, node, path);
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, bool& member) {
  member = read_flag(reading.sources, node, path);
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, int& member) {
  const std::int64_t most = std::min<std::int64_t>(key.most, std::numeric_limits<int>::max());
  member = static_cast<int>(read_whole_number(reading.sources, node, path, key.least, most));
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, std::int64_t& member) {
  member = read_whole_number(reading.sources, node, path, key.least, key.most);
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, std::uint64_t& member) {
  refuse_notation(reading.sources, node, path);
  const char* end = node.text.data() + node.text.size();
  const auto [stop, error] = std::from_chars(node.text.data(), end, member);
  if (node.kind != Node::Kind::scalar || node.quoted || stop != end || error != std::errc())
    reading.sources.fail(node.where, path + " must be a whole number from 0 to 2^64 - 1, not " + describe(node));
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, double& member) {
  member = reading.numbers.read_same(node, path, key);
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, Number& member) {
  member = reading.numbers.read(node, path, key);
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<double>& member) {
  member = read_constants(reading.sources, node, path, key);
}

}  // namespace jostle
