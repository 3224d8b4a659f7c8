#pragma once
// Reads the maps of format.hpp: for every key in the file, a visitor calls read_value() for the member's type.
// All of these throw ScenarioError.
#include <map>
#include <string>
#include <vector>

#include "scenarios/format/format.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/parameters/must_be_zero.hpp"
#include "scenarios/parts/closed_surface.hpp"
#include "scenarios/reader/numbers.hpp"
#include "scenarios/reader/values.hpp"

namespace jostle {

/// Shapes that take long to make. Copies of a body, and patterns, have the same ones from the same place of the file.
struct KnownShapes {
  struct Surface {
    Location where;
    std::vector<Vec3> points;
    std::vector<SurfaceFace> faces;
    HullSpec hull;
  };
  std::vector<Surface> surfaces;
  std::map<std::string, HullSpec> meshes;  ///< by their keys and their place; without radius
};

/// A scenario while it is read: members earlier in format.hpp are already set.
struct Reading {
  const SourceNames& sources;
  Scenario& scenario;
  NumberReader numbers;
  mutable KnownShapes known;

  Reading(const SourceNames& names, Scenario& whole) : sources(names), scenario(whole), numbers(names, whole) {}
};

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, FormatVersion& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, std::string& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, bool& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, int& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, std::int64_t& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, std::uint64_t& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, double& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, Number& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<double>& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, InertiaSpec& inertia);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, bool (&freedom)[6]);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, RotationSpec& rotation);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, Between& between);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, BodyReference& body);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, JointSides& sides);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, JointPoints& at);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, SpeedLimits& limits);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, CornersSpec& corners);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, PointsSpec& points);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, OutlineSpec& outline);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, HolesSpec& holes);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, FacesSpec& faces);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, Expression& expression);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, RecordedSamples& recorded);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<Expression>& list);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<Variable>& member);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<DerivedSpec>& derived);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, CategorySpec& category);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, SharesSpec& shares);

/// Checks and sets what depends on more than one key of a map. `map` is the map that `spec` was read from.
void check_read(const Reading& reading, const MapReader& map, Scenario& scenario);
void check_read(const Reading& reading, const MapReader& map, WorldSpec& world);
void check_read(const Reading& reading, const MapReader& map, ImpactSpec& impact);
void check_read(const Reading& reading, const MapReader& map, BodySpec& body);
void check_read(const Reading& reading, const MapReader& map, ShapeSpec& shape);
void check_read(const Reading& reading, const MapReader& map, MeshSpec& mesh);
void check_read(const Reading& reading, const MapReader& map, PatternSpec& pattern);
void check_read(const Reading& reading, const MapReader& map, HalfSpaceSpec& half_space);
void check_read(const Reading& reading, const MapReader& map, RotationSpec& rotation);
void check_read(const Reading& reading, const MapReader& map, ContactRule& rule);
void check_read(const Reading& reading, const MapReader& map, AcrossSpec& across);
void check_read(const Reading& reading, const MapReader& map, JointSpec& joint);
void check_read(const Reading& reading, const MapReader& map, SpringSpec& spring);
void check_read(const Reading& reading, const MapReader& map, ForceSpec& force);
void check_read(const Reading& reading, const MapReader& map, ImpulseSpec& impulse);
void check_read(const Reading& reading, const MapReader& map, SampleSpec& sample);
void check_read(const Reading& reading, const MapReader& map, VariedSpec& varied);
void check_read(const Reading& reading, const MapReader& map, OutcomeSpec& outcome);
void check_read(const Reading& reading, const MapReader& map, AtFirstSpec& first);
void check_read(const Reading& reading, const MapReader& map, RecordSpec& record);
void check_read(const Reading& reading, const MapReader& map, RecordedWhere& where);
template <class Spec>
void check_read(const Reading&, const MapReader&, Spec&) {}

/// The same for a list or map of such maps.
void check_list(const Reading& reading, const Node& node, const std::vector<BodySpec>& bodies);
void check_list(const Reading& reading, const Node& node, const std::vector<ContactRule>& rules);
void check_list(const Reading& reading, const Node& node, const std::vector<JointSpec>& joints);
void check_list(const Reading& reading, const Node& node, const std::vector<SpringSpec>& springs);
template <class Spec>
void check_list(const Reading&, const Node&, const std::vector<Spec>&) {}

/// Fails if one of these is not 0 in every sample, as far as the file says.
void refuse_unless_zero(const Reading& reading, const MapReader& map, const std::vector<MustBeZero>& numbers);

/// Fails if the name of `what`, such as a body, means something else in expressions, rules, joints or springs.
void refuse_reserved(const SourceNames& sources, const Location& where, const std::string& what,
                     const std::string& name);

/// Fails if all numbers are constant and the vector has no direction.
void check_direction(const SourceNames& sources, const Location& where, const std::string& path,
                     std::span<const Number> vector);

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<BodySpec>& bodies);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<ShapeSpec>& shapes);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<JointSpec>& joints);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<SpringSpec>& springs);
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<OutcomeSpec>& outcomes);

/// A number of the last force, which may use the time and the motion of bodies and joints.
Number read_number_of_motion(Reading& reading, const Node& node, const std::string& path, const Key& key);

/// Reads every key of the map, then calls check_read().
template <class Spec>
void read_spec(Reading& reading, const Node& node, const std::string& path, Spec& spec) {
  const MapReader map(reading.sources, node, key_table<Spec>(), path);
  visit_keys(spec, [&](auto&& member, const Key& key) {
    if (const Node* value = map.find(key.name)) read_value(reading, *value, map.path(key.name), key, member);
  });
  check_read(reading, map, spec);
}

template <detail::HasFormat Spec>
void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, Spec& member) {
  if constexpr (requires { member.where; }) member.where = node.where;
  read_spec(reading, node, path, member);
}

template <IsEnum Enum>
void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, Enum& member) {
  member = standard(static_cast<Enum>(read_word(reading.sources, node, path, words<Enum>())));
}

template <std::size_t Length>
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, Number (&vector)[Length]) {
  const std::vector<Node>& items = read_list(reading.sources, node, path, Length);
  for (std::size_t i = 0; i < Length; ++i) {
    const std::string where = item_path(path, i);
    vector[i] = key.of_motion ? read_number_of_motion(reading, items[i], where, key)
                              : reading.numbers.read(items[i], where, key);
  }
}

/// A map whose keys the user chose, or a list.
template <detail::HasFormat Spec>
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, std::vector<Spec>& list) {
  if constexpr (IsNamed<Spec>) {
    for (const Node::Entry& entry : read_map(reading.sources, node, path)) {
      check_identifier(reading.sources, entry, std::string(format_of<Spec>.name));
      Spec& spec = list.emplace_back();
      spec.name = entry.key;
      spec.where = entry.where;
      read_spec(reading, entry.value, path + "." + entry.key, spec);
    }
  } else {
    for (const Node& item : read_list(reading.sources, node, path)) {
      Spec& spec = list.emplace_back();
      read_value(reading, item, item_path(path, list.size() - 1), key, spec);
    }
  }
  check_list(reading, node, list);
}

template <class List>
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                const OnlyItem<List>& only) {
  read_value(reading, node, path, key, only.list.emplace_back());
}

template <class List>
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                const WithDisplayed<List>& both) {
  read_value(reading, node, path, key, both.solid);  // check_read() of the body takes out those that are displayed
}

template <class Tag, class Member>
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                const Alternative<Tag, Member>& alternative) {
  alternative.tag = alternative.value;
  read_value(reading, node, path, key, alternative.member);
}

}  // namespace jostle
