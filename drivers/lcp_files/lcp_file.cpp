#include "drivers/lcp_files/lcp_file.hpp"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "drivers/errors.hpp"
#include "drivers/lcp_files/numpy_archive.hpp"
#include "scenarios/text/file.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

using nlohmann::json;

std::string item(const std::string& list, std::size_t index) { return list + "[" + std::to_string(index) + "]"; }

/// FILE:line:column of the byte with this number, from 0.
std::string place(const std::string& file, const std::string& text, std::size_t byte) {
  const std::string before = text.substr(0, byte);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

[[noreturn]] void refuse(const std::string& where, const std::string& message) {
  throw UsageError(where + ": " + message);
}

std::string read_whole(const std::string& file) {
  if (file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  try {
    return bytes_of_file(file, "a file of LCPs");
  } catch (const UnreadableFile& error) {
    refuse(file + ":1:1", error.what());
  }
}

/// Refuses a duplicate key: the parser would silently keep the last one.
class KeysStandOnce {
 public:
  explicit KeysStandOnce(const std::string& file) : file_(file) {}
  bool operator()(int /*depth*/, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::object_start) open_.emplace_back();
    if (event == json::parse_event_t::object_end) open_.pop_back();
    if (event == json::parse_event_t::key && !open_.back().insert(parsed.get<std::string>()).second)
      refuse(file_, "key '" + parsed.get<std::string>() + "' stands twice in one object");
    return true;
  }

 private:
  const std::string& file_;
  std::vector<std::set<std::string>> open_;  ///< the keys of the objects that are not closed yet
};

/// Is there a NaN or an infinity as Python writes it? The parser stops within the word.
bool stands_for_no_number(const std::string& text, std::size_t at) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  std::size_t begin = std::min(at, text.size());
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  if (begin < text.size() && text[begin] == '-') ++begin;
  const std::string_view rest = std::string_view(text).substr(begin);
  return rest.starts_with("NaN") || rest.starts_with("nan") || rest.starts_with("Inf") || rest.starts_with("inf");
}

constexpr const char* blanks = " \t\r\n";

/// The JSON in text[begin, end).
json parse(const std::string& file, const std::string& text, std::size_t begin, std::size_t end) {
  try {
    return json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                       text.begin() + static_cast<std::ptrdiff_t>(end), KeysStandOnce(file));
  } catch (const json::parse_error& error) {
    const std::size_t at = begin + (error.byte > 0 ? error.byte - 1 : 0);
    refuse(place(file, text, at), stands_for_no_number(text, at)
                                      ? "numbers must be finite; JSON has no " + std::string("NaN or infinity")
                                      : "not valid JSON");
  } catch (const json::out_of_range& error) {  // "[json.exception...] number overflow parsing '1e999'"
    const std::string message = error.what();
    const std::size_t first = message.find('\'') + 1;
    const std::string number = message.substr(first, message.rfind('\'') - first);
    refuse(place(file, text, text.find(number, begin)), number + " is outside the range of doubles");
  }
}

/// The place of something inside `where`: "lcp.json: M", "lcp.json: [1].M".
std::string member(const std::string& where, const std::string& name) {
  return where + (where.ends_with(']') ? "." : ": ") + name;
}

/// The value as a message shows it.
std::string shown(const json& value) {
  constexpr std::size_t longest = 40;
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  std::string text = value.dump(-1, ' ', true);  // in ASCII and on one line
  if (value.is_string()) text = text.substr(1, text.size() - 2);
  return "'" + text.substr(0, longest) + (text.size() > longest ? "...'" : "'");
}

std::vector<double> read_numbers(const json& list, std::size_t size, const std::string& where) {
  if (!list.is_array()) refuse(where, "expected a list of numbers, not " + shown(list));
  if (list.size() != size)
    refuse(where, "expected as many numbers as q has, " + std::to_string(size) + ", not " +
                      std::to_string(list.size()) + ": M must be square");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < size; ++i) {
    if (!list[i].is_number()) refuse(item(where, i), "expected a finite number, not " + shown(list[i]));
    numbers.push_back(list[i].get<double>());
  }
  return numbers;
}

const json& key(const json& problem, const char* name, const std::string& where) {
  const auto found = problem.find(name);
  if (found == problem.end())
    refuse(where, "key '" + std::string(name) + R"(' is missing in {"M": [[...]], "q": [...]})");
  if (!found->is_array()) refuse(member(where, name), "expected a list, not " + shown(*found));
  return *found;
}

void check_keys(const json& problem, const std::string& where) {
  if (!problem.is_object()) refuse(where, R"(expected {"M": [[...]], "q": [...]}, not )" + shown(problem));
  for (const auto& [name, value] : problem.items()) {
    if (name == "name" && !value.is_string()) refuse(member(where, name), "expected a text, not " + shown(value));
    if (name != "M" && name != "q" && name != "name" && name != "labels")
      refuse(where, "unknown key " + shown(name) + did_you_mean_or_known(name, {"M", "q", "name"}));
  }
}

NamedLcp read_problem(const json& problem, const std::string& where) {
  check_keys(problem, where);
  const json& M = key(problem, "M", where);
  const json& q = key(problem, "q", where);
  DenseLcp lcp{{}, read_numbers(q, q.size(), member(where, "q"))};
  if (M.size() != q.size())
    refuse(member(where, "M"),
           "expected as many rows as q has numbers, " + std::to_string(q.size()) + ", not " + std::to_string(M.size()));
  for (std::size_t i = 0; i < M.size(); ++i) {
    const std::vector<double> row = read_numbers(M[i], q.size(), item(member(where, "M"), i));
    lcp.M.insert(lcp.M.end(), row.begin(), row.end());
  }
  return {std::move(lcp), problem.value("name", "")};
}

/// Whether every line is a problem of its own: the first one is complete, and there are others.
bool has_a_problem_per_line(const std::string& text) {
  const std::size_t first = text.find_first_not_of(blanks), end = text.find('\n', first);
  return text[first] == '{' && end != std::string::npos && text.find_first_not_of(blanks, end) != std::string::npos &&
         json::accept(text.begin() + static_cast<std::ptrdiff_t>(first),
                      text.begin() + static_cast<std::ptrdiff_t>(end));
}

std::vector<NamedLcp> read_lines(const std::string& file, const std::string& text) {
  std::vector<NamedLcp> problems;
  std::size_t line = 0;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    ++line;
    if (text.find_first_not_of(blanks, begin) < end)
      problems.push_back(read_problem(parse(file, text, begin, end), file + ":" + std::to_string(line)));
  }
  return problems;
}

}  // namespace

std::vector<NamedLcp> lcps_of(const std::string& text, const std::string& file) {
  if (is_zip(text)) return lcps_of_archive(text, file);
  if (text.find_first_not_of(blanks) == std::string::npos) refuse(file + ":1:1", "the file is empty");
  if (has_a_problem_per_line(text)) return read_lines(file, text);
  const json content = parse(file, text, 0, text.size());
  if (!content.is_array()) return {read_problem(content, file)};
  if (content.empty()) refuse(file + ":1:1", "the list holds no problem");
  std::vector<NamedLcp> problems;
  for (std::size_t i = 0; i < content.size(); ++i) problems.push_back(read_problem(content[i], item(file + ": ", i)));
  return problems;
}

std::vector<NamedLcp> read_lcp_file(const std::string& file) {
  return lcps_of(read_whole(file), file == "-" ? "<stdin>" : file);
}

}  // namespace jostle
