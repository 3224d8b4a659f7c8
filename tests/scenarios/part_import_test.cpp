// Parts of CAD programs as scenarios: their mass properties, what becomes of the file, and what is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <fstream>
#include <limits>
#include <random>

#include "scenarios/ensemble.hpp"
#include "scenarios/import/part.hpp"
#include "scenarios/import/yaml_text.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/support/round_meshes.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle::part_imports {
namespace {

using ::testing::HasSubstr;

class PartImport : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }
  Import import(const std::string& name, const std::string& text, double scale = 1e-3, double density = 2700) {
    return import_part(write(name, text), scale, density, folder.path().string());
  }
  Scenario scenario_of(const Import& import) {
    return parse_scenario(import.scenario, (folder / "part.yaml").string());
  }
  std::string error_of(const std::string& name, const std::string& text, double scale = 1e-3) {
    try {
      import(name, text, scale);
    } catch (const ScenarioError& error) {
      const std::string message = error.what();
      return message.substr(std::min(message.find(name), message.size()));
    }
    return "no error";
  }
  const test::ScratchFolder folder;
};

std::vector<std::string> notes_of(const Import& import, Fate fate) {
  std::vector<std::string> lines;
  for (const ImportNote& note : import.notes)
    if (note.fate == fate)
      lines.push_back(fmt::format("{} {} ({}): {}", note.line, note.item, note.kind, note.message));
  return lines;
}

const std::string box_faces = "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";

std::string box_obj(double a, double b, double c, const Vec3& corner = Vec3::Zero()) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += fmt::format("v {} {} {}\n", corner[0] + (i & 4 ? a : 0), corner[1] + (i & 2 ? b : 0),
                        corner[2] + (i & 1 ? c : 0));
  return text + box_faces;
}

/// An L of three unit squares, of height 1, as OBJ.
std::string l_obj() {
  std::string text;
  for (const int z : {0, 1})
    text += fmt::format("v 0 0 {0}\nv 2 0 {0}\nv 2 1 {0}\nv 1 1 {0}\nv 1 2 {0}\nv 0 2 {0}\n", z);
  text += "f 1 4 3 2\nf 1 6 5 4\nf 7 8 9 10\nf 7 10 11 12\n";
  for (int i = 1; i <= 6; ++i) text += fmt::format("f {} {} {} {}\n", i, i % 6 + 1, i % 6 + 7, i + 6);
  return text;
}

// m = rho a b c, I_xx = m (b^2 + c^2) / 12 about the middle, also a kilometre from the origin of the file.
TEST_F(PartImport, ABoxHasItsMassAndMomentsWhereverTheFileHasIt) {
  for (const double away : {0.0, 1048576.0}) {
    const Import box = import("box.obj", box_obj(20, 30, 40, Vec3(away, -away, 0)));
    EXPECT_TRUE(box.is_complete({}));
    const Scenario scenario = scenario_of(box);
    const Ensemble ensemble(scenario);
    Batch batch(ensemble.model(), 1);
    ASSERT_FALSE(ensemble.load(0, batch, 0));
    const double mass = 2700 * 24e-6;
    const double rounding = 1e-14 + 16 * 0x1p-53 * 1e-3 * away / 0.02;  // of coordinates, beside the shortest edge
    EXPECT_NEAR(scenario.bodies[0].mass.constant, mass, rounding * mass);
    EXPECT_NEAR(scenario.bodies[0].centre[0].constant, 0.01 + 1e-3 * away, 1e-12);
    const double moments[] = {mass * (9 + 16) * 1e-4 / 12, mass * (4 + 16) * 1e-4 / 12, mass * (4 + 9) * 1e-4 / 12};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(scenario.bodies[0].inertia.moments[k].constant, moments[k], rounding * moments[k]) << away;
      EXPECT_NEAR(scenario.bodies[0].inertia.products[k].constant, 0, rounding * moments[0]) << away;
    }
  }
}

