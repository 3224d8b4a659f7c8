// `jostle report`, `view`, `selftest`, and a sweep that goes on with a folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/program/program.hpp"
#include "tests/program/scenarios.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::library;
using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;

/// A swept folder `out`.
class Reports : public testing::Test {
 protected:
  void SetUp() override {
    const Answer swept = call({"sweep", library("tossed_box"), "-n", "60", "--set", "world.duration=0.1", "-o", "out"});
    ASSERT_EQ(swept.status, 0) << swept.err;
    EXPECT_THAT(swept.out, HasSubstr("out/report.html"));
  }
  Answer call(std::vector<std::string> words) const { return test::jostle(std::move(words), folder_.path().string()); }

  const ScratchFolder folder_;
};

TEST_F(Reports, PrintTheTableAndWriteThePageThatTheSweepWrote) {
  const std::string page = read_text_file(folder_ / "out/report.html");
  std::filesystem::remove(folder_ / "out/report.html");
  const Answer answer = call({"report", "out"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("95 % interval"), HasSubstr("median"), HasSubstr("out/report.html")));
  EXPECT_EQ(read_text_file(folder_ / "out/report.html"), page);
}

TEST_F(Reports, OfAFolderWhoseNameIsNoUtf8HaveAPageElsewhere) {
  std::filesystem::rename(folder_ / "out", folder_ / "d\xe9j\xe0");
  const Answer answer = call({"report", "d\xe9j\xe0", "--out", "page.html"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(read_text_file(folder_ / "page.html"), HasSubstr("/d\xef\xbf\xbdj\xef\xbf\xbd\""));
}

TEST_F(Reports, AnswerByNamesAndSensitivityAsTextAndJson) {
  const json known = json::parse(call({"report", "out", "--sensitivity", "--json"}).out).at("sensitivity");
  std::string first;
  for (const auto& [name, list] : known.items())
    if (!list.empty()) first = list[0].at("variable");
  ASSERT_NE(first, "") << known.dump();
  const Answer answer = call({"report", "out", "--by", first, "--bins", "3"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("by " + first));
  const json by = json::parse(call({"report", "out", "--by", first, "--bins", "3", "--json"}).out).at("by");
  for (const auto& [name, cells] : by.at("outcomes").items()) EXPECT_EQ(cells.size(), 3u) << name;
}

TEST_F(Reports, OfAReadOnlyFolderArePrinted) {
  const std::string out = (folder_ / "out").string();
  if (::mount(out.c_str(), out.c_str(), nullptr, MS_BIND, nullptr) != 0) GTEST_SKIP() << "no right to mount a folder";
  ASSERT_EQ(::mount(nullptr, out.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr), 0);
  const Answer printed = call({"report", "out"}), written = call({"report", "out", "-o", "page.html"});
  ASSERT_EQ(::umount(out.c_str()), 0);
  EXPECT_EQ(printed.status, 0) << printed.err;
  EXPECT_THAT(printed.out, AllOf(HasSubstr("95 % interval"), HasSubstr("out is read-only: `--out PAGE`")));
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(read_text_file(folder_ / "page.html").substr(0, 9), "<!DOCTYPE");
}

TEST_F(Reports, OverwriteNoDataOfTheirFolder) {
  const std::string scenario = read_text_file(folder_ / "out/scenario.yaml");
  for (const char* command : {"report", "view"}) {
    const Answer answer = call({command, "out", "-o", "out/scenario.yaml"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.err, "--out out/scenario.yaml: this file is read, and would be overwritten; give another name\n");
    EXPECT_EQ(read_text_file(folder_ / "out/scenario.yaml"), scenario);
  }
  EXPECT_EQ(call({"report", "out", "-o", "out/report.html"}).status, 0);
}

TEST_F(Reports, RefuseWhatIsNotThere) {
  const Answer unknown = call({"report", "out", "--by", "nothing"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no random parameter 'nothing'"));
  EXPECT_THAT(call({"report", "."}).err, HasSubstr("neither a scenario file nor the folder of a sweep"));
  json record = json::parse(read_text_file(folder_ / "out/run.json"));
  record["format"] = 1;
  test::write_file(folder_ / "out/run.json", record.dump());
  const Answer old = call({"report", "out"});
  EXPECT_EQ(old.status, 2);
  EXPECT_THAT(old.err, HasSubstr("format 1, this program reads format 2"));
  EXPECT_THAT(call({"report", "out", "--bins", "3"}).err, HasSubstr("--bins needs --by"));
  EXPECT_EQ(call({"report", "missing"}).status, 2);
}

TEST_F(Reports, AFolderGoesOnWithMoreSamples) {
  const Answer more = call({"sweep", "out", "-n", "100"});
  EXPECT_EQ(more.status, 0) << more.err;
  ASSERT_EQ(call({"sweep", library("tossed_box"), "-n", "100", "--set", "world.duration=0.1", "-o", "whole"}).status,
            0);
  EXPECT_TRUE(test::content_of(folder_ / "out") == test::content_of(folder_ / "whole"));
}

/// A block of 2 kg without gravity, pushed by a random force f from rest: v = f t/2, x = f t^2/4.
constexpr const char* pushed_block = R"yaml(jostle: 1
title: Pushed block
variables: {f: {uniform: [1, 2], label: push, unit: N}}
world: {step: 0.01, duration: 1, gravity: [0, 0, 0]}
bodies: {block: {mass: 2, freedom: [x], shape: {box: {size: [1, 1, 1]}}}}
forces: [{body: block, force: [$f, 0, 0]}]
outcomes:
  far: {at_end: block.position.x, label: distance}
  quick: {at_end: block.velocity.x > 0.75}
  place: {category: {near: block.position.x < 0.4, away: block.position.x >= 0.4}}
record: {trajectories: 5, quantities: [block.velocity.x, block.position.x, "block.velocity.x*block.velocity.x"]}
)yaml";

class ReportOfRecords : public testing::Test {
 protected:
  void SetUp() override {
    test::write_file(folder_ / "block.yaml", pushed_block);
    ASSERT_EQ(call({"sweep", "block.yaml", "-n", "64", "-o", "out"}).status, 0);
  }
  Answer call(std::vector<std::string> words) const { return test::jostle(std::move(words), folder_.path().string()); }
  json page() const {
    const std::string text = read_text_file(folder_ / "out/report.html"), open = "type=\"application/json\">";
    const std::size_t begin = text.find(open) + open.size();
    return json::parse(text.substr(begin, text.find("</script>", begin) - begin));
  }
  /// Forces of the samples that are recorded, ascending.
  std::vector<double> forces() const {
    std::vector<double> found;
    for (int sample = 0; sample < 5; ++sample)
      found.push_back(json::parse(call({"run", "out", "--sample", std::to_string(sample), "--json"}).out)
                          .at("variables")
                          .at("f")
                          .get<double>());
    std::sort(found.begin(), found.end());
    return found;
  }

  const ScratchFolder folder_;
};

TEST_F(ReportOfRecords, CurvesAreMedianAndBandOfTheSamples) {
  const json answer = json::parse(call({"report", "out", "--curve", "block.velocity.x", "--json"}).out);
  const json& curve = answer.at("curves").at(0);
  EXPECT_EQ(curve.at("samples"), 5);
  EXPECT_EQ(curve.at("x").at("name"), "time");
  EXPECT_EQ(curve.at("y").at("unit"), "m/s");
  ASSERT_EQ(curve.at("points").size(), 101u);
  const std::vector<double> f =
      forces();  // a twentieth of the way from the first of five to the last is 0.2 of the first
  const double low = f[0] + 0.2 * (f[1] - f[0]), high = f[3] + 0.8 * (f[4] - f[3]);
  for (const int i : {0, 50, 100}) {
    const json& point = curve.at("points").at(static_cast<std::size_t>(i));
    const double t = 0.01 * i;
    EXPECT_NEAR(point.at("x").get<double>(), t, 1e-12);
    EXPECT_NEAR(point.at("median").get<double>(), f[2] * t / 2, 1e-12);
    EXPECT_NEAR(point.at("low").get<double>(), low * t / 2, 1e-12);
    EXPECT_NEAR(point.at("high").get<double>(), high * t / 2, 1e-12);
  }
}

// 100 steps at a stride of 30: the last step is recorded, too.
TEST_F(ReportOfRecords, CurvesHaveTheTimesThatAreRecorded) {
  ASSERT_EQ(call({"sweep", "block.yaml", "-n", "3", "-o", "some", "--set", "record.stride=30"}).status, 0);
  const json answer = json::parse(call({"report", "some", "--curve", "block.velocity.x", "--json"}).out);
  const json& points = answer.at("curves").at(0).at("points");
  ASSERT_EQ(points.size(), 5u);
  const double times[] = {0, 0.3, 0.6, 0.9, 1};
  const double push = points.at(4).at("median").get<double>();
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(points.at(i).at("x").get<double>(), times[i], 1e-12);
    EXPECT_NEAR(points.at(i).at("median").get<double>(), push * times[i], 1e-12);
  }
}

// Every shard has the first samples of a condition, as run.h5 needs those of the first shard alone.
TEST_F(ReportOfRecords, CurvesAreOfTheSamplesThatTheDatasetRecords) {
  const std::string record = "record={trajectories: {where: far >= 0, first: 3}, quantities: [block.velocity.x]}";
  ASSERT_EQ(call({"sweep", "block.yaml", "-n", "17000", "-o", "first", "--set", "world.duration=0.02", "--set", record})
                .status,
            0);
  EXPECT_THAT(call({"report", "first", "--curve", "block.velocity.x"}).out, HasSubstr("of 3 recorded samples"));
}

// v over v^2 is the same for all samples, as far as they come: the band has no width but that of a piece.
TEST_F(ReportOfRecords, CurvesMayBeOverAnotherQuantity) {
  const json answer = json::parse(
      call({"report", "out", "--curve", "block.velocity.x*block.velocity.x, block.velocity.x", "--json"}).out);
  const json& points = answer.at("curves").at(0).at("points");
  ASSERT_EQ(points.size(), 40u);
  for (const json& point : points)
    EXPECT_NEAR(point.at("median").get<double>(), std::sqrt(point.at("x").get<double>()), 0.06);
  EXPECT_EQ(points.at(0).at("samples"), 5);
  EXPECT_EQ(points.at(39).at("samples"), 1) << "only the strongest push comes so far";
  const std::string text = call({"report", "out", "--curve", "block.velocity.x"}).out;
  EXPECT_THAT(text, AllOf(HasSubstr("block.velocity.x (m/s) over time, of 5 recorded samples"), HasSubstr("median")));
}

TEST_F(ReportOfRecords, RefuseCurvesThatAreNotRecorded) {
  const auto error_of = [&](const std::string& curve) {
    const Answer answer = call({"report", "out", "--curve", curve});
    EXPECT_EQ(answer.status, 2);
    return answer.err;
  };
  EXPECT_THAT(error_of("block.velocty.x"),
              HasSubstr("--curve: 'block.velocty.x' is not recorded (did you mean 'block.velocity.x'?)"));
  EXPECT_THAT(error_of("time,block.spin.x"), HasSubstr("'block.spin.x' is not recorded"));
  ASSERT_EQ(call({"sweep", "block.yaml", "-n", "8", "--set", "record=null", "-o", "none"}).status, 0);
  EXPECT_THAT(call({"report", "none", "--curve", "block.spin.x"}).err,
              HasSubstr("has no recorded quantities (record: {trajectories: N"));
}

TEST_F(ReportOfRecords, PageHasPictureLabelsUnitsCategoriesAndCurves) {
  const json data = page();
  EXPECT_EQ(data.at("motions").size(), 1u);
  EXPECT_EQ(data.at("motions")[0].at("shapes")[0].at("type"), "box");
  EXPECT_EQ(data.at("outcomes")[0].at("label"), "distance");
  EXPECT_EQ(data.at("outcomes")[0].at("unit"), "m") << "of the quantity";
  EXPECT_EQ(data.at("outcomes")[0].at("curves")[0].at("label"), "push");
  EXPECT_EQ(data.at("outcomes")[0].at("curves")[0].at("unit"), "N");
  EXPECT_TRUE(data.at("categories").at("place").at("shares").contains("near"));
  ASSERT_EQ(data.at("recorded").size(), 3u);
  EXPECT_EQ(data.at("recorded")[1].at("y").at("name"), "block.position.x");
  EXPECT_EQ(data.at("recorded")[0].at("lines").size(), 5u);
}

// What would begin a comment or another script in the page does not.
TEST_F(ReportOfRecords, PageHoldsAnyTitle) {
  const std::string title = "<!-- <script> x </script> & '";
  ASSERT_EQ(call({"sweep", "block.yaml", "-n", "8", "-o", "other", "--set", "title=\"" + title + "\""}).status, 0);
  const std::string text = read_text_file(folder_ / "other/report.html"), open = "type=\"application/json\">";
  const std::size_t begin = text.find(open) + open.size();
  const std::string data = text.substr(begin, text.find("</script>", begin) - begin);
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_NE(json::parse(data).dump().find("<!-- <script> x </script> & '"), std::string::npos);
}

TEST_F(ReportOfRecords, OnlyKeepsWhatIsNamed) {
  const json some = json::parse(call({"report", "out", "--only", "quick", "--json"}).out);
  EXPECT_EQ(some.at("outcomes").size(), 1u);
  EXPECT_EQ(page().at("outcomes").size(), 1u);
  const json all = json::parse(call({"report", "out", "--only", "place,far", "--json"}).out);
  EXPECT_EQ(all.at("outcomes").size(), 3u);
  EXPECT_TRUE(all.at("categories").contains("place"));
  const json part = json::parse(call({"report", "out", "--only", "near", "--json"}).out);
  EXPECT_EQ(part.at("outcomes").size(), 1u);
  EXPECT_FALSE(part.contains("categories")) << "one of two has no test";
  const Answer unknown = call({"report", "out", "--only", "quik"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--only: no outcome 'quik' (did you mean 'quick'?)"));
}

// The three numbers stay, which a table of samples reads; the angles are those of the start.
TEST(SummaryCsv, HasTheAnglesOfRandomRotations) {
  const ScratchFolder folder;
  ASSERT_EQ(test::jostle({"sweep", library("cube_toss"), "-n", "3", "--set", "world.steps=2", "-o", "out"},
                         folder.path().string())
                .status,
            0);
  std::istringstream lines(read_text_file(folder / "out/summary.csv"));
  std::string head, row;
  std::getline(lines, head);
  EXPECT_THAT(head, testing::EndsWith(".rotation.roll,bodies.cube.rotation.pitch,bodies.cube.rotation.yaw"));
  EXPECT_THAT(head, HasSubstr("bodies.cube.rotation[2]"));
  std::getline(lines, row);
  const json shown = json::parse(test::jostle({"run", "out", "--sample", "0", "--json"}, folder.path().string()).out);
  const double yaw = std::stod(row.substr(row.rfind(',') + 1));
  EXPECT_GE(yaw, -3.15);
  EXPECT_LE(yaw, 3.15);
  const std::string text = test::jostle({"run", "out", "--sample", "0"}, folder.path().string()).out;
  const std::string name = "bodies.cube.rotation.yaw = ";
  EXPECT_NEAR(std::stod(text.substr(text.find(name) + name.size())), yaw, 1e-5);
}

TEST(View, HasCurvesAndShapesThatAreOnlyDrawn) {
  const ScratchFolder folder;
  std::string text = pushed_block;
  text.replace(text.find("shape: {box: {size: [1, 1, 1]}}"), 31,
               "shapes: [{box: {size: [1, 1, 1]}}, {sphere: {radius: 2}, position: [0, 0, 3], display: true}]");
  test::write_file(folder / "block.yaml", text);
  ASSERT_EQ(test::jostle({"view", "block.yaml", "-o", "block.html"}, folder.path().string()).status, 0);
  const std::string page = read_text_file(folder / "block.html"), open = "type=\"application/json\">";
  const std::size_t begin = page.find(open) + open.size();
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  ASSERT_EQ(data.at("curves").size(), 3u);
  EXPECT_EQ(data.at("curves")[0].at("unit"), "m/s");
  const json& shapes = data.at("motions")[0].at("shapes");
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[1].at("type"), "sphere");
  EXPECT_EQ(shapes[1].at("position")[2], 3);
}

TEST(ReportOfAGrid, IsByItsVariables) {
  const ScratchFolder folder;
  test::write_file(folder / "block.yaml", test::block_over_table);
  const auto call = [&](std::vector<std::string> words) {
    return test::jostle(std::move(words), folder.path().string());
  };
  const auto sweep = [&](const std::string& vary, const std::string& out) {
    const Answer swept = call({"sweep", "block.yaml", "-n", "12", "--set", "sample=" + vary, "-o", out});
    ASSERT_EQ(swept.status, 0) << swept.err;
  };
  sweep("{vary: {mu: {values: [0.2, 0.4]}, speed: {grid: [2, 3, 3]}}}", "two");
  const std::string by_two = call({"report", "two", "--by", "mu,speed"}).out;
  EXPECT_THAT(call({"report", "two"}).out, AllOf(HasSubstr("95 % interval"), testing::EndsWith(by_two)));
  EXPECT_EQ(call({"report", "two", "--json"}).out, call({"report", "two", "--by", "mu,speed", "--json"}).out);
  EXPECT_EQ(call({"report", "two", "--sensitivity"}).out.find(" by mu"), std::string::npos);
  sweep("{vary: {mu: {values: [0.2]}, speed: {grid: [2, 3, 3]}}}", "one");
  EXPECT_THAT(call({"report", "one"}).out, testing::EndsWith(call({"report", "one", "--by", "speed"}).out));
}

TEST(SweepOfAFolder, GoesOnWithItsTable) {
  const ScratchFolder folder;
  test::write_file(folder / "block.yaml", test::block_over_table);
  test::write_file(folder / "points.csv", "mu,speed\n0.3,2\n0.4,3\n0.5,2.5\n");
  ASSERT_EQ(test::jostle({"sweep", "block.yaml", "-n", "2", "-o", "out"}, folder.path().string()).status, 0);
  const Answer more = test::jostle({"sweep", "out", "-n", "3"}, folder.path().string());
  EXPECT_EQ(more.status, 0) << more.err;
  EXPECT_EQ(json::parse(read_text_file(folder / "out/summary.json")).at("samples"), 3);
}

TEST(SweepOfAFolder, OfALatinHypercubeCannotBeExtended) {
  const ScratchFolder folder;
  ASSERT_EQ(test::jostle({"sweep", library("tossed_box"), "-n", "10", "--set", "world.duration=0.1", "--set",
                          "sample.method=latin_hypercube", "-o", "out"},
                         folder.path().string())
                .status,
            0);
  const Answer more = test::jostle({"sweep", "out", "-n", "12"}, folder.path().string());
  EXPECT_EQ(more.status, 2);
  EXPECT_THAT(more.err, AllOf(HasSubstr("out: is a Latin hypercube of 10 samples; one of 12 has other samples"),
                              HasSubstr("depends on how many there are"), testing::Not(HasSubstr("--set"))));
  EXPECT_EQ(test::jostle({"sweep", "out"}, folder.path().string()).status, 0);
}

TEST(View, WritesOneSmallPageOfAThousandSteps) {
  const ScratchFolder folder;
  const Answer answer = test::jostle({"view", library("box_stack"), "--sample", "1", "--sample", "2", "--set",
                                      "world.duration=1", "--set", "world.step=0.001", "-o", "stack.html"},
                                     folder.path().string());
  EXPECT_EQ(answer.status, 0) << answer.err;
  const std::string page = read_text_file(folder / "stack.html");
  EXPECT_LT(page.size(), 4'000'000u) << "two samples";
  const std::string open = "type=\"application/json\">";
  const std::size_t begin = page.find(open) + open.size();
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  ASSERT_EQ(data.at("motions").size(), 2u);
  EXPECT_EQ(data.at("motions")[0].at("time").size(), 1001u);
  EXPECT_EQ(data.at("motions")[1].at("sample"), 2);
}

TEST(View, ShowsRandomRotationsAsAnglesAndQuaternions) {
  const ScratchFolder folder;
  ASSERT_EQ(test::jostle({"view", library("cube_toss"), "-o", "cube.html"}, folder.path().string()).status, 0);
  const std::string page = read_text_file(folder / "cube.html");
  EXPECT_THAT(
      page, AllOf(HasSubstr(".rotation.yaw\":"), HasSubstr(".rotation.qw\":"), testing::Not(HasSubstr("rotation[0]"))));
}

TEST(View, ShowsBodiesThatOverlapAtTheStart) {
  const ScratchFolder folder;
  test::write_file(folder / "block.yaml", R"yaml(jostle: 1
world: {step: 0.01, duration: 1}
bodies:
  table: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  block: {mass: 2, shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [0, 0, 0.02]}
contacts: [{between: any}]
)yaml");
  const Answer answer = test::jostle({"view", "block.yaml", "-o", "page.html"}, folder.path().string());
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("sample 0: 'table' and 'block' overlap at the start by 0.03 m"));
  EXPECT_THAT(read_text_file(folder / "page.html"), HasSubstr("\"status\":\"overlap\""));
  const Answer run = test::jostle({"run", "block.yaml"}, folder.path().string());
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(
      run.err,
      HasSubstr("block.yaml:5:3: 'table' and 'block' overlap at the start by 0.03 m; `jostle view` shows where"));
}

TEST(View, DrawsLimitsOfJoints) {
  const ScratchFolder folder;
  ASSERT_EQ(
      test::jostle({"view", library("door"), "--set", "world.duration=0.01", "-o", "door.html"}, folder.path().string())
          .status,
      0);
  const std::string page = read_text_file(folder / "door.html"), open = "type=\"application/json\">";
  const std::size_t begin = page.find(open) + open.size();
  const json link =
      json::parse(page.substr(begin, page.find("</script>", begin) - begin)).at("motions")[0].at("links")[0];
  EXPECT_EQ(link.at("limits"), json({0, 1.6}));
  for (const char* const axis : {"axis", "axis_a"}) EXPECT_EQ(link.at(axis), json({0, 0, 1})) << axis;
  EXPECT_EQ(link.at("across_a"), link.at("across_b")) << "the door is shut, and not turned";
}

TEST(View, RefusesWhatItCannotShow) {
  const auto error_of = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"view", library("rod")});
    const Answer answer = test::jostle(std::move(words));
    EXPECT_EQ(answer.status, 2);
    return answer.err;
  };
  EXPECT_THAT(error_of({"--sample", "-1"}), HasSubstr("--sample: expected a whole number"));
  EXPECT_THAT(error_of({"--device", "cuda"}), HasSubstr("a view is simulated on the CPU only"));
  EXPECT_THAT(error_of({"--sample", "1", "--sample", "2", "--sample", "3", "--sample", "4", "--sample", "5"}),
              HasSubstr("a page shows at most 4 samples"));
}

TEST(Selftest, FindsAllDigestsGolden) {
  const Answer answer = test::jostle({"selftest"});
  EXPECT_EQ(answer.status, 0) << answer.out;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("rod "), HasSubstr("are golden: this machine computes the published bits")));
}

}  // namespace
}  // namespace jostle
