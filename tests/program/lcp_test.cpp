// `jostle lcp`: one's own problems, from a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "benchmarks/lcp_problems.hpp"
#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::ScratchFolder;
using test::write_file;
using testing::HasSubstr;

Answer solve(const std::string& text, bool as_json = true) {
  const ScratchFolder folder;
  write_file(folder / "lcp.json", text);
  std::vector<std::string> words = {"lcp", "lcp.json"};
  if (as_json) words.emplace_back("--json");
  return test::jostle(words, folder.path().string());
}

// w = 2 z - 4: z = 2. Then w = z + 1, q >= 0: z = 0. Then w = -z - 1, which nothing solves.
TEST(Lcp, OfAListAnswersEachInOrder) {
  const Answer answer = solve(R"([{"M": [[2]], "q": [-4]}, {"M": [[1]], "q": [1]}, {"M": [[-1]], "q": [-1]}])");
  EXPECT_EQ(answer.status, 3) << "not all are solved";
  EXPECT_EQ(answer.err, "");
  const json list = json::parse(answer.out);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].at("status"), "solved");
  EXPECT_EQ(list[0].at("z"), json({2.0}));
  EXPECT_EQ(list[0].at("w"), json({0.0}));
  EXPECT_EQ(list[0].at("residual"), 0.0);
  EXPECT_EQ(list[1].at("z"), json({0.0}));
  EXPECT_EQ(list[1].at("w"), json({1.0}));
  EXPECT_EQ(list[1].at("pivots"), 0);
  EXPECT_EQ(list[2].at("status"), "infeasible");
  EXPECT_TRUE(list[2].at("z").is_null());
  EXPECT_TRUE(list[2].at("w").is_null());
  EXPECT_TRUE(list[2].at("pivots").is_number_integer());
  EXPECT_EQ(list[0].at("basis"), json::array({1}));
  EXPECT_EQ(list[1].at("basis"), json::array({0}));
  EXPECT_TRUE(list[2].at("basis").is_null());
  EXPECT_TRUE(list[0].at("ray").is_null());
  EXPECT_EQ(list[2].at("ray"), json::array({1.0})) << "u >= 0 and M u <= 0";
  EXPECT_TRUE(list[0].at("proof").is_null());
  EXPECT_EQ(list[2].at("proof"), json({1.0})) << "u >= 0, M'u <= 0 and q'u < 0";
  EXPECT_EQ(list[0].at("attempts"), 1);
  EXPECT_EQ(list[2].at("attempts"), 7) << "all of them";
  for (const json& solution : list) {
    EXPECT_EQ(solution.at("residual_is"), "max|min(z, w)| / max(1, max|q|)");
    EXPECT_EQ(solution.size(), 10u) << "status, z, w, basis, ray, proof, pivots, attempts, residual, residual_is";
  }
}

TEST(Lcp, OfOneObjectAnswersAList) {
  const Answer answer = solve(R"({"M": [[2, 1], [1, 2]], "q": [-5, -6]})");
  EXPECT_EQ(answer.status, 0);
  const json list = json::parse(answer.out);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].at("z")[0].get<double>(), 4.0 / 3, 1e-15);
  EXPECT_NEAR(list[0].at("z")[1].get<double>(), 7.0 / 3, 1e-15);
}

// z = (1, 1); Lemke's method ends on a ray for every covering vector.
TEST(Lcp, OfABimatrixGameIsSolved) {
  const Answer answer = solve(R"({"M": [[0, 1], [1, 0]], "q": [-1, -1]})");
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(json::parse(answer.out)[0].at("z"), json({1.0, 1.0}));
}

// w = (z_2 - 1, z_2 + 1): z_2 >= 1 is feasible, but then w_2 > 0 as well as z_2.
TEST(Lcp, TriedExhaustivelySaysSo) {
  const ScratchFolder folder;
  write_file(folder / "lcp.json", R"({"M": [[0, 1], [0, 1]], "q": [-1, 1]})");
  const Answer ray = test::jostle({"lcp", "lcp.json", "--json"}, folder.path().string());
  EXPECT_EQ(json::parse(ray.out)[0].at("status"), "ray");
  const Answer all = test::jostle({"lcp", "lcp.json", "--json", "--exhaustive"}, folder.path().string());
  EXPECT_EQ(all.status, 3);
  EXPECT_EQ(json::parse(all.out)[0].at("status"), "exhausted");
}

