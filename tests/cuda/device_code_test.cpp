// What nvcc made of the kernels: read from the intermediate code and the assembler's report that the build keeps.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cuda/device.hpp"

namespace jostle {
namespace {

namespace fs = std::filesystem;

/// Files that the build keeps, by their names: kernels.ptx of a build for one architecture, kernels.compute_75.ptx and
/// so on of one for several.
std::vector<fs::path> files_of_build(const std::string& pattern) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(JOSTLE_BINARY_DIR) / "cuda"))
    if (std::regex_match(entry.path().filename().string(), std::regex(pattern))) files.push_back(entry.path());
  return files;
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// Instructions of floating-point numbers that IEEE 754 gives one answer, and those that only move or compare them.
bool is_correctly_rounded(const std::string& instruction) {
  static const std::regex allowed(
      R"((add|sub|mul|div|sqrt|fma|rcp)\.rn\.f64|(neg|abs|min|max)\.f64|(ld|st|mov|selp|setp|set|slct|ldu)\..*|cvt\.rn\.f64\..*|cvt\.rzi\.[su](32|64)\.f64|cvt\.r[nmpz]i\.f64\.f64|testp\..*|copysign\.f64)");
  return std::regex_match(instruction, allowed);
}

class DeviceCode : public testing::Test {
 protected:
  void SetUp() override {
    if (files_of_build("kernels.*\\.ptx").empty()) GTEST_SKIP() << "this build has no kernels";
  }
};

TEST(CorrectRounding, IsToldFromApproximations) {
  for (const char* good : {"add.rn.f64", "fma.rn.f64", "ld.shared.f64", "setp.lt.f64", "sqrt.rn.f64", "cvt.rn.f64.s32"})
    EXPECT_TRUE(is_correctly_rounded(good)) << good;
  for (const char* bad : {"add.f64", "mul.f64", "fma.rz.f64", "rcp.approx.ftz.f64", "ex2.approx.f32", "add.rn.f32",
                          "rsqrt.approx.ftz.f64", "div.full.f32", "cvt.rn.f32.f64"})
    EXPECT_FALSE(is_correctly_rounded(bad)) << bad;
}

TEST_F(DeviceCode, HasOnlyCorrectlyRoundedOperations) {
  const std::vector<fs::path> files = files_of_build("kernels.*\\.ptx");
  ASSERT_FALSE(files.empty());
  const std::regex instruction(R"(^\s*(?:@!?%p\d+\s+)?([a-z0-9_]+(?:\.[a-z0-9_]+)*\.f(?:64|32|16)[a-z0-9_.]*)\s)");
  for (const fs::path& file : files) {
    std::set<std::string> wrong;
    int count = 0;
    for (const std::string& line : lines_of(file)) {
      std::smatch match;
      if (!std::regex_search(line, match, instruction)) continue;
      ++count;
      if (!is_correctly_rounded(match[1])) wrong.insert(match[1]);
    }
    EXPECT_THAT(wrong, testing::IsEmpty()) << file;
    EXPECT_GT(count, 1000) << file;
  }
}

/// The names that the text calls, but for those of C++ functions, which are mangled.
std::set<std::string> called_names(const std::string& text) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::set<std::string> names;
  for (std::size_t end = text.find('('); end != std::string::npos; end = text.find('(', end + 1)) {
    std::size_t begin = end;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    if (begin < end && !text.substr(begin, end - begin).starts_with("_Z"))
      names.insert(text.substr(begin, end - begin));
  }
  return names;
}

/// What device code may call by such a name: words of C++, what nvcc itself puts there, and what becomes an
/// instruction.
bool is_known_on_devices(const std::string& name) {
  static const std::set<std::string> known = {
      "if",           "for",    "while",    "switch",   "return",      "sizeof",  "defined",       "visibility",
      "volatile",     "double", "unsigned", "uint64_t", "___device__", "__asm__", "__attribute__", "__aligned__",
      "fabs",         "fma",    "sqrt",     "fdivide",  "memcpy",      "memset",  "__syncthreads", "__builtin_huge_val",
      "__builtin_nan"};
  static const std::regex nvcc("__nvvm_.*|__gen_nvvm_.*|__uAtomicAdd|__val_param|__copy_param");
  return known.contains(name) || std::regex_match(name, nvcc);
}

