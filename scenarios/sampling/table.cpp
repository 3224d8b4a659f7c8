#include "scenarios/sampling/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenarios/text/file.hpp"
#include "scenarios/text/suggest.hpp"
#include "scenarios/text/utf8.hpp"

namespace jostle {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Iterates over the fields of the file and tracks the position.
class Reader {
 public:
  Reader(const std::string& file, std::string_view bytes) : file_(file), rest_(bytes) {
    if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);  // byte order mark
  }

  /// Moves to the next line; false after the last one.
  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    text_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    position_ = 0;
    return true;
  }
  bool blank() const { return trimmed(text_).empty(); }
  bool only_blanks_left() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

  /// Reads the next field of the line without blanks around it; false, and at the end of the line, if there is none.
  bool next_field() {
    if (position_ > text_.size()) {
      column_ = static_cast<int>(trimmed(text_).size());
      return false;
    }
    const std::size_t end = std::min(text_.find(',', position_), text_.size());
    const std::string_view whole = text_.substr(position_, end - position_);
    field_ = trimmed(whole);
    column_ = static_cast<int>(position_ + (field_.empty() ? 0 : field_.data() - whole.data()));
    position_ = end + 1;
    return true;
  }
  std::string_view field() const { return field_; }

  [[noreturn]] void fail(const std::string& message) const { fail_at(column_ + 1, message); }
  [[noreturn]] void fail_at(int column, const std::string& message) const {
    throw ScenarioError(file_, std::max(line_, 1), column, message);
  }

 private:
  const std::string& file_;
  std::string_view rest_;  ///< behind the current line
  std::string_view text_;  ///< the current line
  std::string_view field_;
  int line_ = 0;
  int column_ = 0;            ///< of field_, from 0
  std::size_t position_ = 0;  ///< of the field after field_
};

std::string_view without_quotes(std::string_view name) {
  const bool quoted = name.size() >= 2 && name.front() == '"' && name.back() == '"';
  return quoted ? name.substr(1, name.size() - 2) : name;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> read_header(Reader& reader, const std::vector<std::string>& variables) {
  std::vector<std::string> columns;
  while (reader.next_field()) {
    const std::string name(without_quotes(reader.field()));
    if (name.empty()) reader.fail("a column without a name");
    if (!contains(variables, name)) {
      reader.fail("column " + excerpt(name) + " names no variable of the scenario" + did_you_mean(name, variables));
    }
    if (contains(columns, name)) reader.fail("column " + excerpt(name) + " stands twice");
    columns.push_back(name);
  }
  return columns;
}

double read_number(const Reader& reader) {
  std::string_view text = without_quotes(reader.field());
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty()) reader.fail("a number is missing");
  if (error == std::errc::result_out_of_range) reader.fail(excerpt(text) + " is outside the range of doubles");
  if (error != std::errc() || end != text.data() + text.size()) reader.fail(excerpt(text) + " is not a number");
  if (!std::isfinite(value)) reader.fail(excerpt(text) + " is not finite");
  return value;
}

void read_row(Reader& reader, const std::vector<std::string>& columns, std::vector<double>& values) {
  for (const std::string& column : columns) {
    if (!reader.next_field()) reader.fail("the row ends before column " + excerpt(column));
    values.push_back(read_number(reader));
  }
  if (reader.next_field()) reader.fail("the row has more fields than the header");
}

}  // namespace

Table::Table(const std::string& file, std::string bytes, const std::vector<std::string>& variables)
    : bytes_(std::move(bytes)) {
  Reader reader(file, bytes_);
  if (bytes_.find('\0') != std::string::npos) reader.fail_at(1, "the table is not a text file");
  if (!reader.next_line() || reader.blank())
    reader.fail_at(1, "the table does not begin with the names of its columns");
  columns_ = read_header(reader, variables);
  while (!reader.only_blanks_left()) {
    reader.next_line();
    if (reader.blank()) reader.fail_at(1, "an empty line between the rows");
    read_row(reader, columns_, values_);
  }
  if (values_.empty()) reader.fail_at(1, "the table has no rows");
}

Table Table::load(const std::string& file, const std::vector<std::string>& variables) {
  try {
    return Table(file, bytes_of_file(file, "a file of numbers"), variables);
  } catch (const UnreadableFile& error) {
    throw ScenarioError(file, 1, 1, std::string("the table ") + error.what());
  }
}

}  // namespace jostle
