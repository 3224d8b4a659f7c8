// `jostle run --contacts`: the rows of the channel `contact`, step by step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::library;
using testing::HasSubstr;

json run_of(const std::string& scenario, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"run", library(scenario), "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Answer answer = test::jostle(words);
  EXPECT_EQ(answer.status, 0) << answer.err;
  return json::parse(answer.out);
}

// The block lies on the plane with mu m g h of friction while it slides, and m g h of weight.
TEST(RunContacts, CarryTheWeightAndTheFriction) {
  const json run = run_of("sliding_block", {"--contacts"});
  const double mass = run.at("bodies").at("block").at("mass"), h = run.at("step"), g = 9.81;
  int sliding = 0;
  for (const json& step : run.at("trace")) {
    double normal = 0, along = 0;
    int slips = 0;
    const json& rows = step.at("contact_rows");
    EXPECT_EQ(rows.size(), step.at("contacts").get<std::size_t>());
    for (const json& row : rows) {
      EXPECT_THAT(row.at("pair").get<std::string>(), HasSubstr("block"));
      EXPECT_EQ(row.at("normal").size(), 3u);
      normal += row.at("impulse_n").get<double>(), along += row.at("impulse_t").at(0).get<double>();
      slips += (row.at("mode").get<int>() & 3) == 2;
    }
    EXPECT_NEAR(normal, mass * g * h, 1e-9);
    if (slips != static_cast<int>(rows.size())) continue;
    ++sliding;
    EXPECT_GT(std::abs(along), 0.1 * mass * g * h);
  }
  EXPECT_GT(sliding, 5);
}

TEST(RunContacts, ChangeNothingElse) {
  for (const char* scenario : {"cube_toss", "bouncing_ball", "carts"}) {
    SCOPED_TRACE(scenario);
    json run = run_of(scenario, {"--contacts"});
    std::size_t rows = 0;
    for (json& step : run.at("trace")) {
      rows += step.at("contact_rows").size();
      step.erase("contact_rows");
    }
    EXPECT_GT(rows, 0u);
    EXPECT_EQ(run, run_of(scenario));
  }
}

TEST(RunContacts, SayWhatEachContactDoes) {
  const Answer answer = test::jostle({"run", library("cube_toss"), "--contacts"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  for (const char* words :
       {"cube table (", "  slips, not unique  gap ", "  sticks, not unique  gap ", "  impulse ", "  slip "})
    EXPECT_THAT(answer.out, HasSubstr(words));
}

TEST(RunContacts, AreNotThoseOfLoetstedt) {
  const Answer answer = test::jostle({"run", library("smooth_dome"), "--contacts"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err,
              HasSubstr("--contacts: with world.method loetstedt a contact has several impulses in a step"));
  EXPECT_TRUE(test::is_one_line(answer.err));
}

}  // namespace
}  // namespace jostle
