#pragma once
// What the lists of keys say of a struct: its maps, and the members that are more than one value.
#include <concepts>
#include <type_traits>

#include "scenarios/format/key.hpp"
#include "scenarios/format/words.hpp"

namespace jostle {

/// The name of a struct's maps, and how they are written.
struct MapFormat {
  std::string_view name;
  std::string_view where;  ///< where such a map occurs, e.g. "bodies.NAME"
  bool is_block = false;   ///< canonical text: every entry on its own line
};
/// Specialised for every struct that visit_keys() knows.
template <class Spec>
inline constexpr MapFormat format_of{};

template <class T, class Spec>
concept Is = std::same_as<std::remove_const_t<T>, Spec>;
template <class T>
concept IsEnum = std::is_enum_v<T>;
/// Its maps have names that the user chooses; others are items of a list.
template <class T>
concept IsNamed = requires(T spec) {
  spec.name;
};

/// A key that makes a choice: if it is present, `tag` is `value`, and its map or number is `member`.
template <class Tag, class Member>
struct Alternative {
  Tag& tag;
  std::remove_const_t<Tag> value;
  Member& member;
  bool is_chosen() const { return tag == value; }
};
template <class Tag, class Value, class Member>
Alternative(Tag&, Value, Member&) -> Alternative<Tag, Member>;

/// The only item of a list, written without the list.
template <class List>
struct OnlyItem {
  List& list;
};
template <class List>
OnlyItem(List&) -> OnlyItem<List>;

/// A list in the file that is two in the model: shapes, and those that are only displayed.
template <class List>
struct WithDisplayed {
  List& solid;
  List& displayed;
};
template <class List>
WithDisplayed(List&, List&) -> WithDisplayed<List>;

/// Of a key without a member.
struct FormatVersion {};

}  // namespace jostle
