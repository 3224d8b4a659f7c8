#include "scenarios/parts/triangle_mesh.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>

#include "scenarios/parts/ear_clipping.hpp"
#include "scenarios/text/error.hpp"
#include "scenarios/text/file.hpp"
#include "scenarios/text/finite_number.hpp"

namespace jostle {
namespace {

constexpr std::size_t most_triangles = 10'000'000;

/// The corners of triangles in the order of the file, and where each stands, for messages.
struct TriangleSoup {
  std::vector<std::array<Vec3, 3>> triangles;
  std::vector<int> lines;  ///< of each triangle; empty for a binary file, which has none
  MeshRemarks remarks;
};

class MeshSource {
 public:
  MeshSource(const std::string& path, std::string content) : path_(path), text_(std::move(content)) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
    if (text_.empty()) fail("is empty");
  }

  const std::string& text() const { return text_; }
  [[noreturn]] void fail(const std::string& message) const { throw ScenarioError(path_, 0, 0, message); }
  [[noreturn]] void fail_at(int line, const std::string& message) const {
    throw ScenarioError(path_, line, 1, message);
  }
  /// Of triangle number i.
  [[noreturn]] void fail_of(const TriangleSoup& soup, std::size_t i, const std::string& message) const {
    if (soup.lines.empty()) fail(fmt::format("triangle {}: {}", i + 1, message));
    fail_at(soup.lines[i], message);
  }

 private:
  std::string path_, text_;
};

/// Words of a text, line by line.
class MeshLines {
 public:
  explicit MeshLines(const std::string& text) : text_(text) {}

