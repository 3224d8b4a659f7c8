// Parts of CAD programs: meshes, what they enclose, their hulls, and the faces on which they rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstring>
#include <fstream>
#include <numbers>
#include <random>

#include "scenarios/parts/mass_properties.hpp"
#include "scenarios/parts/rest.hpp"
#include "scenarios/text/error.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using test::ScratchFolder;
using ::testing::HasSubstr;

const ScratchFolder folder;

/// A box with a corner at the origin, as OBJ.
std::string box_obj(double a, double b, double c, const std::string& faces = "") {
  std::string text;
  for (const double x : {0.0, a})
    for (const double y : {0.0, b})
      for (const double z : {0.0, c})
        text += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  return text + (faces.empty() ? "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n" : faces);
}

TriangleMesh read(const std::string& name, const std::string& content, double scale = 1) {
  std::ofstream(folder / name, std::ios::binary) << content;
  return read_mesh((folder / name).string(), scale);
}

std::string mesh_error_of(const std::string& name, const std::string& content) {
  try {
    read(name, content);
  } catch (const ScenarioError& error) {
    const std::string message = error.what();
    return message.substr(message.find(name));
  }
  return "no error";
}

/// The same surface as STL, moved.
std::string ascii_stl(const TriangleMesh& mesh) {
  std::string text = "solid part\n";
  for (const auto& triangle : mesh.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int corner : triangle) {
      const Vec3& p = mesh.points[static_cast<std::size_t>(corner)];
      text += "  vertex " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + "\n";
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid part\n";
}

std::string binary_stl(const TriangleMesh& mesh) {
  std::string text(80, ' ');
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  text.append(reinterpret_cast<const char*>(&count), sizeof count);
  for (const auto& triangle : mesh.triangles) {
    text.append(12, '\0');
    for (const int corner : triangle) {
      for (const double coordinate : mesh.points[static_cast<std::size_t>(corner)]) {
        const auto number = static_cast<float>(coordinate);
        text.append(reinterpret_cast<const char*>(&number), sizeof number);
      }
    }
    text.append(2, '\0');
  }
  return text;
}

// V = a b c, the centroid is the middle, I_xx = V (b^2 + c^2) / 12.
TEST(Parts, ABoxHasItsVolumeAndMoments) {
  const TriangleMesh box = read("box.obj", box_obj(2, 3, 4));
  EXPECT_EQ(box.points.size(), 8u);
  EXPECT_EQ(box.triangles.size(), 12u);
  const MassProperties solid = mass_properties_of(box);
  EXPECT_NEAR(solid.volume, 24, 1e-13);
  EXPECT_LT((solid.centroid - Vec3(1, 1.5, 2)).norm(), 1e-14);
  const Vec3 moments(2.0 * (9 + 16), 2.0 * (4 + 16), 2.0 * (4 + 9));
  EXPECT_LT((solid.inertia - Mat3(moments.asDiagonal())).norm(), 1e-12);
}

// A tetrahedron with corners 0, a e1, b e2, c e3: V = a b c / 6, centroid (a, b, c) / 4, products of inertia by
// integration, such as I_xy = -int x y = -V a b / 20 + V (a/4)(b/4).
TEST(Parts, ATetrahedronFarFromTheOriginLosesNothing) {
  const std::string faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const MassProperties near = mass_properties_of(read("near.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\n" + faces));
  EXPECT_NEAR(near.volume, 1, 1e-15);
  EXPECT_LT((near.centroid - Vec3(0.25, 0.5, 0.75)).norm(), 1e-15);
  EXPECT_NEAR(near.inertia(0, 1), -(1.0 * 1 * 2 / 20 - 0.25 * 0.5), 1e-15);
  EXPECT_NEAR(near.inertia(0, 0), (4 + 9) / 10.0 - (0.25 + 0.5625), 1e-14);
  const MassProperties far =
      mass_properties_of(read("far.obj", "v 1024 0 0\nv 1025 0 0\nv 1024 2 0\nv 1024 0 3\n" + faces));
  EXPECT_NEAR(far.volume, 1, 1e-15);
  EXPECT_LT((far.inertia - near.inertia).norm(), 1e-14);
  EXPECT_LT((far.centroid - Vec3(1024.25, 0.5, 0.75)).norm(), 1e-12);
}

TEST(Parts, AFileInAnyFormatAndOrientationIsTheSamePart) {
  const TriangleMesh box = read("box.obj", box_obj(2, 3, 4));
  const TriangleMesh ascii = read("a.stl", ascii_stl(box)), binary = read("b.stl", binary_stl(box));
  EXPECT_EQ(mass_properties_of(ascii).volume, mass_properties_of(binary).volume);
  EXPECT_EQ(ascii.points.size(), 8u);
  TriangleMesh inside_out = box;
  for (auto& triangle : inside_out.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_NEAR(mass_properties_of(read("c.stl", binary_stl(inside_out))).volume, 24, 1e-13);
  EXPECT_NEAR(mass_properties_of(read("d.stl", binary_stl(box), 1e-3)).volume, 24e-9, 1e-22);
  EXPECT_NEAR(
      mass_properties_of(read("e.obj", box_obj(2, 3, 4,
                                               "# turned\no name\nf -8/1/1 -7//2 -5/3 -6\nf 5 7 8 6\nf 1 5 6 2\n"
                                               "f 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")))
          .volume,
      24, 1e-13);
}

/// A prism of height 1 on an outline, with its two ends as one face each that begins at corner `first`.
std::string prism_obj(const std::vector<std::array<double, 2>>& outline, std::size_t first) {
  const std::size_t n = outline.size();
  std::string text, bottom = "f", top = "f";
  for (const int z : {0, 1})
    for (const auto& [x, y] : outline)
      text += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  for (std::size_t k = 0; k < n; ++k) {
    bottom += " " + std::to_string(1 + (first + n - k) % n);
    top += " " + std::to_string(1 + n + (first + k) % n);
    const std::size_t next = (k + 1) % n;
    text += "f " + std::to_string(1 + k) + " " + std::to_string(1 + next) + " " + std::to_string(1 + n + next) + " " +
            std::to_string(1 + n + k) + "\n";
  }
  return text + bottom + "\n" + top + "\n";
}

// From whichever corner a list of corners begins, also where a fan from it would leave the face.
TEST(Parts, FacesOfObjNeedNotBeConvex) {
  const std::vector<std::array<double, 2>> ell = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const std::vector<std::array<double, 2>> comb = {{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1},
                                                   {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
  for (std::size_t first = 0; first < ell.size(); ++first)
    EXPECT_NEAR(mass_properties_of(read("ell.obj", prism_obj(ell, first))).volume, 3, 1e-14) << first;
  for (std::size_t first = 0; first < comb.size(); ++first)
    EXPECT_NEAR(mass_properties_of(read("comb.obj", prism_obj(comb, first))).volume, 11, 1e-13) << first;
  EXPECT_NEAR(mass_properties_of(read("mark.obj", "\xEF\xBB\xBF" + box_obj(1, 1, 1))).volume, 1, 1e-15);
  std::string joined = box_obj(1, 1, 1);
  for (std::size_t at = joined.find("f "); at != std::string::npos; at = joined.find("f ", at + 1))
    joined.insert(at + 2, "\\\r\n ");
  EXPECT_NEAR(mass_properties_of(read("joined.obj", joined + "l 1 2\np 1\n")).volume, 1, 1e-15);
  std::string capitals = ascii_stl(read("box.obj", box_obj(1, 1, 1)));
  std::ranges::transform(capitals, capitals.begin(), [](unsigned char c) { return std::toupper(c); });
  EXPECT_NEAR(mass_properties_of(read("capitals.stl", capitals)).volume, 1, 1e-15);
  for (const char* end : {"\r", "\r\n"}) {
    std::string lines = ascii_stl(read("box.obj", box_obj(1, 1, 1)));
    for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 2))
      lines.replace(at, 1, end);
    EXPECT_NEAR(mass_properties_of(read("lines.stl", lines)).volume, 1, 1e-15);
  }
}

TEST(Parts, AFaultyFileGetsItsLineOrTriangle) {
  const std::string box = ascii_stl(read("box.obj", box_obj(1, 1, 1)));
  EXPECT_THAT(mesh_error_of("f.obj", ""), HasSubstr("f.obj: is empty"));
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0\n"), HasSubstr("f.obj:1:1: expected three coordinates"));
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0 x\n"), HasSubstr("f.obj:1:1: expected a finite number, not 'x'"));
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0 1e999\n"), HasSubstr("finite number"));
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0 0\nf 1 2 3\n"),
              HasSubstr("f.obj:2:1: there is no vertex '2'; 1 stand before this line"));
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0 0\ncurv 1 1\n"), HasSubstr("f.obj:2:1: 'curv' is no part of a mesh"));
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0 \\\n0\n# a comment \\\nv 0 \\\n\\\n x 0\nf 1 2 3\n"),
              HasSubstr("f.obj:4:1: expected a finite number, not 'x'"));
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0 0\n"), HasSubstr("f.obj: has no triangle"));
  EXPECT_THAT(mesh_error_of("f.stl", "nothing"), HasSubstr("neither a binary STL file (it is too short)"));
  EXPECT_THAT(mesh_error_of("f.stl", binary_stl(read("box.obj", box_obj(1, 1, 1))) + "\r\n"),
              HasSubstr("(it has 686 bytes, and the 12 triangles of its header need 684)"));
  EXPECT_THAT(mesh_error_of("f.stl", box.substr(0, box.size() - 15)), HasSubstr("ends before 'endsolid'"));
  EXPECT_THAT(mesh_error_of("f.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n"),
              HasSubstr("f.stl:4:1: a facet with 1 vertices"));
  EXPECT_THAT(mesh_error_of("f.stl", "solid\r\rfacet\r\nvertex 1 2 3 7\n"),
              HasSubstr("f.stl:4:1: expected three coordinates, and nothing else"));
  EXPECT_THAT(mesh_error_of("f.stl", "solid\nvertex 0 0 0\n"), HasSubstr("f.stl:2:1: 'vertex' is not expected here"));
  EXPECT_THAT(mesh_error_of("g.obj", box_obj(1, 1, 1, "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\n")),
              HasSubstr("alone: the surface is open"));
  EXPECT_THAT(
      mesh_error_of("g.obj", box_obj(1, 1, 1, "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 4 8 6\n")),
      HasSubstr("their orientation is mixed"));
  EXPECT_THAT(
      mesh_error_of("g.obj",
                    box_obj(1, 1, 1, "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\nf 2 6 8 4\n")),
      HasSubstr("g.obj:15:1: the edge"));
  EXPECT_THAT(mesh_error_of("g.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n"), HasSubstr("encloses no volume"));
  TriangleMesh mesh = read("box.obj", box_obj(1, 1, 1));
  mesh.points[3] = Vec3(NAN, 0, 0);
  EXPECT_THAT(mesh_error_of("g.stl", binary_stl(mesh)), HasSubstr("a coordinate is not finite"));
  EXPECT_EQ(mesh_error_of("h.stl", binary_stl(read("box.obj", box_obj(1, 1, 1)))), "no error");
}