TEST(Lcp, OfNoVariablesIsSolved) {
  const Answer answer = solve(R"({"M": [], "q": []})");
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(json::parse(answer.out)[0].at("z"), json::array());
}

TEST(Lcp, AsTextShowsEveryProblem) {
  const Answer answer = solve(R"([{"M": [[2]], "q": [-4]}, {"M": [[-1]], "q": [-1]}])", false);
  EXPECT_EQ(answer.status, 3);
  EXPECT_THAT(answer.out, HasSubstr("problem 0: solved after "));
  EXPECT_THAT(answer.out, HasSubstr(" pivots in 1 attempt, residual 0.00e+00 = max|min(z, w)| / max(1, max|q|)\n"));
  EXPECT_THAT(answer.out, HasSubstr("z: 2\n  w: 0\n  basis: z0\n"));
  EXPECT_THAT(answer.out, HasSubstr("problem 1: infeasible after "));
  EXPECT_THAT(answer.out, HasSubstr(" in 7 attempts\n  proof: 1\n  ray: 1\n"));
}

/// A diagonally dominant matrix: one solution, whatever q is.
json dominant_problem(int n) {
  std::mt19937 random(static_cast<std::uint32_t>(n));
  std::uniform_real_distribution<double> number(-1, 1);
  json problem{{"M", json::array()}, {"q", json::array()}};
  for (int i = 0; i < n; ++i) {
    std::vector<double> row(static_cast<std::size_t>(n));
    for (double& entry : row) entry = number(random);
    row[static_cast<std::size_t>(i)] = n;
    problem["M"].push_back(row);
    problem["q"].push_back(number(random));
  }
  return problem;
}

/// Bodies that touch in 50 places, with 8 directions of friction each: 500 variables, and ties everywhere.
json contact_problem(ContactScene scene) {
  const ContactLcp lcp = ContactLcpGenerator(7).make({50, 8}, scene);
  json problem{{"M", json::array()}, {"q", lcp.q}};
  for (int i = 0; i < lcp.n(); ++i)
    problem["M"].push_back(std::vector<double>(lcp.M.begin() + i * lcp.n(), lcp.M.begin() + (i + 1) * lcp.n()));
  return problem;
}

struct LargeProblem {
  const char* name;
  json (*make)();
};

class LargeLcp : public testing::TestWithParam<LargeProblem> {};

TEST_P(LargeLcp, OfFiveHundredVariablesIsSolvedAndCertified) {
  const json problem = GetParam().make();
  const Answer answer = solve(problem.dump());
  EXPECT_EQ(answer.status, 0);
  const json solution = json::parse(answer.out)[0];
  EXPECT_LE(solution.at("residual").get<double>(), 1e-8);
  const auto z = solution.at("z").get<std::vector<double>>(), w = solution.at("w").get<std::vector<double>>();
  ASSERT_EQ(z.size(), 500u);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const auto row = problem.at("M")[i].get<std::vector<double>>();
    double sum = problem.at("q")[i].get<double>();
    for (std::size_t j = 0; j < z.size(); ++j) sum += row[j] * z[j];
    EXPECT_NEAR(w[i], sum, 1e-12);
    EXPECT_NEAR(std::min(z[i], w[i]), 0, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Program, LargeLcp,
                         testing::Values(LargeProblem{"Dominant", [] { return dominant_problem(500); }},
                                         LargeProblem{"Resting", [] { return contact_problem(ContactScene::rest); }},
                                         LargeProblem{"Perturbed",
                                                      [] { return contact_problem(ContactScene::perturbed); }}),
                         [](const auto& test) { return std::string(test.param.name); });

struct WrongFile {
  const char* name;
  const char* text;
  const char* message;
};

void PrintTo(const WrongFile& wrong, std::ostream* out) { *out << wrong.name; }

class WrongLcp : public testing::TestWithParam<WrongFile> {};

TEST_P(WrongLcp, IsRefusedInOneLineWithItsPlace) {
  const Answer answer = solve(GetParam().text);
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err, std::string(GetParam().message) + "\n");
}

