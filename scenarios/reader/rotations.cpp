// Orientations and directions.
#include <cmath>

#include "scenarios/reader/sections.hpp"

namespace jostle {

void check_direction(const SourceNames& sources, const Location& where, const std::string& path,
                     std::span<const Number> vector) {
  double square = 0;
  for (const Number& component : vector) {
    if (!component.code.empty()) return;
    square += component.constant * component.constant;
  }
  constexpr double least = 1e-290;  // squares below lose places
  if (!(square > least) || !std::isfinite(square))
    sources.fail(where, path + " must have a direction, its length is 0 or infinite");
}

namespace {

void read_sequence(Reading& reading, const Node& node, const std::string& path, RotationSpec& rotation) {
  if (node.items.empty()) reading.sources.fail(node.where, path + " is an empty list: leave it out, or write a turn");
  rotation.kind = RotationSpec::Kind::sequence;
  for (const Node& item : node.items) {
    const std::string turn = item_path(path, rotation.turns.size());
    if (item.kind == Node::Kind::scalar && item.text == "uniform")
      reading.sources.fail(item.where, turn + ": 'uniform' after or before another turn is uniform; write it alone");
    if (item.kind != Node::Kind::map)
      reading.sources.fail(item.where, turn + " must be {axis, degrees} or {quaternion}, not " + describe(item));
    read_spec(reading, item, turn, rotation.turns.emplace_back());
  }
}

}  // namespace

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, RotationSpec& rotation) {
  if (node.kind == Node::Kind::scalar && node.text == "uniform") {
    rotation.kind = RotationSpec::Kind::uniform;
    for (std::size_t i = 0; i < 3; ++i)
      rotation.uniform[i] = reading.numbers.define(node, {item_path(path, i), {}, true, node.where});
    return;
  }
  if (node.kind == Node::Kind::list) return read_sequence(reading, node, path, rotation);
  if (node.kind != Node::Kind::map)
    reading.sources.fail(
        node.where,
        path + " must be {axis, degrees}, {quaternion}, a list of these, or uniform, not " + describe(node));
  read_spec(reading, node, path, rotation);
}

void check_read(const Reading& reading, const MapReader& map, RotationSpec& rotation) {
  const auto has_direction = [&](std::string_view key, std::span<const Number> vector) {
    check_direction(reading.sources, map.at(key).where, map.path(key), vector);
  };
  if (map.find("quaternion")) {
    if (map.find("axis") || map.find("degrees")) map.fail(map.path() + " has both quaternion and axis or degrees");
    rotation.kind = RotationSpec::Kind::quaternion;
    return has_direction("quaternion", rotation.quaternion);
  }
  rotation.kind = RotationSpec::Kind::axis_angle;
  has_direction("axis", rotation.axis);
  map.at("degrees");
}

void check_read(const Reading& reading, const MapReader& map, HalfSpaceSpec& half_space) {
  check_direction(reading.sources, map.at("normal").where, map.path("normal"), half_space.normal);
}

}  // namespace jostle