TEST_F(PartImport, WhatIsWrittenIsAScenarioThatNamesTheFile) {
  const Import box = import("box.obj", box_obj(20, 30, 40));
  EXPECT_THAT(box.scenario, HasSubstr("shape: {mesh: {file: 'box.obj', scale: 0.001, as: hull}}"));
  EXPECT_THAT(box.scenario, HasSubstr("# Imported from box.obj: 12 triangles, 0.02 x 0.03 x 0.04 m."));
  EXPECT_THAT(box.scenario, HasSubstr("mass: 0.0648  # 2700 kg/m^3 times 2.4e-05 m^3"));
  const Scenario scenario = scenario_of(box);
  const HullSpec& hull = scenario.bodies[0].shapes[0].hull;
  EXPECT_EQ(hull.structure.corners.size(), 8u);
  EXPECT_EQ(hull.structure.faces.size(), 6u);
  std::filesystem::create_directory(folder / "deeper");
  const Import below = import_part((folder / "box.obj").string(), 1e-3, 1, (folder / "deeper").string());
  EXPECT_THAT(below.scenario, HasSubstr("file: '../box.obj'"));
}

// The convex hull of an L of three squares has half a square more: it is filled to 3 / 3.5.
TEST_F(PartImport, WhatAHullCannotSayIsRefused) {
  const Import part = import("l.obj", l_obj(), 0.01);
  EXPECT_THAT(
      notes_of(part, Fate::refused),
      testing::ElementsAre("0 surface (concave): jostle takes the convex hull, of which the part fills 85.71 %: "
                           "nothing reaches into its dents and holes; --as surface keeps them"));
  EXPECT_FALSE(part.is_complete({}));
  EXPECT_TRUE(part.is_complete({"concave"}));
  EXPECT_NEAR(scenario_of(part).bodies[0].mass.constant, 2700 * 3e-6, 1e-15) << "the mass is that of the surface";
  // A dent of a ten-thousandth of the size counts; one of a ten-millionth is rounding.
  const auto dented = [&](double depth) {
    std::string text = box_obj(1, 1, 1);
    text.replace(text.find("f 1 2 4 3\n"), 10,
                 fmt::format("v {} 0.5 0.5\nf 1 2 9\nf 2 4 9\nf 4 3 9\nf 3 1 9\n", depth));
    return import("dent.obj", text, 0.01).is_complete({});
  };
  EXPECT_FALSE(dented(1e-4));
  EXPECT_TRUE(dented(1e-7));
}

// The hull of three squares of 1 cm has half a square more.
TEST_F(PartImport, KeepsItsSurfaceOrSaysWhatItsHullAdds) {
  const auto import_as = [&](const std::string& text, MeshForm form) {
    return import_part(write("part.obj", text), 0.01, 2700, folder.path().string(), form);
  };
  const Import surface = import_as(l_obj(), MeshForm::surface);
  EXPECT_TRUE(surface.is_complete({}));
  EXPECT_THAT(notes_of(surface, Fate::used),
              testing::Contains("0 surface (mesh): 20 triangles of 0.02 x 0.02 x 0.01 m, 12 corners of the surface"));
  EXPECT_THAT(notes_of(surface, Fate::converted), testing::IsEmpty());
  EXPECT_THAT(surface.scenario, HasSubstr("scale: 0.01, as: surface}"));
  EXPECT_THAT(surface.scenario, HasSubstr("what touches is its surface."));
  EXPECT_FALSE(scenario_of(surface).bodies[0].shapes[0].hull.structure.is_convex);
  const Import hull = import_as(l_obj(), MeshForm::hull);
  EXPECT_TRUE(hull.is_complete({}));
  EXPECT_THAT(notes_of(hull, Fate::converted),
              testing::ElementsAre("0 surface (concave): its convex hull stands for it, which adds 5e-07 m^3 of dents "
                                   "and holes to 3e-06 m^3"));
  EXPECT_THAT(hull.scenario, HasSubstr("scale: 0.01, as: hull}"));
  EXPECT_TRUE(scenario_of(hull).bodies[0].shapes[0].hull.structure.is_convex);
  const Import box = import_as(box_obj(2, 3, 4), MeshForm::surface);
  EXPECT_EQ(scenario_of(box).bodies[0].shapes[0].hull.structure.corners.size(), 8u);
  EXPECT_THAT(notes_of(import_as(box_obj(2, 3, 4), MeshForm::hull), Fate::converted), testing::IsEmpty());
}

TEST_F(PartImport, OfANameThatIsNothingInYamlHasAnother) {
  for (const std::string name : {"null", "Null", "NULL"})
    EXPECT_EQ(scenario_of(import(name + ".obj", box_obj(10, 20, 30))).bodies.back().name, name + "_");
}

