// jostle rest: on which faces a part rests.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"
#include "tests/support/round_meshes.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using ::testing::HasSubstr;

const test::ScratchFolder folder;
json json_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}
const std::string bracket = JOSTLE_SOURCE_DIR "/examples/bracket.stl";

TEST(RestCommand, PrintsTheFacesOfAPart) {
  const Answer text = test::jostle({"rest", bracket, "--scale", "0.001", "--density", "2700"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("0.03 x 0.018 x 0.012 m, volume 1.596e-06 m^3"));
  EXPECT_THAT(text.out, HasSubstr("mass 0.0043092 kg"));
  EXPECT_THAT(text.out, HasSubstr("   face     share   tips at"));
  EXPECT_THAT(text.out, HasSubstr("The hull has 8 faces, of which 3 do not hold the part."));
  const Answer answer = test::jostle({"rest", bracket, "--scale", "0.001", "--density", "2700", "--json"});
  const json part = json::parse(answer.out);
  double sum = 0;
  for (const json& face : part.at("faces")) {
    sum += face.at("share").get<double>();
    EXPECT_EQ(face.at("stable").get<bool>(), face.at("margin").get<double>() > 0);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_EQ(part.at("faces").size(), 8u);
  EXPECT_NEAR(part.at("mass").get<double>(), 2700 * part.at("volume").get<double>(), 1e-18);
}

TEST(RestCommand, RefusesWithOneLine) {
  std::string thin;  // 1 m x 1 m x 1e-10 m, 100 km from the origin
  for (int i = 0; i < 8; ++i)
    thin += "v 10000" + std::string(i & 4 ? "1" : "0") + (i & 2 ? " 1" : " 0") + (i & 1 ? " 1e-10\n" : " 0\n");
  std::ofstream(folder / "thin.obj") << thin << "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
  const Answer answer = test::jostle({"rest", "thin.obj", "--scale", "1"}, folder.path().string());
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, testing::StartsWith("thin.obj: the points have no convex hull"));
  EXPECT_EQ(std::ranges::count(answer.err, '\n'), 1) << answer.err;
  std::filesystem::copy_file(bracket, folder / "line\nend.stl");
  const Answer named =
      test::jostle({"rest", "line\nend.stl", "--scale", "0.001", "-o", "named.yaml"}, folder.path().string());
  EXPECT_EQ(named.status, 2);
  EXPECT_THAT(named.err, HasSubstr("a scenario cannot name a file with control characters"));
  EXPECT_FALSE(std::filesystem::exists(folder / "named.yaml"));
}

TEST(RestCommand, RefusesWhatGoesThroughItself) {
  // The second pyramid stands through the first one.
  test::write_file(folder / "star.obj",
                   "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nv 1 1 -5\nv 4 1 5\nv 1 4 5\nv 1 1 6\n"
                   "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n");
  const Answer answer = test::jostle({"rest", "star.obj", "--scale", "0.001"}, folder.path().string());
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, testing::StartsWith("star.obj: the surface goes through itself: the edge from (0.001, 0.001, "
                                              "-0.005) m to (0.001, 0.001, 0.006) m passes through the face at "));
  EXPECT_THAT(answer.err, testing::EndsWith("; the triangles in lines 9 and 14 meet there\n"));
  EXPECT_TRUE(test::is_one_line(answer.err)) << answer.err;
}

TEST(RestCommand, SaysWhatIsWrongWithItsScenario) {
  const TriangleMesh ball = test::round_ball(16, 18);
  std::string text;
  for (const Vec3& x : ball.points) text += fmt::format("v {} {} {}\n", x[0], x[1], x[2]);
  for (const auto& [a, b, c] : ball.triangles) text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
  test::write_file(folder / "ball.obj", text);
  const Answer answer = test::jostle({"rest", "ball.obj", "--scale", "1", "-o", "ball.yaml"}, folder.path().string());
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.err, testing::AllOf(testing::StartsWith("the scenario needs work: ball.yaml: the hull "),
                                         HasSubstr("has 274 corners, more than 256")));
  const Answer good = test::jostle({"rest", bracket, "--scale", "0.001", "-o", "good.yaml"}, folder.path().string());
  EXPECT_EQ(good.err, "");
}

