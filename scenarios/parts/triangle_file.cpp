#include "scenarios/parts/triangle_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "scenarios/parts/ear_clipping.hpp"
#include "scenarios/text/error.hpp"
#include "scenarios/text/number.hpp"
#include "scenarios/text/utf8.hpp"

namespace jostle {
namespace {

constexpr std::size_t most_triangles = 10'000'000;

/// Words of a text, line by line.
class MeshLines {
 public:
  /// `joins`: whether a line that ends with a backslash continues in the next one, unless that ends a comment.
  explicit MeshLines(const std::string& text, bool joins = false) : text_(text), joins_(joins) {}

  /// The words of the next line that has any; false at the end.
  bool next() {
    words_.clear();
    while (words_.empty() && at_ < text_.size()) {
      number_ = next_number_;
      do take_line();
      while (continues() && at_ < text_.size());
    }
    return !words_.empty();
  }
  /// Of the first one, if lines are joined.
  int number() const { return number_; }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  /// Up to LF, CR LF or CR.
  void take_line() {
    const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    split(text_.substr(at_, end - at_));
    at_ = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1), ++next_number_;
  }

  /// Takes away the backslash.
  bool continues() {
    if (!joins_ || words_.empty() || !words_.back().ends_with('\\')) return false;
    if (std::ranges::any_of(words_, [](std::string_view word) { return word.starts_with('#'); })) return false;
    words_.back().remove_suffix(1);
    if (words_.back().empty()) words_.pop_back();
    return true;
  }

  void split(std::string_view line) {
    constexpr const char* blanks = " \t\f\v";
    for (std::size_t at = line.find_first_not_of(blanks); at < line.size(); at = line.find_first_not_of(blanks, at)) {
      const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
      words_.push_back(line.substr(at, end - at));
      at = end;
    }
  }

  std::string_view text_;
  bool joins_ = false;
  std::size_t at_ = 0;
  int number_ = 0, next_number_ = 1;
  std::vector<std::string_view> words_;
};

bool equal_but_for_case(std::string_view one, std::string_view other) {
  return std::ranges::equal(
      one, other, {}, [](unsigned char c) { return std::tolower(c); }, [](unsigned char c) { return std::tolower(c); });
}

double number_in(const TriangleFile& file, const MeshLines& lines, std::size_t word) {
  const std::optional<double> value = finite_number_of(lines.words()[word]);
  if (!value) file.fail_at(lines.number(), "expected a finite number, not " + excerpt(lines.words()[word]));
  return *value;
}

Vec3 point_in(const TriangleFile& file, const MeshLines& lines, std::size_t first) {
  if (lines.words().size() < first + 3) file.fail_at(lines.number(), "expected three coordinates");
  return {number_in(file, lines, first), number_in(file, lines, first + 1), number_in(file, lines, first + 2)};
}

constexpr std::size_t stl_header = 84, stl_record = 50;

/// What the header of a binary STL file says.
std::uint32_t triangles_of_stl(const std::string& text) {
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + 80, sizeof count);
  return count;
}
std::size_t bytes_of_stl(std::uint32_t triangles) { return stl_header + stl_record * triangles; }

TriangleSoup read_binary_stl(const TriangleFile& file) {
  const std::uint32_t count = triangles_of_stl(file.text());
  if (count > most_triangles) file.fail(fmt::format("has {} triangles; {} are the most", count, most_triangles));
  TriangleSoup soup;
  for (std::size_t i = 0; i < count; ++i) {
    float numbers[12];
    std::memcpy(numbers, file.text().data() + stl_header + i * stl_record, sizeof numbers);
    std::array<Vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = {numbers[3 * k + 3], numbers[3 * k + 4], numbers[3 * k + 5]};
    soup.triangles.push_back(corners);
    for (const Vec3& corner : corners)
      if (!corner.allFinite()) file.fail_of(soup, i, "a coordinate is not finite");
  }
  return soup;
}

bool is_binary_stl(const std::string& text) {
  return text.size() >= stl_header && text.size() == bytes_of_stl(triangles_of_stl(text));
}

std::string why_no_stl(const std::string& text) {
  std::string binary = "it is too short";
  if (text.size() >= stl_header) {
    const std::uint32_t count = triangles_of_stl(text);
    binary = fmt::format("it has {} bytes, and the {} triangles of its header need {}", text.size(), count,
                         bytes_of_stl(count));
  }
  return "this is neither a binary STL file (" + binary + ") nor an ASCII one, which begins with 'solid'";
}

