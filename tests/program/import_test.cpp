// jostle import: parts and robots as scenarios, with exit statuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using test::Answer;
using ::testing::HasSubstr;

const test::ScratchFolder import_folder;
const std::string bracket_file = JOSTLE_SOURCE_DIR "/examples/bracket.stl";

Answer import(std::vector<std::string> words) {
  words.insert(words.begin(), "import");
  return test::jostle(std::move(words), import_folder.path().string());
}

TEST(ImportCommand, WritesAPartThatRuns) {
  const Answer refused = import({bracket_file, "--scale", "0.001", "--density", "2700", "-o", "bracket.yaml"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("bracket.stl: surface: jostle takes the convex hull, of which the part fills "
                        "39.64 %: nothing reaches into its dents and holes; --as surface keeps them (--allow "
                        "concave)"));
  EXPECT_THAT(refused.err, HasSubstr("nothing is written"));
  EXPECT_FALSE(std::filesystem::exists(import_folder / "bracket.yaml"));
  const Answer written = import({bracket_file, "--scale", "0.001", "--density", "2700", "--allow", "concave",
                                 "--report", "lists.json", "-o", "bracket.yaml"});
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_THAT(written.err, testing::Not(HasSubstr("needs work")));
  const auto lists = nlohmann::json::parse(read_text_file((import_folder / "lists.json").string()));
  EXPECT_EQ(lists.at("refused").at(0).at("kind"), "concave");
  const Answer run =
      test::jostle({"run", "bracket.yaml", "--set", "world.duration=0.01"}, import_folder.path().string());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("bracket  0.0043092 kg, size [0.03, 0.018, 0.012] m"));
  const Answer printed =
      import({bracket_file, "--scale", "0.001", "--density", "2700", "--allow", "concave", "--quiet"});
  EXPECT_EQ(printed.status, 0);
  EXPECT_EQ(printed.err, "");
  EXPECT_THAT(printed.out, HasSubstr("bracket.stl', scale: 0.001, as: hull}"));
}

TEST(ImportCommand, WritesThePartAsItIsOrItsHull) {
  const auto import_as = [](const std::string& form) {
    return import({bracket_file, "--scale", "0.001", "--density", "2700", "--as", form, "-o", form + ".yaml"});
  };
  const Answer surface = import_as("surface");
  EXPECT_EQ(surface.status, 0) << surface.err;
  EXPECT_THAT(surface.err, HasSubstr("converted: 0\nignored: 0\nrefused: 0\n"));
  EXPECT_THAT(read_text_file((import_folder / "surface.yaml").string()), HasSubstr("as: surface}"));
  const Answer run =
      test::jostle({"run", "surface.yaml", "--set", "world.duration=0.01"}, import_folder.path().string());
  EXPECT_EQ(run.status, 0) << run.err;
  const Answer hull = import_as("hull");
  EXPECT_EQ(hull.status, 0) << hull.err;
  EXPECT_THAT(hull.err, HasSubstr("converted: 1\n  "));
  EXPECT_THAT(hull.err, HasSubstr("bracket.stl: surface: its convex hull stands for it, which adds "));
  EXPECT_THAT(hull.err, HasSubstr("refused: 0\n"));
  EXPECT_THAT(read_text_file((import_folder / "hull.yaml").string()), HasSubstr("as: hull}"));
}

TEST(ImportCommand, AllowsWhatAFileDoesNotHave) {
  const Answer twice = import({bracket_file, "--scale", "0.001", "--density", "2700", "--as", "surface", "--allow",
                               "mimic,concave,inertial", "-o", "allowed.yaml"});
  EXPECT_EQ(twice.status, 0) << twice.err;
  EXPECT_THAT(twice.err, testing::StartsWith("used: 1\n"));
  const Answer unknown = import({bracket_file, "--scale", "0.001", "--density", "2700", "--allow", "mimik"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--allow: there is no kind 'mimik' (did you mean 'mimic'?)"));
}

TEST(ImportCommand, FindsMeshesOfARobotWithoutAFolderInItsName) {
  std::filesystem::create_directory(import_folder / "parts");
  std::filesystem::copy_file(bracket_file, import_folder / "parts/bracket.stl");
  test::write_file(import_folder / "robot.urdf",
                   "<robot name='r'><link name='a'><inertial><mass value='0.01'/><inertia ixx='1e-6' ixy='0' ixz='0' "
                   "iyy='1e-6' iyz='0' izz='1e-6'/></inertial><collision><geometry><mesh scale='0.001 0.001 0.001' "
                   "filename='package://parts/bracket.stl'/></geometry></collision></link></robot>");
  const Answer answer = import({"robot.urdf", "--as", "hull"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("file: 'parts/bracket.stl'"));
}

TEST(ImportCommand, SaysFirstThatItsFileCannotBeWritten) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"import", bracket_file, "--density", "2700", "--as", "hull", "--quiet"},
        {"rest", bracket_file}}) {
    std::vector<std::string> all = words;
    for (const char* const word : {"--scale", "0.001", "-o", "no_folder/part.yaml"}) all.emplace_back(word);
    const Answer answer = test::jostle(all, import_folder.path().string());
    EXPECT_NE(answer.status, 0);
    EXPECT_THAT(answer.err, HasSubstr("no_folder/part.yaml: cannot be created"));
    EXPECT_TRUE(test::is_one_line(answer.err)) << answer.err;
  }
}

