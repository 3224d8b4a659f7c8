#pragma once
// All numbers of a scenario, or of a part of it.
#include <string>
#include <type_traits>

#include "scenarios/format/keys.hpp"

namespace jostle {
namespace detail {

enum class Members { that_apply, all };

template <class Member>
inline constexpr bool is_only_item = false;
template <class List>
inline constexpr bool is_only_item<OnlyItem<List>> = true;

/// Visits the keys; `leaf` gets every member that contains no other.
template <Members Wanted, class Leaf>
class MemberVisitor {
 public:
  MemberVisitor(std::string path, const Leaf& leaf) : path_(std::move(path)), leaf_(leaf) {}

  void operator()(auto&& member, const Key& key) const {
    if (key.applies || Wanted == Members::all)
      visit(member, path_.empty() ? std::string(key.name) : path_ + "." + std::string(key.name), key);
  }

 private:
  template <class Member>
  void visit(Member& member, const std::string& path, const Key& key) const {
    using Plain = std::remove_const_t<Member>;
    if constexpr (std::is_array_v<Plain> && !std::is_same_v<std::remove_extent_t<Plain>, bool>) {
      for (std::size_t i = 0; i < std::extent_v<Plain>; ++i) leaf_(member[i], item_path(path, i), key);
    } else if constexpr (requires { member.tag; }) {
      if (member.is_chosen()) visit(member.member, path, key);
    } else if constexpr (is_only_item<Plain>) {
      if (Wanted == Members::that_apply) visit(member.list.front(), path, key);  // otherwise visited once, in the list
    } else if constexpr (requires { member.solid; }) {
      visit(member.solid, path, key);
      visit(member.displayed, path, key);
    } else if constexpr (std::is_same_v<Plain, InertiaSpec>) {
      visit(member.moments, path, key);
      for (std::size_t i = 0; member.is_full && i < 3; ++i) leaf_(member.products[i], item_path(path, 3 + i), key);
    } else if constexpr (std::is_same_v<Plain, SpeedLimits>) {
      for (std::size_t i = 0; i < 2; ++i)
        if (member.has[i]) leaf_(member.bounds[i], item_path(path, i), key);
    } else if constexpr (std::is_same_v<Plain, JointPoints>) {
      for (std::size_t i = 0; i < 2; ++i) visit(member.points[i], member.count == 2 ? item_path(path, i) : path, key);
    } else if constexpr (std::is_same_v<Plain, CornersSpec> || std::is_same_v<Plain, PointsSpec> ||
                         std::is_same_v<Plain, OutlineSpec>) {
      for (std::size_t i = 0; i < member.list.size(); ++i) {
        const std::string of_item = item_path(path, i);
        visit(member.list[i].at, of_item, key);
        if constexpr (requires { member.list[i].bulge; })
          if (member.list[i].is_arc) leaf_(member.list[i].bulge, of_item + "[2]", Key("bulge", ""));
      }
    } else if constexpr (std::is_same_v<Plain, HolesSpec>) {
      for (std::size_t i = 0; i < member.list.size(); ++i) visit(member.list[i], item_path(path, i), key);
    } else if constexpr (std::is_same_v<Plain, RotationSpec>) {
      leaf_(member, path, key);
      visit_keys(member, MemberVisitor(path, leaf_));
      for (std::size_t i = 0; i < member.turns.size(); ++i) visit(member.turns[i], item_path(path, i), key);
    } else if constexpr (requires { member.front().where; } && !std::is_same_v<Plain, std::vector<Variable>>) {
      for (std::size_t i = 0; i < member.size(); ++i) {
        if constexpr (requires { member[i].name; }) {
          visit_keys(member[i], MemberVisitor(path + "." + member[i].name, leaf_));
        } else if constexpr (requires { member[i].place; }) {
          visit_keys(member[i], MemberVisitor(item_path(path, member[i].place), leaf_));
        } else {
          visit_keys(member[i], MemberVisitor(item_path(path, i), leaf_));
        }
      }
    } else if constexpr (HasFormat<Plain>) {
      visit_keys(member, MemberVisitor(path, leaf_));
    } else {
      leaf_(member, path, key);
    }
  }

  std::string path_;
  const Leaf& leaf_;
};

template <Members Wanted, class Spec, class Leaf>
void visit_members(Spec& spec, const std::string& path, const Leaf& leaf) {
  visit_keys(spec, MemberVisitor<Wanted, Leaf>(path, leaf));
}

}  // namespace detail

/// Calls f(number, its path, its key) for every number of `spec` that applies; `path` is that of `spec`.
template <class Spec, class F>
void visit_numbers(Spec& spec, const std::string& path, const F& f) {
  const auto leaf = [&](auto& member, const std::string& where, const Key& key) {
    if constexpr (Is<std::remove_reference_t<decltype(member)>, Number>) f(member, where, key);
  };
  detail::visit_members<detail::Members::that_apply>(spec, path, leaf);
}

/// Calls f(index) for every variable of a program.
void visit_variables_of(auto& code, const auto& f) {
  for (auto& instruction : code)
    if (instruction.op == Op::variable) f(instruction.index);
}

/// Calls f(index) for every index of a variable in `spec`, whether it applies or not.
template <class Spec, class F>
void visit_variables(Spec& spec, const F& f) {
  const auto leaf = [&](auto& member, const std::string&, const Key&) {
    using Member = std::remove_reference_t<decltype(member)>;
    if constexpr (Is<Member, Number> || Is<Member, Expression>) {
      visit_variables_of(member.code, f);
    } else if constexpr (Is<Member, RotationSpec>) {
      if (member.kind == RotationSpec::Kind::uniform)
        for (auto& index : member.uniform) f(index);
    }
  };
  if constexpr (Is<Spec, RotationSpec>) {
    leaf(spec, std::string(), Key{});
    for (auto& turn : spec.turns) visit_variables(turn, f);
  }
  detail::visit_members<detail::Members::all>(spec, {}, leaf);
}

template <class Spec>
bool uses_variables(const Spec& spec) {
  bool uses = false;
  visit_variables(spec, [&](int) { uses = true; });
  return uses;
}

}  // namespace jostle
