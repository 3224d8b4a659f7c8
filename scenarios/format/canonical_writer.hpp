#pragma once
// Writes canonical text from the keys in format.hpp.
#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/format/keys.hpp"

namespace jostle {

/// Writes the maps of format.hpp, key by key, including defaults that the file leaves out.
class CanonicalWriter {
  using Node = CanonicalNode;

 public:
  CanonicalWriter(const std::vector<Variable>& variables, bool with_count_and_seed)
      : variables_(variables), with_count_and_seed_(with_count_and_seed) {}

  template <class Spec>
  Node map_of(const Spec& spec) const {
    Node map = Node::map(format_of<Spec>.is_block ? Node::Style::block : Node::Style::flow);
    visit_keys(spec, [&](const auto& member, const Key& key) {
      if (key.applies && (key.is_identity || with_count_and_seed_)) add(map, std::string(key.name), member);
    });
    return map;
  }

 private:
  /// Absent values are not written.
  void add(Node& map, const std::string& key, const auto& member) const { map.add(key, node(member)); }
  void add(Node& map, const std::string& key, const std::string& text) const {
    if (!text.empty()) map.add(key, Node::in_quotes(text));
  }
  void add(Node& map, const std::string& key, const RotationSpec& rotation) const {
    if (rotation.kind == RotationSpec::Kind::uniform) {
      map.add(key, Node::word("uniform").defines(rotation.uniform[0]));
    } else if (rotation.kind == RotationSpec::Kind::sequence) {
      map.add(key, list_of(rotation.turns));
    } else if (rotation.kind != RotationSpec::Kind::none) {
      map.add(key, map_of(rotation));
    }
  }
  template <class Spec>
  void add(Node& map, const std::string& key, const std::vector<Spec>& list) const {
    if (Node whole = node(list); !whole.empty()) map.add(key, std::move(whole));
  }
  template <class Tag, class Member>
  void add(Node& map, const std::string& key, const Alternative<Tag, Member>& alternative) const {
    if (alternative.is_chosen()) add(map, key, alternative.member);
  }

  Node node(const FormatVersion&) const { return Node::word("1"); }
  Node node(bool flag) const { return Node::word(flag ? "true" : "false"); }
  Node node(std::integral auto number) const { return Node::word(std::to_string(number)); }
  Node node(double number) const { return Node::number(number); }
  Node node(const Expression& expression) const { return Node::in_quotes(expression.text); }
  /// That of a copy, part[3], is no word of YAML in a list.
  static Node body_name(const std::string& name) {
    return name.find('[') == std::string::npos ? Node::word(name) : Node::in_quotes(name);
  }
  Node node(const BodyReference& body) const { return body_name(body.name); }
  template <IsEnum Enum>
  Node node(Enum value) const {
    return Node::word(word_for(value));
  }

  Node node(const Number& number) const {
    if (!number.text.empty()) return Node::in_quotes(number.text);
    if (number.code.empty()) return Node::number(number.constant);
    const int index = number.code[0].index;  // a distribution in place
    return std::move(map_of(variables_[static_cast<std::size_t>(index)].distribution).defines(index));
  }

  Node list_of(const auto& items) const {
    Node list = Node::list();
    for (const auto& item : items) list.add(node(item));
    return list;
  }
  template <std::size_t Length>
  Node node(const Number (&numbers)[Length]) const {
    return list_of(numbers);
  }
  template <class Item>
  Node node(const std::vector<Item>& items) const {
    return list_of(items);
  }

  /// A scalar is stored three times but sampled once; it is written as one number.
  Node node(const InertiaSpec& inertia) const {
    const auto& [first, second, third] = inertia.moments;
    const bool drawn_once = !first.code.empty() && first.text.empty() && second.text.empty() && !second.code.empty() &&
                            second.code[0].index == first.code[0].index;
    if (drawn_once) return node(first);
    Node list = node(inertia.moments);
    for (int i = 0; inertia.is_full && i < 3; ++i) list.add(node(inertia.products[i]));
    return list;
  }

  Node node(const bool (&freedom)[6]) const {
    Node list = Node::list();
    for (int i = 0; i < 6; ++i)
      if (freedom[i]) list.add(Node::word(std::string(freedom_names[i])));
    return list;
  }

  Node node(const Between& between) const {
    if (between.any_pair) return Node::word("any");
    Node pair = Node::list();
    return std::move(pair.add(body_name(between.first)).add(body_name(between.second)));
  }

  Node node(const JointSides& sides) const {
    Node pair = Node::list();
    return std::move(pair.add(body_name(sides.names[0])).add(body_name(sides.names[1])));
  }