// A message quotes a part of what it cannot read, as UTF-8.
TEST(Parts, MessagesAreTextWhateverTheFileHas) {
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0 \xFF\xC3\n"), HasSubstr("number, not '\uFFFD\uFFFD'"));
  EXPECT_THAT(mesh_error_of("f.obj", "\x80 1\n"), HasSubstr("'\uFFFD' is no part of a mesh"));
  EXPECT_THAT(mesh_error_of("f.stl", "solid\n\xE9t\xE9\n"), HasSubstr("'\uFFFDt\uFFFD' is not expected here"));
  EXPECT_THAT(mesh_error_of("f.obj", "v 0 0 0\nf 1 1 " + std::string(1000000, '9') + "\n"),
              HasSubstr("there is no vertex '" + std::string(60, '9') + "...'; 1 stand before this line"));
  EXPECT_LT(mesh_error_of("f.obj", "v 0 0 " + std::string(1000000, '9') + "\n").size(), 200u);
}

// Bytes of a good file exchanged, left out and doubled: an error in one line, or a part; never a crash.
TEST(Parts, TenThousandMutatedFilesAreReadOrRefused) {
  std::mt19937_64 random(3);
  const TriangleMesh box = read("box.obj", box_obj(1, 2, 3));
  const std::pair<const char*, std::string> good[] = {
      {"m.obj", box_obj(1, 2, 3)}, {"m.stl", ascii_stl(box)}, {"n.stl", binary_stl(box)}};
  int refused = 0;
  for (int k = 0; k < 10000; ++k) {
    const auto& [name, content] = good[k % 3];
    std::string text = content;
    for (std::uint64_t edits = 1 + random() % 3; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      const std::uint64_t kind = random() % 4;
      if (kind == 0) text[at] = static_cast<char>(random());
      if (kind == 1) text.erase(at, 1 + random() % 20);
      if (kind == 2) text.insert(at, text.substr(at, 1 + random() % 20));
      if (kind == 3) text.resize(at);
    }
    const std::string error = mesh_error_of(name, text);
    refused += error != "no error";
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_GT(refused, 6000);
  EXPECT_LT(refused, 10000);
}

// A cube of a thousand points on its surface, and within: six faces of four corners.
TEST(Hull, MergesCoplanarTrianglesAndLeavesOutWhatIsNoCorner) {
  std::vector<Vec3> points;
  for (int i = 0; i <= 10; ++i)
    for (int j = 0; j <= 10; ++j)
      for (int k = 0; k <= 10; ++k) points.emplace_back(0.1 * i, 0.1 * j, 0.1 * k);
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& point : points) point = turn * point;
  const ConvexHull hull = convex_hull(points);
  EXPECT_EQ(hull.points.size(), 8u);
  ASSERT_EQ(hull.faces.size(), 6u);
  for (const HullFace& face : hull.faces) {
    EXPECT_EQ(face.corners.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {  // counter-clockwise seen from outside
      const auto at = [&](std::size_t i) { return hull.points[static_cast<std::size_t>(face.corners[(k + i) % 4])]; };
      EXPECT_GT((at(1) - at(0)).cross(at(2) - at(1)).dot(face.normal), 0.9);
    }
    EXPECT_GT(face.normal.dot(hull.points[static_cast<std::size_t>(face.corners[0])] - turn * Vec3(0.5, 0.5, 0.5)),
              0.49);
  }
  std::ranges::reverse(points);
  EXPECT_EQ(convex_hull(points).faces.size(), 6u);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), std::invalid_argument);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), std::invalid_argument);
}