TEST_F(PartImport, AnotherUnitIsRefused) {
  const Import large = import("box.obj", box_obj(20, 30, 40), 1);
  EXPECT_THAT(notes_of(large, Fate::refused),
              testing::ElementsAre("0 surface (size): 40 m long; a file in mm wants a scale of 0.001"));
  EXPECT_TRUE(large.is_complete({"size"}));
  EXPECT_THAT(large.scenario, HasSubstr("scale: 1, as: hull, any_size: true}"));
  EXPECT_NO_THROW(scenario_of(large));
  EXPECT_FALSE(import("box.obj", box_obj(20, 30, 40), 1e-6).is_complete({}));
}

TEST_F(PartImport, EverythingInTheFileIsInOneOfTheLists) {
  std::string text = "mtllib box.mtl\no box\n" + box_obj(20, 30, 40) + "vn 1 0 0\nvn 0 1 0\nf 1 1 2\n# end\n";
  const Import box = import("2nd box.obj", text);
  EXPECT_THAT(
      notes_of(box, Fate::ignored),
      testing::UnorderedElementsAre("0 surface (mesh): 1 triangles with two equal corners",
                                    "1 surface mtllib (mtllib): ", "2 surface o (o): ", "17 surface vn (vn): 2 lines"));
  EXPECT_THAT(notes_of(box, Fate::converted), testing::ElementsAre("0 '2nd box' (name): called '_2nd_box'"));
  EXPECT_EQ(scenario_of(box).bodies[0].name, "_2nd_box");
  std::string turned = box_obj(20, 30, 40);
  turned.replace(turned.find(box_faces), box_faces.size(),
                 "f 3 4 2 1\nf 6 8 7 5\nf 2 6 5 1\nf 7 8 4 3\nf 5 7 3 1\nf 4 8 6 2\n");
  const Import inside_out = import("box.obj", turned);
  EXPECT_THAT(notes_of(inside_out, Fate::converted),
              testing::ElementsAre("0 surface (mesh): its triangles face inwards: they are turned round"));
  EXPECT_NEAR(scenario_of(inside_out).bodies[0].mass.constant, 2700 * 24e-6, 1e-15);
}

/// A cube in another one of the same orientation, or partly in it: what lies in both would count twice.
std::string two_cubes(double first, double size) {
  std::string text = box_obj(10, 10, 10) + box_obj(size, size, size, Vec3::Constant(first));
  for (const auto& [from, to] : {std::pair{"f 1 2 4 3", "f 9 10 12 11"},
                                 {"f 5 7 8 6", "f 13 15 16 14"},
                                 {"f 1 5 6 2", "f 9 13 14 10"},
                                 {"f 3 4 8 7", "f 11 12 16 15"},
                                 {"f 1 3 7 5", "f 9 11 15 13"},
                                 {"f 2 6 8 4", "f 10 14 16 12"}})
    text.replace(text.rfind(from), std::string_view(from).size(), to);
  return text;
}

TEST_F(PartImport, WhatGoesThroughItselfHasNoMass) {
  const std::pair<std::string, const char*> parts[] = {
      {two_cubes(2, 5), "two.obj: the closed part of the surface at (0.002, 0.002, 0.002) m lies in another one"},
      {two_cubes(5, 10), "two.obj: the surface goes through itself: the edge from ("}};
  for (const auto& [text, message] : parts) {
    EXPECT_THAT(error_of("two.obj", text), HasSubstr(message));
    for (const MeshForm form : {MeshForm::hull, MeshForm::surface}) {
      try {
        import_part(write("two.obj", text), 1e-3, 2700, folder.path().string(), form);
        ADD_FAILURE() << "was imported";
      } catch (const ScenarioError& error) {
        EXPECT_THAT(error.what(), HasSubstr(message));
      }
    }
  }
  EXPECT_EQ(error_of("two.obj", two_cubes(20, 5)), "no error");
}

// 382 corners: more than a convex hull may have, as a surface that a tree covers.
TEST_F(PartImport, AConvexSurfaceMayHaveMoreCornersThanAHull) {
  const TriangleMesh ball = test::round_ball(20, 20);
  std::string text;
  for (const Vec3& x : ball.points) text += fmt::format("v {} {} {}\n", x[0], x[1], x[2]);
  for (const auto& [a, b, c] : ball.triangles) text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
  EXPECT_THAT(error_of("ball.obj", text, 1), HasSubstr("its hull has 382 corners, more than 256"));
  const Import surface = import_part(write("ball.obj", text), 1, 2700, folder.path().string(), MeshForm::surface);
  EXPECT_EQ(scenario_of(surface).bodies[0].shapes[0].hull.structure.corners.size(), 382u);
}