// However the name is written.
TEST(ImportCommand, OverwritesNoFileThatItReads) {
  const auto path = [](const std::string& name) { return import_folder / name; };
  std::filesystem::create_directory(path("kept"));
  std::filesystem::copy_file(bracket_file, path("kept/p.stl"));
  test::write_file(path("kept/arm.urdf"),
                   "<robot name='r'><link name='a'><collision><geometry><mesh filename='p.stl'/></geometry></collision>"
                   "</link></robot>");
  const auto check = [&](const std::string& words, const std::string& option, const std::string& out) {
    const std::string stl = read_text_file(path("kept/p.stl")), urdf = read_text_file(path("kept/arm.urdf"));
    std::istringstream text(words + " " + option + " " + out);
    const std::vector<std::string> all{std::istream_iterator<std::string>(text), {}};
    const Answer answer = test::jostle(all, import_folder.path().string());
    EXPECT_EQ(answer.status, 2) << words << " " << out;
    EXPECT_TRUE(test::is_one_line(answer.err)) << answer.err;
    EXPECT_THAT(answer.err, HasSubstr(out + ": this file is read, and would be overwritten"));
    EXPECT_EQ(read_text_file(path("kept/p.stl")), stl);
    EXPECT_EQ(read_text_file(path("kept/arm.urdf")), urdf);
  };
  const std::string part = "import kept/p.stl --scale 0.001 --density 1 --as hull", robot = "import kept/arm.urdf";
  check(part, "--out", "./kept/p.stl");
  check(part, "--report", "kept/../kept/p.stl");
  check("rest kept/p.stl --scale 0.001", "--out", "kept/p.stl");
  check(robot, "--out", path("kept/arm.urdf").string());
  check(robot, "--report", "kept/arm.urdf");
  check(robot, "--out", "kept/p.stl");
  import({"kept/p.stl", "--scale", "0.001", "--density", "1", "--as", "hull", "-o", "kept/p.yaml"});
  check("view kept/p.yaml", "--out", "kept/p.stl");
  check("run kept/p.yaml", "--dump-lcp 1", "kept/p.yaml");
}

// However the names are written, and whether or not the file is there.
TEST(ImportCommand, WritesNoFileOverItsOtherOne) {
  const std::string robot = JOSTLE_SOURCE_DIR "/examples/arm.urdf", there = (import_folder / "both.yaml").string();
  const auto check = [&](const std::string& report) {
    const Answer answer = import({robot, "-o", "both.yaml", "--report", report});
    EXPECT_EQ(answer.status, 2) << report;
    EXPECT_EQ(answer.err, "--out and --report " + report + ": both would be the same file; give another name\n");
    return std::filesystem::exists(there);
  };
  std::filesystem::create_directory(import_folder / "sub");
  for (const std::string& report : {std::string("both.yaml"), std::string("sub/../both.yaml"), there})
    EXPECT_FALSE(check(report));
  EXPECT_EQ(import({robot, "-o", "both.yaml", "--report", "both.json"}).status, 0);
  std::filesystem::create_symlink("both.yaml", import_folder / "link.yaml");
  EXPECT_TRUE(check("link.yaml"));
  EXPECT_NE(read_text_file(there).find("jostle: 1"), std::string::npos);
}

TEST(ImportCommand, RefusesWithOneLine) {
  const auto error_of = [](std::vector<std::string> words) {
    const Answer answer = import(std::move(words));
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(std::ranges::count(answer.err, '\n'), 1) << answer.err;
    return answer.err;
  };
  EXPECT_THAT(error_of({bracket_file, "--density", "1"}), HasSubstr("has no unit: give --scale, 0.001 for mm"));
  EXPECT_THAT(error_of({bracket_file, "--scale", "1"}), HasSubstr("has no mass: give --density in kg/m^3"));
  EXPECT_THAT(error_of({bracket_file, "--scale", "0", "--density", "1"}),
              HasSubstr("--scale must be a number greater than 0, not '0'"));
  EXPECT_THAT(error_of({bracket_file, "--scale", "1", "--density", "1", "--packages", "."}),
              HasSubstr("--packages is for robots"));
  EXPECT_THAT(error_of({JOSTLE_SOURCE_DIR "/examples/arm.urdf", "--scale", "1"}), HasSubstr("a robot has its own"));
  EXPECT_THAT(error_of({bracket_file, "--scale", "1", "--density", "1", "--as", "mesh"}),
              HasSubstr("--as is surface or hull, not 'mesh'"));
  EXPECT_THAT(error_of({"part.step"}), HasSubstr("jostle imports URDF (.urdf), STL (.stl) and OBJ (.obj)"));
  EXPECT_THAT(error_of({"none.stl", "--scale", "1", "--density", "1"}), HasSubstr("none.stl: cannot be read"));
  for (const char* name : {"folder.stl", "folder.urdf"}) std::filesystem::create_directory(import_folder / name);
  EXPECT_THAT(error_of({"folder.stl", "--scale", "1", "--density", "1"}),
              HasSubstr("folder.stl: is a directory, not a file of triangles"));
  EXPECT_THAT(error_of({"folder.urdf"}), HasSubstr("folder.urdf: is a directory, not a robot"));
  for (const char* name : {"caf\xe9.stl", "line\nend.stl", "del\x7f.stl"}) {
    std::filesystem::copy_file(bracket_file, import_folder / name);
    const Answer answer = import({name, "--scale", "0.001", "--density", "1", "--as", "hull", "-o", "part.yaml"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.err, HasSubstr("a scenario cannot name a file with control characters"));
    EXPECT_FALSE(std::filesystem::exists(import_folder / "part.yaml"));
  }
}

}  // namespace
}  // namespace jostle