// The compiler's own functions of g++'s headers, such as those behind std::popcount, are calls of nothing to nvcc,
// which drops them without a word.
TEST_F(DeviceCode, CallsOnlyWhatDevicesHave) {
  EXPECT_THAT(called_names("{ return popcountl(__x); } _ZN6jostle1fEd(x)"), testing::ElementsAre("popcountl"));
  EXPECT_FALSE(is_known_on_devices("popcountl"));
  EXPECT_FALSE(is_known_on_devices("__builtin_ctzl"));
  const std::vector<fs::path> files = files_of_build("kernels.*\\.cudafe1\\.gpu");
  ASSERT_FALSE(files.empty());
  for (const fs::path& file : files) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const std::set<std::string> names = called_names(text.str());
    EXPECT_TRUE(names.contains("fma")) << file;
    for (const std::string& name : names) EXPECT_TRUE(is_known_on_devices(name)) << file << ": " << name;
  }
}

/// What the assembler's report says of the kernels whose name has `kernel` in it, for compute capability 9.0: others
/// need a few registers more or less.
struct Spills {
  static constexpr int parts_of_addresses = 32;  ///< bytes that a function may load again
  bool is_compiled = false;                      ///< for 9.0
  int functions = 0;
  std::vector<std::string> spilling;  ///< those that compute
  int most = 0;                       ///< bytes that one of them stores or loads
  int most_of_drivers = 0;            ///< the same of those that drive a step
  int frame = 0;                      ///< bytes of local memory of a lane
};

/// Those that call one stage after the other, and keep what they go on with meanwhile. The line of a kernel is the sum
/// of its functions.
bool drives_a_step(const std::string& function) {
  static const std::regex names(
      "6jostle(7advance|10begin_step|10initialise|11repeat_step|10solve_step|8end_step|15simulate_kernel|5solve|"
      "6detail13answer_island|6detail15proximal_answer|6detail17least_norm_answer|6detail5pivot)I");
  return std::regex_search(function, names);
}

/// Coordinates of joints, which no scenario of the kernels for plain systems has.
bool is_of_joints(const std::string& function) {
  static const std::regex names("6jostle(11place_joint|13coordinate_at)I");
  return std::regex_search(function, names);
}

Spills spills(const fs::path& report, const std::string& kernel) {
  Spills found;
  bool is_wanted = false;
  std::string function;
  for (const std::string& line : lines_of(report)) {
    if (line.find("Compiling entry function") != std::string::npos) {
      const bool for_hopper = line.find("'sm_90'") != std::string::npos;
      found.is_compiled |= for_hopper;
      is_wanted = for_hopper && line.find(kernel) != std::string::npos;
    }
    if (line.find("Function properties for") != std::string::npos) function = line;
    if (!is_wanted || line.find("bytes spill stores") == std::string::npos) continue;
    ++found.functions;
    std::smatch bytes, frame;
    const bool is_counted = std::regex_search(line, bytes, std::regex("([0-9]+) bytes spill stores, ([0-9]+) bytes"));
    if (std::regex_search(line, frame, std::regex("([0-9]+) bytes stack frame")))
      found.frame = std::max(found.frame, std::stoi(frame[1]));
    const int most = is_counted ? std::max(std::stoi(bytes[1]), std::stoi(bytes[2])) : std::numeric_limits<int>::max();
    if (drives_a_step(function))
      found.most_of_drivers = std::max(found.most_of_drivers, most);
    else if (most > Spills::parts_of_addresses && !is_of_joints(function))
      found.spilling.push_back(function + line), found.most = std::max(found.most, most);
  }
  return found;
}

// All that a team of lanes of one warp computes with stays in registers, in every stage, but for parts of addresses in
// some that are called with many arguments, and its frame is small. What drives a step, or the solution of its islands,
// keeps addresses and counts over its calls (docs/gpu-development.md).
TEST_F(DeviceCode, OfAWarpSpillsNoRegister) {
  const std::vector<fs::path> all = files_of_build("kernels_.*\\.log");
  if (all.empty()) GTEST_SKIP() << "this build has intermediate code alone";
  if (!spills(all.front(), "kernel").is_compiled) GTEST_SKIP() << "nothing is compiled for compute capability 9.0";
  const auto expect_none = [&](const std::string& reports, const std::string& kernel) {
    for (const fs::path& report : files_of_build(reports)) {
      const Spills found = spills(report, kernel);
      EXPECT_GT(found.functions, 0) << report;
      EXPECT_THAT(found.spilling, testing::IsEmpty()) << report;
      EXPECT_LE(found.most_of_drivers, 320) << report;
      EXPECT_LE(found.frame, 3024) << report;
    }
  };
  expect_none("kernels_warp[0-9]+\\.o\\.log", "kernel");  // not those of a smaller bound
}

}  // namespace
}  // namespace jostle