TEST_F(PartImport, NumbersNearTheLargestCanBeReadBack) {
  EXPECT_EQ(yaml(0.1 + 0.2), "0.3");
  EXPECT_EQ(std::stod(yaml(std::numeric_limits<double>::max())), std::numeric_limits<double>::max());
}

TEST_F(PartImport, AFileThatIsNoPartGetsItsLine) {
  EXPECT_THAT(error_of("open.obj", box_obj(1, 1, 1).substr(0, box_obj(1, 1, 1).size() - 10)),
              HasSubstr("alone: the surface is open"));
  EXPECT_THAT(error_of("none.obj", ""), HasSubstr("none.obj: is empty"));
  // A cone on a base of 300 corners.
  std::string cone = "v 0 0 1\n";
  std::string base = "f";
  for (int i = 0; i < 300; ++i) {
    const double angle = 2 * 3.14159265358979 * i / 300;
    cone += fmt::format("v {} {} 0\n", std::cos(angle), std::sin(angle));
    base += fmt::format(" {}", 301 - i);
  }
  for (int i = 0; i < 300; ++i) cone += fmt::format("f 1 {} {}\n", i + 2, (i + 1) % 300 + 2);
  EXPECT_THAT(error_of("cone.obj", cone + base + "\n", 0.01),
              HasSubstr("cone.obj: its hull has 301 corners, more than 256"));
}

/// The box as STL, in binary or in text.
std::string box_stl(bool is_binary) {
  const int faces[12][3] = {{1, 2, 4}, {1, 4, 3}, {5, 7, 8}, {5, 8, 6}, {1, 5, 6}, {1, 6, 2},
                            {3, 4, 8}, {3, 8, 7}, {1, 3, 7}, {1, 7, 5}, {2, 6, 8}, {2, 8, 4}};
  std::string binary(80, ' '), text = "solid box\n";
  const std::uint32_t count = 12;
  binary.append(reinterpret_cast<const char*>(&count), sizeof count);
  for (const auto& face : faces) {
    binary.append(12, '\0');
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int corner : face) {
      const int i = corner - 1;
      const float at[3] = {i & 4 ? 20.F : 0.F, i & 2 ? 30.F : 0.F, i & 1 ? 40.F : 0.F};
      binary.append(reinterpret_cast<const char*>(at), sizeof at);
      text += fmt::format("vertex {} {} {}\n", at[0], at[1], at[2]);
    }
    binary.append(2, '\0');
    text += "endloop\nendfacet\n";
  }
  return is_binary ? binary : text + "endsolid\n";
}

// Bytes exchanged, left out and doubled: an error in one line, or lists and a scenario that can be read; never a crash.
TEST_F(PartImport, ThousandsOfMutatedFilesAreReadOrRefused) {
  std::mt19937_64 random(7);
  const std::pair<std::string, std::string> files[] = {
      {"m.obj", "o box\n" + box_obj(20, 30, 40)}, {"text.stl", box_stl(false)}, {"binary.stl", box_stl(true)}};
  for (const auto& [name, good] : files) {
    ASSERT_EQ(error_of(name, good), "no error");
    int errors = 0, scenarios = 0;
    for (int k = 0; k < 2500; ++k) {
      std::string text = good;
      for (std::uint64_t edits = 1 + random() % 3; edits > 0 && !text.empty(); --edits) {
        const std::size_t at = random() % text.size();
        const std::uint64_t kind = random() % 3;
        if (kind == 0) text[at] = static_cast<char>(random());
        if (kind == 1) text.erase(at, 1 + random() % 30);
        if (kind == 2) text.insert(at, text.substr(at, 1 + random() % 30));
      }
      try {
        const Import part = import(name, text);
        if (!part.is_complete({"concave", "size"})) continue;
        ++scenarios;
        scenario_of(part);
      } catch (const ScenarioError& error) {
        ++errors;
        EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
      }
    }
    EXPECT_GT(errors, 1000) << name;
    EXPECT_GT(scenarios, 50) << name;
  }
}

}  // namespace
}  // namespace jostle::part_imports
