// Who reads and who writes a field stands in its list (core/model/workspace_fields.hpp, core/model/fields.hpp): a room
// of core/ that uses a field is in one of its two columns, a room that assigns to it is a writer, and every room that
// is listed uses it. What a function gets as an argument is seen where the field is handed to it.
#include "core/model/fields.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/model/workspace_fields.hpp"
#include "tests/architecture/source_files.hpp"

namespace jostle::test {
namespace {

using Rooms = std::set<std::string>;

struct Users {
  Rooms writers, readers;
};
using UsersOfFields = std::map<std::string, Users>;

Rooms rooms_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

UsersOfFields users_of_workspace() {
  UsersOfFields users;
  std::string room;
#define JOSTLE_LIST(type, name, extent, memory, unit, writers, readers, meaning) \
  users[#name] = {rooms_of(room + " " + writers), rooms_of(readers)};
  JOSTLE_SHARED_FIELDS(JOSTLE_LIST)
  room = "dynamics";
  JOSTLE_DYNAMICS_FIELDS(JOSTLE_LIST)
  room = "prescribed";
  JOSTLE_PRESCRIBED_FIELDS(JOSTLE_LIST)
  room = "contacts";
  JOSTLE_CONTACTS_FIELDS(JOSTLE_LIST)
  room = "joints";
  JOSTLE_JOINTS_FIELDS(JOSTLE_LIST)
  room = "assembly";
  JOSTLE_ASSEMBLY_FIELDS(JOSTLE_LIST)
  room = "guess";
  JOSTLE_GUESS_FIELDS(JOSTLE_LIST)
  room = "cone";
  JOSTLE_CONE_FIELDS(JOSTLE_LIST)
  room = "stages";
  JOSTLE_STAGES_FIELDS(JOSTLE_LIST)
  room = "events";
  JOSTLE_EVENTS_FIELDS(JOSTLE_LIST)
  room = "accelerations";
  JOSTLE_ACCELERATIONS_FIELDS(JOSTLE_LIST)
  room = "records";
  JOSTLE_RECORDS_FIELDS(JOSTLE_LIST)
#undef JOSTLE_LIST
  return users;
}

UsersOfFields users_of_state() {
  UsersOfFields users;
#define JOSTLE_LIST(type, name, extent, unit, stage, writers, readers) \
  users[#name] = {rooms_of(writers), rooms_of(readers)};
  JOSTLE_ALL_STATE(JOSTLE_LIST)
#undef JOSTLE_LIST
  return users;
}

UsersOfFields users_of_parameters() {
  UsersOfFields users;
#define JOSTLE_LIST(type, name, extent, unit, readers) users[#name] = {{}, rooms_of(readers)};
  JOSTLE_PARAMETERS(JOSTLE_LIST)
#undef JOSTLE_LIST
  return users;
}

std::string room_of_file(const std::string& path) {
  const std::string in_core = path.substr(path.find('/') + 1);
  return in_core.substr(0, in_core.find_first_of("/."));
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_one_of(char c, const std::string& list) { return list.find(c) != std::string::npos; }

/// Behind the bracket that closes the one at `open`.
std::size_t behind_brackets(const std::string& text, std::size_t open) {
  int depth = 0;
  do {
    if (is_one_of(text[open], "([{")) ++depth;
    if (is_one_of(text[open], ")]}")) --depth;
    ++open;
  } while (depth > 0 && open < text.size());
  return open;
}

/// Whether what follows the use of a field assigns to it or to a part of it.
bool is_assigned(const std::string& text, std::size_t at) {
  for (;;) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    if (text[at] == '.')
      while (is_of_name(text[++at]))
        ;
    else if (text[at] == '[' || text[at] == '(')
      at = behind_brackets(text, at);
    else
      break;
  }
  if (text[at] == '=') return text[at + 1] != '=';
  return is_one_of(text[at], "+-*|&") && (text[at + 1] == '=' || text.compare(at, 2, "++") == 0);
}

/// Where the expression begins whose member access ends at `at`: "system.state()" of "= system.state().steps".
std::size_t begin_of_expression(const std::string& text, std::size_t at) {
  while (at > 0 && (is_of_name(text[at - 1]) || text[at - 1] == '.')) --at;
  return at;
}

/// Whether what stands before it makes a reference or a pointer through which it can be written.
bool is_bound(const std::string& text, std::size_t at) {
  const std::size_t statement = text.find_last_of(";{}", at) + 1, part = text.find_last_of(";{},()", at) + 1;
  std::string whole = text.substr(statement, at - statement);
  const std::string own = text.substr(part, at - part);
  for (const std::string pointer : {"* const ", "*const "})  // is itself constant, not what it points to
    if (const std::size_t found = whole.find(pointer); found != std::string::npos) whole.erase(found, pointer.size());
  const std::size_t last = own.find_last_not_of(" \n");
  return last != std::string::npos && own[last] == '=' && own.substr(0, last).ends_with(' ') &&
         own.find_first_of("&*") != std::string::npos && own.find('[') == std::string::npos &&
         whole.find("const ") == std::string::npos;
}

/// Whether it is what set_vector() or set_quaternion() writes (core/model/system.hpp).
bool is_set(const std::string& text, std::size_t at) {
  const std::string before = text.substr(0, at);
  return before.ends_with("set_vector(") || before.ends_with("set_quaternion(");
}

/// visit(name, is_written, position) for every use of a field in a text, as a member of `object`.
void for_each_use(const std::string& text, const std::string& object, const UsersOfFields& listed, auto visit) {
  const std::string access = object + ".";
  for (std::size_t at = text.find(access); at != std::string::npos; at = text.find(access, at + 1)) {
    if (at > 0 && is_of_name(text[at - 1])) continue;
    const std::size_t name = at + access.size();
    std::size_t end = name;
    while (is_of_name(text[end])) ++end;
    const auto field = listed.find(text.substr(name, end - name));
    if (field == listed.end()) continue;
    const std::size_t begin = begin_of_expression(text, at),
                      behind = text[end] == '(' ? behind_brackets(text, end) : end;
    visit(field->first, is_assigned(text, behind) || is_bound(text, begin) || is_set(text, begin), at);
  }
}

/// The names of the variables of a type in a text.
std::set<std::string> variables_of(const std::string& type, const std::string& text) {
  std::set<std::string> names;
  for (std::size_t at = text.find(type); at != std::string::npos; at = text.find(type, at + 1)) {
    const std::size_t name = text.find_first_not_of("& ", at + type.size());
    std::size_t end = name;
    while (is_of_name(text[end])) ++end;
    if (end > name && name > at + type.size()) names.insert(text.substr(name, end - name));
  }
  return names;
}

/// `objects_of(text)`: the expressions whose members the fields are.
void check_users(const UsersOfFields& listed, auto objects_of) {
  std::map<std::string, Rooms> using_rooms;
  for (const SourceFile& file : source_files({"core"}, code_endings)) {
    std::string text;
    for (const std::string& line : file.lines) text += without_comment(line) + '\n';
    const std::string room = room_of_file(file.path);
    for (const std::string& object : objects_of(text)) {
      for_each_use(text, object, listed, [&](const std::string& name, bool is_written, std::size_t at) {
        const auto line =
            static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
        const Users& users = listed.at(name);
        using_rooms[name].insert(room);
        EXPECT_TRUE(users.writers.contains(room) || (!is_written && users.readers.contains(room)))
            << file.place(line) << ": " << room << (is_written ? " writes " : " uses ") << name;
      });
    }
  }
  for (const auto& [name, users] : listed) {
    for (const Rooms& rooms : {users.writers, users.readers})
      for (const std::string& room : rooms)
        EXPECT_TRUE(using_rooms[name].contains(room)) << room << " needs no " << name;
    for (const std::string& room : users.writers) EXPECT_FALSE(users.readers.contains(room)) << room << ", " << name;
  }
}

using Names = std::set<std::string>;

TEST(Fields, OfAWorkspaceAreReadAndWrittenByTheRoomsThatTheirListNames) {
  const UsersOfFields listed = users_of_workspace();
  for (const auto& [name, users] : listed) EXPECT_FALSE(users.writers.empty()) << name;
  check_users(listed, [](const std::string&) { return Names{"work", "work_"}; });
}

TEST(Fields, OfTheStateAreReadAndWrittenByTheRoomsThatTheirListNames) {
  const UsersOfFields listed = users_of_state();
  for (const auto& [name, users] : listed) EXPECT_FALSE(users.writers.empty()) << name;
  check_users(listed, [](const std::string& text) {
    Names objects = variables_of("StateView", text);
    objects.insert("state()");
    return objects;
  });
}

TEST(Fields, OfParametersAreReadByTheRoomsThatTheirListNames) {
  const UsersOfFields listed = users_of_parameters();
  for (const auto& [name, users] : listed) EXPECT_FALSE(users.readers.empty()) << name;
  check_users(listed, [](const std::string& text) {
    Names objects = variables_of("ParameterView", text);
    objects.insert("parameters()");
    return objects;
  });
}

}  // namespace
}  // namespace jostle::test