// A brick a x b x c with its centre of mass in the middle: the solid angle of a face b x c at the distance a / 2 is
// 4 asin(b c / sqrt((a^2 + b^2)(a^2 + c^2))).
TEST(Rest, OfABrickIsBySolidAngles) {
  const TriangleMesh brick = read("brick.obj", box_obj(1, 2, 4));
  const std::vector<RestingFace> faces = resting_faces(convex_hull(brick.points), Vec3(0.5, 1, 2));
  ASSERT_EQ(faces.size(), 6u);
  const auto share = [](double a, double b, double c) {
    return std::asin(b * c / std::sqrt((a * a + b * b) * (a * a + c * c))) / std::numbers::pi;
  };
  const double expected[] = {share(1, 2, 4), share(1, 2, 4), share(2, 1, 4),
                             share(2, 1, 4), share(4, 1, 2), share(4, 1, 2)};
  double sum = 0;
  for (std::size_t f = 0; f < 6; ++f) {
    EXPECT_NEAR(faces[f].share, expected[f], 1e-14);
    EXPECT_EQ(faces[f].share, faces[f].solid_angle);
    sum += faces[f].share;
  }
  EXPECT_NEAR(sum, 1, 1e-14);
  EXPECT_NEAR(faces[0].area, 8, 1e-14);
  EXPECT_NEAR(faces[0].height, 0.5, 1e-15);
  EXPECT_NEAR(faces[0].margin, 1, 1e-15);
}

