// What is recorded.
#include <algorithm>
#include <cctype>
#include <limits>

#include "scenarios/reader_sections.hpp"

namespace jostle {

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, RecordedSamples& recorded) {
  using Which = RecordedSamples::Which;
  if (node.kind == Node::Kind::scalar && node.text == "all") {
    recorded.which = Which::all;
  } else if (node.kind == Node::Kind::scalar && node.text == "failures") {
    recorded.which = Which::failures;
  } else if (node.kind != Node::Kind::scalar || std::isalpha(static_cast<unsigned char>(node.text[0]))) {
    reading.sources.fail(node.where, path + " must be all, failures or a whole number, not " + describe(node));
  } else {
    recorded.count = read_whole_number(reading.sources, node, path, 0, std::numeric_limits<std::int64_t>::max());
    if (recorded.count > 0) recorded.which = Which::first;
  }
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<Expression>& list) {
  for (const Node& item : read_list(reading.sources, node, path)) {
    const std::string where = item_path(path, list.size());
    Expression expression;
    read_value(reading, item, where, key, expression);
    const auto is_same = [&](const Expression& other) { return other.text == expression.text; };
    if (std::any_of(list.begin(), list.end(), is_same))
      reading.sources.fail(item.where, where + ": '" + expression.text + "' is in the list twice");
    if (expression.text.find('/') != std::string::npos)
      reading.sources.fail(item.where, where + ": a dataset cannot have '/' in its name; multiply by the reciprocal");
    list.push_back(std::move(expression));
  }
}

void check_read(const Reading& reading, const MapReader& map, RecordSpec& record) {
  if (record.contacts && solves_for_accelerations(reading.scenario.world.method))
    reading.sources.fail(map.at("contacts").where,
                         "record.contacts: with world.method loetstedt a contact has several impulses in a step, in "
                         "stages, and no row of its own; choose another method");
}

}  // namespace jostle
