// Meshes of a URDF file: where they lie, in which unit, and what a hull cannot say of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <set>

#include "scenarios/ensemble.hpp"
#include "scenarios/import/urdf.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle::urdf_meshes {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A box in mm about the origin, 40 x 60 x 80.
const std::string box =
    "v -20 -30 -40\nv -20 -30 40\nv -20 30 -40\nv -20 30 40\nv 20 -30 -40\nv 20 -30 40\nv 20 30 -40\nv 20 30 40\n"
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";

/// Returns to where it was at the end.
struct InFolder {
  explicit InFolder(const fs::path& folder) : before(fs::current_path()) { fs::current_path(folder); }
  ~InFolder() { fs::current_path(before); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;
  const fs::path before;
};

class UrdfMeshes : public testing::Test {
 protected:
  UrdfMeshes() {
    write("robots/arm_description/meshes/box.obj", box);
    write("robots/arm_description/meshes/open.obj", box.substr(0, box.size() - 10));
    fs::create_directories(folder / "robots/arm_description/urdf");
    fs::create_directory(folder / "out");
  }
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  /// A robot of a fixed link and one with a mesh that falls.
  static std::string robot(const std::string& mesh, const std::string& inertial = "", const std::string& more = "") {
    const std::string usual = "<mass value='0.5'/><inertia ixx='4e-4' ixy='0' ixz='0' iyy='3e-4' iyz='0' izz='2e-4'/>";
    return "<robot name='r'>\n<link name='base'/>\n<link name='part'>\n<inertial>\n" +
           (inertial.empty() ? usual : inertial) + "\n</inertial>\n<collision>\n<origin xyz='0 0 0.1'/>\n<geometry>\n" +
           mesh + "\n</geometry>\n</collision>\n</link>\n" + more +
           "<joint name='free' type='floating'>\n<parent link='base'/>\n<child link='part'/>\n</joint>\n</robot>\n";
  }
  Import import(const std::string& text, const std::vector<std::string>& packages = {}) {
    return import_urdf_text(text, path("robots/arm_description/urdf/arm.urdf"), {path("out"), packages});
  }
  std::vector<std::string> refused(const std::string& text) {
    std::vector<std::string> items;
    for (const ImportNote& note : import(text).notes)
      if (note.fate == Fate::refused) items.push_back(fmt::format("{}: {}: {}", note.line, note.kind, note.message));
    return items;
  }
  const test::ScratchFolder folder;
};

const std::string scale = " scale='0.001 0.001 0.001'/>";
const std::string good_mesh = "<mesh filename='../meshes/box.obj'" + scale;

TEST_F(UrdfMeshes, KeepTheirFileWhateverNamesIt) {
  const std::string urls[] = {"../meshes/box.obj", "package://arm_description/meshes/box.obj",
                              "file://" + path("robots/arm_description/meshes/box.obj")};
  for (const std::string& url : urls) {
    const Import arm = import(robot("<mesh filename='" + url + "'" + scale));
    EXPECT_TRUE(arm.is_complete({})) << url;
    EXPECT_THAT(arm.scenario, HasSubstr("- {mesh: {file: '../robots/arm_description/meshes/box.obj', scale: 0.001, as: "
                                        "hull}, position: [0, 0, 0.1]}"))
        << url;
    const Scenario scenario = parse_scenario(arm.scenario, path("out/arm.yaml"));
    EXPECT_EQ(scenario.bodies[1].shapes[0].hull.structure.corners.size(), 8u);
    EXPECT_NO_THROW(Ensemble{scenario});
  }
  write("elsewhere/hand_description/palm.OBJ", box);
  const std::string palm = robot("<mesh filename='package://hand_description/palm.OBJ'" + scale);
  EXPECT_THAT(refused(palm),
              ElementsAre(HasSubstr("10: mesh: there is no 'palm.OBJ' in a package 'hand_description'")));
  EXPECT_TRUE(import(palm, {path("elsewhere")}).is_complete({}));
}

TEST_F(UrdfMeshes, OfPackagesAreFoundFromTheFolderOfTheFile) {
  const InFolder here(folder / "robots/arm_description/urdf");
  const std::string text = robot("<mesh filename='package://arm_description/meshes/box.obj'" + scale);
  EXPECT_TRUE(import_urdf_text(text, "arm.urdf", {path("out"), {}}).is_complete({}));
}

TEST_F(UrdfMeshes, EveryElementAndEveryAttributeOfAMeshIsInOneOfTheLists) {
  const std::string text = robot(good_mesh);
  const Import arm = import(text);
  tinyxml2::XMLDocument document;
  document.Parse(text.c_str());
  int elements = 0;
  const std::function<void(const tinyxml2::XMLElement*)> count = [&](const tinyxml2::XMLElement* element) {
    for (; element; element = element->NextSiblingElement()) {
      ++elements, count(element->FirstChildElement());
      const bool is_mesh = std::string(element->Name()) == "mesh";
      for (auto* a = is_mesh ? element->FirstAttribute() : nullptr; a; a = a->Next()) ++elements;
    }
  };
  count(document.RootElement());
  std::set<std::pair<int, std::string>> listed;
  for (const ImportNote& note : arm.notes)
    if (note.fate == Fate::used || note.fate == Fate::ignored || note.fate == Fate::refused)
      listed.insert({note.line, note.item});
  EXPECT_EQ(static_cast<int>(listed.size()), elements);
}

TEST_F(UrdfMeshes, ThatAScenarioCannotHaveAreRefused) {
  const auto mesh = [&](const std::string& attributes) { return refused(robot("<mesh " + attributes)); };
  EXPECT_THAT(mesh("filename='../meshes/none.stl'/>"), ElementsAre("10: mesh: there is no file '../meshes/none.stl'"));
  EXPECT_THAT(mesh("filename='../meshes/box.dae'/>"),
              ElementsAre("10: mesh: jostle reads meshes of STL and OBJ, not '../meshes/box.dae'"));
  EXPECT_THAT(mesh("filename='http://a/box.stl'/>"), ElementsAre(HasSubstr("by path, file:// and package://")));
  EXPECT_THAT(mesh("filename='../meshes/box.obj' scale='0.001 0.001 -0.001'/>"),
              ElementsAre("10: mesh: a scenario has one scale above 0 for all axes: scale the file itself"));
  EXPECT_THAT(mesh("filename='../meshes/open.obj'" + scale), ElementsAre(HasSubstr("the surface is open")));
  const std::string open = robot("<mesh filename='../meshes/open.obj'" + scale);
  EXPECT_TRUE(import(open).is_complete({"mesh"}));
  EXPECT_THAT(import(open).scenario, testing::Not(HasSubstr("mesh:")));
  const std::string roller =
      "<link name='roller'>\n<collision>\n<geometry>\n<cylinder radius='1' length='1'/></geometry></collision></link>"
      "<joint name='fix' type='fixed'><parent link='base'/><child link='roller'/></joint>";
  EXPECT_THAT(refused(robot(good_mesh, "", roller)), IsEmpty());
  EXPECT_THAT(import(robot(good_mesh, "", roller)).scenario, HasSubstr("cylinder: {length: 1, radius: 1, axis: z}"));
  EXPECT_THAT(refused(robot("<mesh filename='../meshes/none.stl'/>", "", roller)), ElementsAre(HasSubstr("mesh")));
}

TEST_F(UrdfMeshes, MayBeKeptAsSurfaces) {
  UrdfOptions options{path("out"), {}};
  for (const MeshForm form : {MeshForm::surface, MeshForm::hull}) {
    options.form = form;
    const Import arm = import_urdf_text(robot(good_mesh), path("robots/arm_description/urdf/arm.urdf"), options);
    EXPECT_TRUE(arm.is_complete({}));
    EXPECT_THAT(arm.scenario, HasSubstr(form == MeshForm::surface ? "as: surface}" : "as: hull}"));
  }
}

// The mass is that of <inertial>, so the hull needs nothing of the surface; that it is the part can only be said of one
// that does not go through itself.
TEST_F(UrdfMeshes, ThatGoThroughThemselvesAreTakenAsHullsOnly) {
  std::string twice = box;
  for (const int from : {1, 2, 3, 4, 5, 6, 7, 8})
    twice += fmt::format("v {} {} {}\n", from > 4 ? 40 : 0, (from - 1) / 2 % 2 ? 50 : -10, from % 2 ? -20 : 60);
  twice += "f 9 10 12 11\nf 13 15 16 14\nf 9 13 14 10\nf 11 12 16 15\nf 9 11 15 13\nf 10 14 16 12\n";
  write("robots/arm_description/meshes/twice.obj", twice);
  const std::string crossed = robot("<mesh filename='../meshes/twice.obj'" + scale);
  EXPECT_THAT(refused(crossed), ElementsAre(HasSubstr("the surface goes through itself: the edge from (")));
  const Import hull =
      import_urdf_text(crossed, path("robots/arm_description/urdf/arm.urdf"), {path("out"), {}, MeshForm::hull});
  EXPECT_TRUE(hull.is_complete({}));
  const auto converted = std::ranges::find(hull.notes, "concave", &ImportNote::kind);
  ASSERT_NE(converted, hull.notes.end());
  EXPECT_THAT(converted->message, HasSubstr("its convex hull stands for it: the surface goes through itself"));
}

TEST_F(UrdfMeshes, InAnotherUnitAreRefused) {
  EXPECT_THAT(refused(robot(good_mesh)), IsEmpty());
  // mm read as m
  EXPECT_THAT(refused(robot("<mesh filename='../meshes/box.obj'/>")),
              ElementsAre(HasSubstr("3: inertial: inertia and mass are those of a part of about"),
                          HasSubstr("10: size: 80 m long; a file in mm wants a scale of 0.001")));
  // a small part in mm passes for one in m; its inertia does not fit
  write("robots/arm_description/meshes/small.obj",
        "v 0 0 0\nv 6 0 0\nv 0 5 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const std::string gram =
      "<origin xyz='0 0 0.1'/><mass value='1e-3'/><inertia ixx='2e-9' ixy='0' ixz='0' iyy='2e-9' iyz='0' izz='2e-9'/>";
  const std::string small = "<mesh filename='../meshes/small.obj'";
  EXPECT_THAT(refused(robot(small + scale, gram)), IsEmpty());
  EXPECT_THAT(refused(robot(small + "/>", gram)), ElementsAre(HasSubstr("has another unit")));
  EXPECT_TRUE(import(robot(small + "/>", gram)).is_complete({"inertial"}));
  // a centre of mass in mm
  EXPECT_THAT(refused(robot(small + scale, "<origin xyz='3 2 101'/>" + gram.substr(23))),
              ElementsAre(HasSubstr("3: inertial: the centre of mass is 101 m away from the shapes")));
  // other shapes beside it are as large as they are
  const auto beside = [&](const std::string& shape) {
    return small + scale + "</geometry></collision><collision><geometry>" + shape;
  };
  EXPECT_THAT(refused(robot(beside("<sphere radius='0.005'/>"), gram)), IsEmpty());
  for (const char* const shape :
       {"<sphere radius='0.1'/>", "<cylinder radius='0.1' length='0.2'/>", "<box size='0.2 0.2 0.2'/>"})
    EXPECT_THAT(refused(robot(beside(shape), "<origin xyz='0 0 10'/>" + gram.substr(23))),
                ElementsAre(HasSubstr("is 9.9 m away from the shapes, which are 0.349 m large")));
}

TEST_F(UrdfMeshes, ThousandsOfMutatedRobotsAreReadOrRefused) {
  std::mt19937_64 random(11);
  const std::string good = robot("<mesh filename='package://arm_description/meshes/box.obj'" + scale);
  int errors = 0, scenarios = 0;
  for (int k = 0; k < 6000; ++k) {
    std::string text = good;
    for (std::uint64_t edits = 1 + random() % 2; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const std::uint64_t kind = random() % 3;
      if (kind == 0) text[at] = static_cast<char>(random());
      if (kind == 1) text.erase(at, 1 + random() % 30);
      if (kind == 2) text.insert(at, text.substr(at, 1 + random() % 30));
    }
    try {
      const Import arm = import(text);
      for (const ImportNote& note : arm.notes) EXPECT_EQ((note.item + note.message).find('\n'), std::string::npos);
      if (!arm.is_complete({})) continue;
      ++scenarios;
      parse_scenario(arm.scenario, path("out/arm.yaml"));
    } catch (const ScenarioError& error) {
      ++errors;
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    }
  }
  EXPECT_GT(errors, 1200);
  EXPECT_GT(scenarios, 50);
}

}  // namespace
}  // namespace jostle::urdf_meshes
