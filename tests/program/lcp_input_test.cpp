// What `jostle lcp` reads besides a file of JSON: stdin, JSON lines, and archives of numpy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "drivers/errors.hpp"
#include "drivers/lcp_files/numpy_archive.hpp"
#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::ScratchFolder;
using test::write_file;
using testing::HasSubstr;

const std::string data = JOSTLE_SOURCE_DIR "/tests/data/";

json solutions(const std::string& file) {
  const Answer answer = test::jostle({"lcp", file, "--json"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  return json::parse(answer.out);
}

/// z of the problem that has this name in each list, or none.
std::vector<double> z_of(const json& list, const std::string& name) {
  for (const json& one : list)
    if (one.value("name", "") == name) return one.at("z").get<std::vector<double>>();
  return {};
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15);
}

TEST(LcpInput, OfStdinAndOfLinesIsThatOfAFile) {
  const ScratchFolder folder;
  const std::string one = R"({"name": "a", "M": [[2]], "q": [-4]})", other = R"({"M": [[1]], "q": [1]})";
  write_file(folder / "list.json", "[" + one + ",\n" + other + "]");
  write_file(folder / "lines.jsonl", one + "\r\n\n" + other + "\n");
  const std::string list = test::shell("$JOSTLE lcp list.json --json", folder.path().string()).out;
  EXPECT_EQ(json::parse(list)[0].at("name"), "a");
  EXPECT_FALSE(json::parse(list)[1].contains("name"));
  for (const char* line : {"$JOSTLE lcp lines.jsonl --json", "$JOSTLE lcp - --json < list.json",
                           "$JOSTLE lcp - --json --threads 1 < lines.jsonl"})
    EXPECT_EQ(test::shell(line, folder.path().string()).out, list) << line;
  EXPECT_THAT(test::shell("$JOSTLE lcp list.json", folder.path().string()).out, HasSubstr("problem 0, a: solved"));
  const Answer wrong = test::shell("echo '{' | $JOSTLE lcp -", folder.path().string());
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "<stdin>:2:1: not valid JSON\n");
}

// M = [[2, 1], [1, 2]], q = (-5, -6): z = (4/3, 7/3). M = [[4, -1], [-1, 4]], q = (-1, 2): z = (1/4, 0).
// M = [[4, 1, 0], [2, 5, 1], [0, 3, 6]], q = (-1, -2, -3), which is not symmetric: z = (3/16, 1/4, 3/8).
TEST(LcpInput, OfNumpyIsStoredOrDeflatedInAnyTypeAndOrder) {
  const json stored = solutions(data + "lcps_stored.npz");
  ASSERT_EQ(stored.size(), 3u);
  expect_near(stored[0].at("z"), {4.0 / 3, 7.0 / 3});
  expect_near(stored[1].at("z"), {0.25, 0});
  expect_near(z_of(stored, "tall"), {3.0 / 16, 1.0 / 4, 3.0 / 8});
  const json deflated = solutions(data + "lcps_deflated.npz");
  ASSERT_EQ(deflated.size(), 3u);
  expect_near(z_of(deflated, "swapped"), {4.0 / 3, 7.0 / 3});
  expect_near(z_of(deflated, "turned[0]"), {3.0 / 16, 1.0 / 4, 3.0 / 8});
  expect_near(z_of(deflated, "turned[1]"), {1, 0, 1});
}

std::string archive(const std::function<void(NumpyArchiveWriter&)>& fill) {
  std::ostringstream out;
  NumpyArchiveWriter writer(out);
  fill(writer);
  writer.finish();
  return out.str();
}

TEST(LcpInput, OfNumpyIsReadAsItWasWritten) {
  const std::vector<double> values = {1, -2.5, 1e300, 4, 5, 6};
  const std::vector<std::int32_t> whole = {7, -8};
  const std::vector<std::string> texts = {"normal", "x"};
  const std::string bytes = archive([&](NumpyArchiveWriter& writer) {
    EXPECT_TRUE(writer.add("a", {2, 3}, values));
    EXPECT_TRUE(writer.add("b", {2}, whole));
    EXPECT_TRUE(writer.add("c", {2}, texts));
  });
  const auto arrays = read_numpy_archive(bytes, "x.npz", [](const std::string& name) { return name != "c"; });
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].values, values);
  EXPECT_EQ(arrays[0].shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(arrays[1].values, (std::vector<double>{7, -8}));
}

TEST(LcpInput, OfNumpyThatIsWrongIsRefusedInOneLine) {
  const std::vector<double> four = {1, 2, 3, 4}, two = {1, 2}, none = {std::nan(""), 1};
  const auto of = [&](const std::vector<std::size_t>& M_shape, const std::vector<double>& M,
                      const std::vector<std::size_t>& q_shape, const std::vector<double>& q) {
    return archive([&](NumpyArchiveWriter& writer) { writer.add("M", M_shape, M), writer.add("q", q_shape, q); });
  };
  const std::vector<std::string> text = {"M"};
  const std::string whole = of({2, 2}, four, {2}, two);
  const std::pair<std::string, std::string> wrong[] = {
      {of({4}, four, {2}, two), "x.npz: M: expected the shape (n, n), or (k, n, n) for a stack, not (4,)"},
      {of({2, 2}, four, {1, 2}, two), "x.npz: q: expected the shape (2,), as M has (2, 2), not (1, 2)"},
      {of({2, 2}, four, {2}, none), "x.npz: q: numbers must be finite"},
      {archive([&](NumpyArchiveWriter& writer) {
         writer.add("M_a", {2, 2}, four);
       }),
       "x.npz: M_a: there is no q_a for it"},
      {archive([&](NumpyArchiveWriter& writer) {
         writer.add("A", {2, 2}, four), writer.add("b", {2}, two);
       }),
       "x.npz: has no problem in M and q, or M_NAME and q_NAME; it has A, b"},
      {archive([&](NumpyArchiveWriter& writer) { writer.add("M", {1}, text); }),
       "x.npz: M: expected numbers (float64, float32, integers), not the type '<U1' of numpy"},
      {archive([&](NumpyArchiveWriter& writer) {
         writer.add("M_\xff", {2, 2}, four), writer.add("q_\xff", {2}, two);
       }),
       "x.npz: the name of an array is not UTF-8"},
      {whole.substr(0, whole.size() / 2), "x.npz: is not a complete .npz archive"},
      {whole.substr(0, whole.size() - 30), "x.npz: is not a complete .npz archive"}};
  const ScratchFolder folder;
  for (const auto& [bytes, message] : wrong) {
    write_file(folder / "x.npz", bytes);
    const Answer answer = test::jostle({"lcp", "x.npz"}, folder.path().string());
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.err, message + "\n");
  }
}

// Whatever bytes are wrong: an answer or one line, and no crash.
TEST(LcpInput, OfNumpyWithAWrongByteIsNeverReadPastItsEnd) {
  const std::string bytes = read_text_file(data + "lcps_deflated.npz");
  const auto wants = [](const std::string&) { return true; };
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      try {
        read_numpy_archive(damaged, "x.npz", wants);
      } catch (const UsageError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, static_cast<int>(bytes.size()));
}

}  // namespace
}  // namespace jostle
