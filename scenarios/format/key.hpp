#pragma once
// One key of a map of a scenario file, in one line of format.hpp: Key("step", "time step").in("s").required().
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace jostle {

enum class Presence {
  optional,
  required,
  one_of  ///< exactly one of the map's keys with this mark
};

/// The sign that every component of a number must have; fraction: from 0 to 1.
enum class Sign { any, positive, not_negative, fraction };

struct Key {
  std::string_view name, meaning, unit;
  Presence presence = Presence::optional;
  Sign sign = Sign::any;
  std::int64_t least = 1, most = std::numeric_limits<std::int64_t>::max();  ///< of a whole number
  bool of_time = false;                                                     ///< a number that may use the time `t`
  bool of_motion = false;        ///< and the motion of the body that it acts on
  bool is_judged_whole = false;  ///< random values of it are checked together with other numbers, not alone
  bool applies = true;           ///< to this struct: canonical text and parameters have it
  bool is_identity = true;       ///< datasets that differ in it are different
  /// The default in the manual, if it differs from the member's own; empty: there is none.
  std::optional<std::string_view> default_text;
  std::string_view if_missing;  ///< what to write if it is missing, unless the name says it
  std::string_view since;       ///< the first version of jostle that reads it; empty: 0.1

  constexpr Key() = default;
  constexpr Key(std::string_view its_name, std::string_view its_meaning) : name(its_name), meaning(its_meaning) {}

  constexpr Key in(std::string_view its_unit) const { return with(&Key::unit, its_unit); }
  constexpr Key required() const { return with(&Key::presence, Presence::required); }
  constexpr Key one_of() const { return with(&Key::presence, Presence::one_of); }
  constexpr Key positive() const { return with(&Key::sign, Sign::positive); }
  constexpr Key not_negative() const { return with(&Key::sign, Sign::not_negative); }
  constexpr Key fraction() const { return with(&Key::sign, Sign::fraction); }
  constexpr Key from(std::int64_t number) const { return with(&Key::least, number); }
  constexpr Key to(std::int64_t number) const { return with(&Key::most, number); }
  constexpr Key with_time() const { return with(&Key::of_time, true); }
  constexpr Key with_motion() const { return with_time().with(&Key::of_motion, true); }
  constexpr Key judged_whole() const { return with(&Key::is_judged_whole, true); }
  constexpr Key only_if(bool condition) const { return with(&Key::applies, condition); }
  constexpr Key outside_identity() const { return with(&Key::is_identity, false); }
  constexpr Key default_is(std::string_view text) const { return with(&Key::default_text, text); }
  constexpr Key no_default() const { return default_is(""); }
  constexpr Key or_else(std::string_view what_to_do) const { return with(&Key::if_missing, what_to_do); }
  constexpr Key first_in(std::string_view version) const { return with(&Key::since, version); }

 private:
  template <class Member, class Value>
  constexpr Key with(Member Key::*member, const Value& value) const {
    Key key = *this;
    key.*member = value;
    return key;
  }
};

}  // namespace jostle