TEST(RestCommand, ReadsNoDevice) {
  const Answer answer = test::jostle({"rest", "/dev/zero", "--scale", "1"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(answer.err, "/dev/zero: is a device, not a file of triangles\n");
}

// Dropped without bouncing, parts come to rest on faces that hold them, more often on those that hold them well.
TEST(RestCommand, WritesAScenarioThatDropsThePart) {
  const std::string out = (folder / "drop.yaml").string();
  const Answer written = test::jostle({"rest", bracket, "--scale", "0.001", "--density", "2700", "-o", out});
  EXPECT_EQ(written.status, 0) << written.err;
  const Answer swept = test::jostle({"sweep", "drop.yaml", "-n", "200", "-o", "drop.out"}, folder.path().string());
  EXPECT_EQ(swept.status, 0) << swept.err;
  const json summary = json_of(folder / "drop.out/summary.json");
  EXPECT_EQ(summary.at("statuses").at("ok"), 200) << summary.dump();
  const json part = json::parse(test::jostle({"rest", bracket, "--scale", "0.001", "--json"}).out);
  double sum = 0;
  for (const json& face : part.at("faces")) {
    if (!face.at("stable").get<bool>()) continue;
    const double rate =
        summary.at("outcomes").at("face_" + std::to_string(face.at("number").get<int>())).at("rate").get<double>();
    EXPECT_NEAR(rate, face.at("share").get<double>(), 0.2) << face.dump();
    const json& tested = summary.at("categories").at("face").at("shares").at("face_" + face.at("number").dump());
    EXPECT_NEAR(tested.at("expected").get<double>(), face.at("share").get<double>(), 1e-11);
    sum += rate;
  }
  EXPECT_NEAR(sum, 1, 0.01);
}

// The duration is a whole number of steps for every size, and names are quoted.
TEST(RestCommand, WritesScenariosOfAnySizeThatAreRead) {
  const std::string box =
      "v 0 0 0\nv 0 0 1\nv 0 1 0\nv 0 1 1\nv 1 0 0\nv 1 0 1\nv 1 1 0\nv 1 1 1\n"
      "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
  test::write_file(folder / "it's.obj", box);
  for (const char* const size : {"0.01", "0.03", "0.06", "0.07", "0.09", "0.13", "0.15", "0.2", "0.5"}) {
    const Answer written =
        test::jostle({"rest", "it's.obj", "--scale", size, "-o", "it's.yaml"}, folder.path().string());
    EXPECT_EQ(written.status, 0) << written.err;
    const Answer swept = test::jostle({"sweep", "it's.yaml", "-n", "2", "--dry-run"}, folder.path().string());
    EXPECT_EQ(swept.status, 0) << size << swept.err;
  }
}

TEST(RestCommand, RefusesWhatIsNoPart) {
  EXPECT_THAT(test::jostle({"rest", bracket}).err, HasSubstr("has no unit: give --scale, 0.001 for mm or 1 for m"));
  EXPECT_EQ(test::jostle({"rest", bracket}).status, 2);
  const Answer metres = test::jostle({"rest", bracket, "--scale", "1"});
  EXPECT_EQ(metres.status, 2);
  EXPECT_THAT(metres.err, HasSubstr("the part is 30 m long; a file in mm wants --scale 0.001"));
  EXPECT_EQ(test::jostle({"rest", bracket, "--scale", "1", "--any-size"}).status, 0);
  EXPECT_THAT(test::jostle({"rest", bracket, "--scale", "-1"}).err,
              HasSubstr("--scale must be a number greater than 0, not '-1'"));
  test::write_file(
      folder / "open.stl",
      "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n");
  const Answer open = test::jostle({"rest", "open.stl", "--scale", "1"}, folder.path().string());
  EXPECT_EQ(open.status, 2);
  EXPECT_THAT(
      open.err,
      HasSubstr(
          "open.stl:8:1: the edge from (0, 0, 0) m to (1, 0, 0) m belongs to triangle 1 alone: the surface is open"));
  EXPECT_EQ(test::jostle({"rest", "missing.stl", "--scale", "1"}).status, 2);
  EXPECT_EQ(open.out, "");
}

}  // namespace
}  // namespace jostle