  /// The words of the next line that has any; false at the end.
  bool next() {
    words_.clear();
    while (words_.empty() && at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      split(text_.substr(at_, end - at_));
      at_ = end + 1, ++number_;
    }
    return !words_.empty();
  }
  int number() const { return number_; }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  void split(std::string_view line) {
    constexpr const char* blanks = " \t\r\f\v";
    for (std::size_t at = line.find_first_not_of(blanks); at < line.size(); at = line.find_first_not_of(blanks, at)) {
      const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
      words_.push_back(line.substr(at, end - at));
      at = end;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int number_ = 0;
  std::vector<std::string_view> words_;
};

double number_in(const MeshSource& source, const MeshLines& lines, std::size_t word) {
  const std::optional<double> value = finite_number_of(lines.words()[word]);
  if (!value) source.fail_at(lines.number(), fmt::format("expected a finite number, not '{}'", lines.words()[word]));
  return *value;
}

Vec3 point_in(const MeshSource& source, const MeshLines& lines, std::size_t first) {
  if (lines.words().size() < first + 3) source.fail_at(lines.number(), "expected three coordinates");
  return {number_in(source, lines, first), number_in(source, lines, first + 1), number_in(source, lines, first + 2)};
}

constexpr std::size_t stl_header = 84, stl_record = 50;

/// What the header of a binary STL file says.
std::uint32_t triangles_of_stl(const std::string& text) {
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + 80, sizeof count);
  return count;
}
std::size_t bytes_of_stl(std::uint32_t triangles) { return stl_header + stl_record * triangles; }

TriangleSoup read_binary_stl(const MeshSource& source) {
  const std::uint32_t count = triangles_of_stl(source.text());
  if (count > most_triangles) source.fail(fmt::format("has {} triangles; {} are the most", count, most_triangles));
  TriangleSoup soup;
  for (std::size_t i = 0; i < count; ++i) {
    float numbers[12];
    std::memcpy(numbers, source.text().data() + stl_header + i * stl_record, sizeof numbers);
    std::array<Vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = {numbers[3 * k + 3], numbers[3 * k + 4], numbers[3 * k + 5]};
    soup.triangles.push_back(corners);
    for (const Vec3& corner : corners)
      if (!corner.allFinite()) source.fail_of(soup, i, "a coordinate is not finite");
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

TriangleSoup read_ascii_stl(const MeshSource& source) {
  TriangleSoup soup;
  MeshLines lines(source.text());
  std::vector<Vec3> corners;
  const auto is = [&](std::string_view first, std::string_view second = "") {
    const auto& words = lines.words();
    return words[0] == first && (second.empty() || (words.size() > 1 && words[1] == second));
  };
  if (!lines.next() || !is("solid")) source.fail_at(1, why_no_stl(source.text()));
  bool in_facet = false, ended = false;
  while (lines.next()) {
    ended = false;
    if (is("facet") && !in_facet) {
      in_facet = true, corners.clear();
    } else if (is("vertex") && in_facet && corners.size() < 3) {
      corners.push_back(point_in(source, lines, 1));
    } else if (is("endfacet") && in_facet) {
      if (corners.size() != 3) source.fail_at(lines.number(), fmt::format("a facet with {} vertices", corners.size()));
      soup.triangles.push_back({corners[0], corners[1], corners[2]});
      soup.lines.push_back(lines.number());
      in_facet = false;
      if (soup.triangles.size() > most_triangles) source.fail_at(lines.number(), "too many triangles");
    } else if (is("endsolid") && !in_facet) {
      ended = true;
    } else if (!is("outer", "loop") && !is("endloop") && !(is("solid") && !in_facet)) {
      source.fail_at(lines.number(), fmt::format("'{}' is not expected here", lines.words()[0]));
    }
  }
  if (!ended) source.fail_at(lines.number(), "the file ends before 'endsolid'");
  return soup;
}

/// "7", "7/1", "7//3" or "7/1/3"; negative numbers count from the end.
std::size_t index_in(const MeshSource& source, const MeshLines& lines, std::size_t word, std::size_t count) {
  const std::string_view text = lines.words()[word];
  long index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool is_whole = error == std::errc{} && (end == text.data() + text.size() || *end == '/');
  if (is_whole && index < 0) index += static_cast<long>(count) + 1;
  if (!is_whole || index < 1 || static_cast<std::size_t>(index) > count)
    source.fail_at(lines.number(), fmt::format("there is no vertex '{}'; {} stand before this line", text, count));
  return static_cast<std::size_t>(index) - 1;
}

TriangleSoup read_obj(const MeshSource& source) {
  constexpr std::string_view ignored[] = {"vn", "vt", "o", "g", "s", "usemtl", "mtllib"};
  TriangleSoup soup;
  std::vector<Vec3> points;
  MeshLines lines(source.text());
  while (lines.next()) {
    const std::string_view first = lines.words()[0];
    if (first.starts_with('#')) continue;
    if (std::ranges::find(ignored, first) != std::end(ignored)) {
      MeshRemarks::Lines& alike = soup.remarks.ignored[std::string(first)];
      if (alike.count++ == 0) alike.first = lines.number();
    } else if (first == "v") {
      points.push_back(point_in(source, lines, 1));
    } else if (first == "f") {
      std::vector<Vec3> corners;
      for (std::size_t k = 1; k < lines.words().size() && !lines.words()[k].starts_with('#'); ++k)
        corners.push_back(points[index_in(source, lines, k, points.size())]);
      if (corners.size() < 3) source.fail_at(lines.number(), "a face needs three vertices");
      for (const auto& [a, b, c] : triangles_of(corners)) {
        soup.triangles.push_back({corners[a], corners[b], corners[c]});
        soup.lines.push_back(lines.number());
      }
      if (soup.triangles.size() > most_triangles) source.fail_at(lines.number(), "too many triangles");
    } else {
      source.fail_at(lines.number(), fmt::format("'{}' is no part of a mesh of v and f that jostle reads", first));
    }
  }
  return soup;
}

std::string point_text(const Vec3& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", p[0], p[1], p[2]); }

/// The triangles with numbers of points, and the place of each in the soup.
struct WeldedMesh {
  TriangleMesh mesh;
  std::vector<std::size_t> origin;
};

WeldedMesh weld(const TriangleSoup& soup, double scale) {
  WeldedMesh welded;
  std::map<std::array<double, 3>, int> known;
  for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 point = scale * soup.triangles[i][k] + Vec3(0, 0, 0);  // no negative zeros
      const auto [place, is_new] =
          known.try_emplace({point[0], point[1], point[2]}, static_cast<int>(welded.mesh.points.size()));
      if (is_new) welded.mesh.points.push_back(point);
      corners[k] = place->second;
    }
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    welded.mesh.triangles.push_back(corners);
    welded.origin.push_back(i);
  }
  return welded;
}

/// Each edge must be run through once in each direction.
void check_closed(const MeshSource& source, const TriangleSoup& soup, const WeldedMesh& welded) {
  std::map<std::array<int, 2>, std::size_t> edges;  // the triangle that runs from one to the other
  const TriangleMesh& mesh = welded.mesh;
  const auto line_of = [&](int a, int b) {
    return "the edge from " + point_text(mesh.points[static_cast<std::size_t>(a)]) + " to " +
           point_text(mesh.points[static_cast<std::size_t>(b)]);
  };
  const auto number_of = [&](std::size_t t) { return welded.origin[t] + 1; };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      const auto [place, is_new] = edges.try_emplace({a, b}, t);
      if (is_new) continue;
      const bool has_other_side = edges.contains({b, a});
      source.fail_of(soup, welded.origin[t],
                     line_of(a, b) +
                         (has_other_side ? " belongs to more than two triangles, of which two are numbers "
                                         : " is run through in the same direction by two triangles, numbers ") +
                         fmt::format("{} and {}", number_of(place->second), number_of(t)) +
                         (has_other_side ? "" : ": their orientation is mixed"));
    }
  }
  for (const auto& [edge, t] : edges)
    if (!edges.contains({edge[1], edge[0]}))
      source.fail_of(
          soup, welded.origin[t],
          line_of(edge[0], edge[1]) + fmt::format(" belongs to triangle {} alone: the surface is open", number_of(t)));
}

}  // namespace

