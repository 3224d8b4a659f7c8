#pragma once
// Files of triangles as they are written: STL, binary or ASCII, and OBJ.
#include <array>
#include <string>
#include <vector>

#include "scenarios/parts/triangle_mesh.hpp"

namespace jostle {

/// The corners of triangles in the order of the file, and where each stands, for messages.
struct TriangleSoup {
  std::vector<std::array<Vec3, 3>> triangles;
  std::vector<int> lines;  ///< of each triangle; empty for a binary file, which has none
  MeshRemarks remarks;
};

/// A file of triangles, and how what is wrong with it is said.
class TriangleFile {
 public:
  TriangleFile(const std::string& path, std::string content);

  /// The triangles of it: its name decides whether it is OBJ, its content which STL.
  TriangleSoup triangles() const;

  const std::string& text() const { return text_; }
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_at(int line, const std::string& message) const;
  /// Of triangle number i.
  [[noreturn]] void fail_of(const TriangleSoup& soup, std::size_t i, const std::string& message) const;

 private:
  std::string path_, text_;
};

}  // namespace jostle