  Node node(const SpeedLimits& limits) const {
    Node pair = Node::list();
    for (int i = 0; i < 2; ++i) pair.add(limits.has[i] ? node(limits.bounds[i]) : Node::word("null"));
    return pair;
  }

  Node node(const JointPoints& at) const {
    if (at.count == 1) return node(at.points[0]);
    Node both = Node::list();
    return std::move(both.add(node(at.points[0])).add(node(at.points[1])));
  }

  Node node(const CornersSpec& corners) const { return list_of(corners.list); }
  Node node(const OutlineSpec& outline) const { return list_of(outline.list); }
  Node node(const OutlineCorner& corner) const {
    Node numbers = node(corner.at);
    if (corner.is_arc) numbers.add(node(corner.bulge));
    return numbers;
  }

  Node node(const HolesSpec& holes) const { return list_of(holes.list); }
  Node node(const FacesSpec& faces) const { return list_of(faces.list); }
  Node node(const PointsSpec& points) const { return list_of(points.list); }
  Node node(const PointSpec& point) const { return node(point.at); }

  Node node(const RecordedSamples& recorded) const {
    using Which = RecordedSamples::Which;
    if (recorded.which == Which::where) return map_of(recorded.where);
    if (recorded.which == Which::listed) return list_of(recorded.list);
    return Node::word(recorded.which == Which::all        ? "all"
                      : recorded.which == Which::failures ? "failures"
                                                          : std::to_string(recorded.count));
  }

  Node node(const Bounds& bounds) const {
    Node list = Node::list();
    return std::move(list.add(Node::number(bounds.first)).add(Node::number(bounds.second)));
  }

  Node node(const std::vector<Variable>& variables) const {
    Node map = Node::map(Node::Style::block);
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (!variables[i].in_place)
        map.add(variables[i].name, map_of(variables[i].distribution).defines(static_cast<int>(i)));
    return map;
  }

  Node node(const CategorySpec&) const { return Node::map(Node::Style::flow); }  // written with its categories
  Node node(const SharesSpec&) const { return Node::map(Node::Style::flow); }
  Node node(const std::vector<OutcomeSpec>& outcomes) const {
    Node map = Node::map(Node::Style::block);
    for (std::size_t i = 0; i < outcomes.size();) {
      const std::string& category = outcomes[i].category_name;
      if (category.empty()) {
        map.add(outcomes[i].name, map_of(outcomes[i]));
        ++i;
        continue;
      }
      Node conditions = Node::map(Node::Style::flow), shares = Node::map(Node::Style::flow);
      for (; i < outcomes.size() && outcomes[i].category_name == category; ++i) {
        conditions.add(outcomes[i].name, node(outcomes[i].expression));
        if (outcomes[i].share) shares.add(outcomes[i].name, Node::number(*outcomes[i].share));
      }
      Node whole = Node::map(Node::Style::flow);
      whole.add("category", std::move(conditions));
      if (!shares.empty()) whole.add("shares", std::move(shares));
      map.add(category, std::move(whole));
    }
    return map;
  }
  Node node(const std::vector<DerivedSpec>& list) const {
    Node map = Node::map(Node::Style::block);
    for (const DerivedSpec& derived : list) map.add(derived.name, node(derived.value));
    return map;
  }

  template <detail::HasFormat Spec>
  Node node(const std::vector<Spec>& list) const {
    if constexpr (IsNamed<Spec>) {
      Node map = Node::map(Node::Style::block);
      for (const Spec& spec : list) {
        if constexpr (std::is_same_v<Spec, BodySpec>) {
          if (spec.copy == 0) map.add(spec.name_in_file(), map_of(spec));
        } else {
          map.add(spec.name, map_of(spec));
        }
      }
      return map;
    } else {
      Node items = Node::list(Node::Style::block);
      for (const Spec& spec : list) items.add(map_of(spec));
      return items;
    }
  }

  /// In the order of the file; a pattern is written where it begins.
  template <class List>
  Node node(const WithDisplayed<List>& both) const {
    Node items = Node::list(Node::Style::block);
    auto solid = both.solid.begin();
    auto displayed = both.displayed.begin();
    while (solid != both.solid.end() || displayed != both.displayed.end()) {
      const bool is_solid =
          displayed == both.displayed.end() || (solid != both.solid.end() && solid->place < displayed->place);
      const ShapeSpec& next = is_solid ? *solid++ : *displayed++;
      if (next.item == 0) items.add(map_of(next));
    }
    return items;
  }

  template <class List>
  Node node(const OnlyItem<List>& only) const {
    return map_of(only.list.front());
  }

  template <detail::HasFormat Spec>
  Node node(const Spec& spec) const {
    return map_of(spec);
  }

  const std::vector<Variable>& variables_;
  bool with_count_and_seed_;
};

}  // namespace jostle