double volume_of(const TriangleMesh& mesh) {
  const Vec3 origin = mesh.points.front();  // near the surface, so that little cancels
  double six = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int p) { return Vec3(mesh.points[static_cast<std::size_t>(p)] - origin); };
    six += at(a).dot(at(b).cross(at(c)));
  }
  return six / 6;
}

Vec3 size_of(const TriangleMesh& mesh) {
  Vec3 least = mesh.points.front(), largest = least;
  for (const Vec3& point : mesh.points) least = least.cwiseMin(point), largest = largest.cwiseMax(point);
  return largest - least;
}

bool has_usual_size(const TriangleMesh& mesh) {
  constexpr double least = 1e-4, largest = 10;
  const double length = size_of(mesh).maxCoeff();
  return length >= least && length <= largest;
}

TriangleMesh read_mesh(const std::string& path, double scale, MeshRemarks* remarks) {
  try {
    return read_mesh_text(bytes_of_file(path, "a file of triangles"), path, scale, remarks);
  } catch (const UnreadableFile& error) {
    throw ScenarioError(path, 0, 0, error.what());
  }
}

TriangleMesh read_mesh_text(std::string content, const std::string& path, double scale, MeshRemarks* remarks) {
  const MeshSource source(path, std::move(content));
  std::string end = path.substr(path.find_last_of('.') + 1);
  std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::tolower(c); });
  const TriangleSoup soup = end == "obj"                   ? read_obj(source)
                            : is_binary_stl(source.text()) ? read_binary_stl(source)
                                                           : read_ascii_stl(source);
  WeldedMesh welded = weld(soup, scale);
  if (welded.mesh.triangles.empty()) source.fail("has no triangle");
  check_closed(source, soup, welded);
  const double volume = volume_of(welded.mesh);
  if (!(std::fabs(volume) > 1e-12 * std::pow(size_of(welded.mesh).norm(), 3)))
    source.fail("the surface encloses no volume");
  if (volume < 0)
    for (auto& triangle : welded.mesh.triangles) std::swap(triangle[1], triangle[2]);
  if (remarks) {
    *remarks = soup.remarks;
    remarks->without_area = soup.triangles.size() - welded.mesh.triangles.size();
    remarks->is_turned = volume < 0;
  }
  return welded.mesh;
}

}  // namespace jostle