TEST(Rest, AFaceThatTheCentreHasPassedRollsOver) {
  const double length = 20;
  // A slanted prism, so that its centre of mass is beyond the small bottom face: a tower that leans by 45 degrees.
  const std::string tower =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 20 0 20\nv 21 0 20\nv 21 1 20\nv 20 1 20\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n";
  const TriangleMesh mesh = read("tower.obj", tower);
  const MassProperties solid = mass_properties_of(mesh);
  EXPECT_NEAR(solid.volume, length, 1e-12);
  const ConvexHull hull = convex_hull(mesh.points);
  const std::vector<RestingFace> faces = resting_faces(hull, solid.centroid);
  double stable = 0, unstable_angle = 0;
  for (const RestingFace& face : faces) {
    const Vec3 n = hull.faces[static_cast<std::size_t>(face.face)].normal;
    EXPECT_EQ(face.is_stable(), std::abs(n[2]) < 0.9) << "the two ends do not hold it";
    (face.is_stable() ? stable : unstable_angle) += face.is_stable() ? face.share : face.solid_angle;
    if (!face.is_stable()) {
      EXPECT_EQ(face.share, 0);
    }
  }
  EXPECT_NEAR(stable, 1, 1e-12);
  EXPECT_GT(unstable_angle, 0);
  // From the bottom it rolls over its edge x = 1 to the face below the slope, whose normal is (1, 0, -1) / sqrt(2).
  const auto below = std::ranges::find_if(faces, [&](const RestingFace& face) {
    const Vec3 n = hull.faces[static_cast<std::size_t>(face.face)].normal;
    return n[0] > 0.5 && n[2] < -0.5;
  });
  ASSERT_NE(below, faces.end());
  EXPECT_NEAR(below->share - below->solid_angle, unstable_angle / 2, 1e-14);
}

}  // namespace
}  // namespace jostle