TriangleSoup read_ascii_stl(const TriangleFile& file) {
  TriangleSoup soup;
  MeshLines lines(file.text());
  std::vector<Vec3> corners;
  const auto is = [&](std::string_view first, std::string_view second = "") {
    const auto& words = lines.words();
    return equal_but_for_case(words[0], first) &&
           (second.empty() || (words.size() > 1 && equal_but_for_case(words[1], second)));
  };
  if (!lines.next() || !is("solid")) file.fail_at(1, why_no_stl(file.text()));
  bool in_facet = false, ended = false;
  while (lines.next()) {
    ended = false;
    if (is("facet") && !in_facet) {
      in_facet = true, corners.clear();
    } else if (is("vertex") && in_facet && corners.size() < 3) {
      if (lines.words().size() > 4) file.fail_at(lines.number(), "expected three coordinates, and nothing else");
      corners.push_back(point_in(file, lines, 1));
    } else if (is("endfacet") && in_facet) {
      if (corners.size() != 3) file.fail_at(lines.number(), fmt::format("a facet with {} vertices", corners.size()));
      soup.triangles.push_back({corners[0], corners[1], corners[2]});
      soup.lines.push_back(lines.number());
      in_facet = false;
      if (soup.triangles.size() > most_triangles) file.fail_at(lines.number(), "too many triangles");
    } else if (is("endsolid") && !in_facet) {
      ended = true;
    } else if (!is("outer", "loop") && !is("endloop") && !(is("solid") && !in_facet)) {
      file.fail_at(lines.number(), excerpt(lines.words()[0]) + " is not expected here");
    }
  }
  if (!ended) file.fail_at(lines.number(), "the file ends before 'endsolid'");
  return soup;
}

/// "7", "7/1", "7//3" or "7/1/3"; negative numbers count from the end.
std::size_t index_in(const TriangleFile& file, const MeshLines& lines, std::size_t word, std::size_t count) {
  const std::string_view text = lines.words()[word];
  long index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool is_whole = error == std::errc{} && (end == text.data() + text.size() || *end == '/');
  if (is_whole && index < 0) index += static_cast<long>(count) + 1;
  if (!is_whole || index < 1 || static_cast<std::size_t>(index) > count)
    file.fail_at(lines.number(), fmt::format("there is no vertex {}; {} stand before this line", excerpt(text), count));
  return static_cast<std::size_t>(index) - 1;
}

TriangleSoup read_obj(const TriangleFile& file) {
  constexpr std::string_view ignored[] = {"vn", "vt", "o", "g", "s", "usemtl", "mtllib", "l", "p"};
  TriangleSoup soup;
  std::vector<Vec3> points;
  MeshLines lines(file.text(), true);
  while (lines.next()) {
    const std::string_view first = lines.words()[0];
    if (first.starts_with('#')) continue;
    if (std::ranges::find(ignored, first) != std::end(ignored)) {
      MeshRemarks::Lines& alike = soup.remarks.ignored[std::string(first)];
      if (alike.count++ == 0) alike.first = lines.number();
    } else if (first == "v") {
      points.push_back(point_in(file, lines, 1));
    } else if (first == "f") {
      std::vector<Vec3> corners;
      for (std::size_t k = 1; k < lines.words().size() && !lines.words()[k].starts_with('#'); ++k)
        corners.push_back(points[index_in(file, lines, k, points.size())]);
      if (corners.size() < 3) file.fail_at(lines.number(), "a face needs three vertices");
      for (const auto& [a, b, c] : triangles_of(corners)) {
        soup.triangles.push_back({corners[a], corners[b], corners[c]});
        soup.lines.push_back(lines.number());
      }
      if (soup.triangles.size() > most_triangles) file.fail_at(lines.number(), "too many triangles");
    } else {
      file.fail_at(lines.number(), excerpt(first) + " is no part of a mesh of v and f that jostle reads");
    }
  }
  return soup;
}

}  // namespace

TriangleFile::TriangleFile(const std::string& path, std::string content) : path_(path), text_(std::move(content)) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
  if (text_.empty()) fail("is empty");
}

TriangleSoup TriangleFile::triangles() const {
  std::string end = path_.substr(path_.find_last_of('.') + 1);
  std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::tolower(c); });
  if (end == "obj") return read_obj(*this);
  return is_binary_stl(text_) ? read_binary_stl(*this) : read_ascii_stl(*this);
}

void TriangleFile::fail(const std::string& message) const { throw ScenarioError(path_, 0, 0, message); }

void TriangleFile::fail_at(int line, const std::string& message) const { throw ScenarioError(path_, line, 1, message); }

void TriangleFile::fail_of(const TriangleSoup& soup, std::size_t i, const std::string& message) const {
  if (soup.lines.empty()) fail(fmt::format("triangle {}: {}", i + 1, message));
  fail_at(soup.lines[i], message);
}

}  // namespace jostle