constexpr WrongFile wrong_files[] = {
    {"Empty", "", "lcp.json:1:1: the file is empty"},
    {"Unfinished", "{\"M\": [[1]],\n \"q\": [1", "lcp.json:2:9: not valid JSON"},
    {"NotANumber", "{\"M\": [[NaN]], \"q\": [1]}", "lcp.json:1:9: numbers must be finite; JSON has no NaN or infinity"},
    {"Infinite", "{\"M\": [[1]], \"q\": [-Infinity]}",
     "lcp.json:1:21: numbers must be finite; JSON has no NaN or infinity"},
    {"TooLarge", "{\"M\": [[1]],\n \"q\": [1e999]}", "lcp.json:2:8: 1e999 is outside the range of doubles"},
    {"NoProblem", "[]", "lcp.json:1:1: the list holds no problem"},
    {"Number", "3", R"(lcp.json: expected {"M": [[...]], "q": [...]}, not '3')"},
    {"KeyTwice", "[{\"M\": [[1]], \"q\": [1], \"q\": [2]}]", "lcp.json: key 'q' stands twice in one object"},
    {"NoMatrix", "{\"q\": [1]}", R"(lcp.json: key 'M' is missing in {"M": [[...]], "q": [...]})"},
    {"NoVector", "[{\"M\": [[1]]}]", R"(lcp.json: [0]: key 'q' is missing in {"M": [[...]], "q": [...]})"},
    {"MatrixIsANumber", "{\"M\": 1, \"q\": [1]}", "lcp.json: M: expected a list, not '1'"},
    {"UnknownKey", "{\"M\": [[1]], \"q\": [1], \"extra\": 3}", "lcp.json: unknown key 'extra' (known: M, q, name)"},
    {"KeyInCapitals", "[{\"M\": [[1]], \"Q\": [1]}]", "lcp.json: [0]: unknown key 'Q' (did you mean 'q'?)"},
    {"NameIsANumber", "{\"M\": [[1]], \"q\": [1], \"name\": 3}", "lcp.json: name: expected a text, not '3'"},
    {"LineIsWrong", "{\"M\": [[1]], \"q\": [1]}\n\n{\"M\": [[1]], \"q\": [1, 2]}\n",
     "lcp.json:3: M: expected as many rows as q has numbers, 2, not 1"},
    {"LineIsNoJson", "{\"M\": [[1]], \"q\": [1]}\n{\"M\": [[1]], \"q\": [oops]}\n", "lcp.json:2:20: not valid JSON"},
    {"Word", "{\"M\": [[\"abc\"]], \"q\": [1]}", "lcp.json: M[0][0]: expected a finite number, not 'abc'"},
    {"RowIsANumber", "{\"M\": [1], \"q\": [1]}", "lcp.json: M[0]: expected a list of numbers, not '1'"},
    {"Null", "{\"M\": [[1]], \"q\": [null]}", "lcp.json: q[0]: expected a finite number, not 'null'"},
    {"TooFewRows", "{\"M\": [[1]], \"q\": [1, 2]}", "lcp.json: M: expected as many rows as q has numbers, 2, not 1"},
    {"NotSquare", "[{\"M\": [[1]], \"q\": [1]}, {\"M\": [[1, 2], [3]], \"q\": [1, 2]}]",
     "lcp.json: [1].M[1]: expected as many numbers as q has, 2, not 1: M must be square"}};

INSTANTIATE_TEST_SUITE_P(Program, WrongLcp, testing::ValuesIn(wrong_files),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(LcpFile, MayNotBeAFolderOrAbsent) {
  const ScratchFolder folder;
  const Answer directory = test::jostle({"lcp", "."}, folder.path().string());
  EXPECT_EQ(directory.status, 2);
  EXPECT_EQ(directory.err, ".:1:1: is a directory, not a file of LCPs\n");
  const Answer absent = test::jostle({"lcp", "absent.json"}, folder.path().string());
  EXPECT_EQ(absent.status, 2);
  EXPECT_EQ(absent.err, "absent.json:1:1: cannot be read: No such file or directory\n");
}

TEST(LcpFile, NestedDeepIsRefused) {
  const Answer answer = solve(std::string(1'000'000, '['));
  EXPECT_EQ(answer.status, 2);
  EXPECT_EQ(answer.err, "lcp.json:1:1000001: not valid JSON\n");
}

}  // namespace
}  // namespace jostle
