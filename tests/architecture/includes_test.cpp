// Includes follow the arrows of docs/architecture.md: a folder includes itself and what lies below it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tests/architecture/source_files.hpp"

namespace jostle::test {
namespace {

/// Folder of the project -> folders it may include.
const std::map<std::string, std::set<std::string>> arrows = {
    {"core", {"core"}},
    {"cuda", {"core", "cuda"}},
    {"scenarios", {"core", "scenarios"}},
    {"emulation", {"core", "cuda", "emulation"}},
    {"drivers", {"core", "cuda", "scenarios", "emulation", "drivers"}},
    {"python", {"core", "cuda", "scenarios", "emulation", "drivers", "python"}},
    {"tests", {"core", "cuda", "scenarios", "emulation", "drivers", "benchmarks", "tests"}},
    {"benchmarks", {"core", "cuda", "scenarios", "emulation", "drivers", "benchmarks"}},
};

/// Rooms of a folder, floor by floor from the bottom up: a room includes itself and what is on the floors below it. A
/// file that lies in no room is one itself.
using Floors = std::vector<std::set<std::string>>;
const std::map<std::string, Floors> floors = {
    {"core",
     {{"config", "status"},
      {"math", "team"},
      {"expression", "geometry", "lcp", "problem", "step_result"},
      {"linear", "model"},
      {"assembly"},
      {"cone", "dynamics", "guess"},
      {"prescribed"},
      {"contacts", "joints"},
      {"stages"},
      {"events", "records"},
      {"accelerations"},
      {"methods"},
      {"step"},
      {"batch"}}},
    {"scenarios",
     {{"text"},
      {"parts"},
      {"expression"},
      {"model"},
      {"format", "sampling"},
      {"parameters"},
      {"import", "reader"},
      {"ensemble"},
      {"library_digest"}}},
    {"drivers",
     {{"exit_status", "results_version", "commit", "embedded_files"},
      {"errors", "text"},
      {"memory", "parallel", "watch", "written_parameters"},
      {"files", "ranks", "lcps", "lcp_files"},
      {"datasets", "devices", "mpi"},
      {"statistics"},
      {"reports"},
      {"sweeps"},
      {"simulation"},
      {"live", "views"},
      {"program"}}},
};

/// Standard headers that read, write or print.
const std::set<std::string> input_and_output = {"cstdio", "filesystem", "format",    "fstream", "iomanip",
                                                "ios",    "iosfwd",     "iostream",  "istream", "ostream",
                                                "print",  "sstream",    "syncstream"};

struct Include {
  std::string name;
  bool quoted;
};

std::optional<Include> include_of(const std::string& line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos || line.compare(start, 8, "#include") != 0) return std::nullopt;
  const std::size_t open = line.find_first_of("<\"", start + 8);
  if (open == std::string::npos) return std::nullopt;
  const std::size_t close = line.find_first_of(">\"", open + 1);
  return Include{line.substr(open + 1, close - open - 1), line[open] == '"'};
}

/// Calls f(file, line index, include) for every include of the folders; returns how many there are.
template <class F>
int for_each_include(const std::vector<std::string>& folders, F f) {
  int count = 0;
  for (const SourceFile& file : source_files(folders, code_endings)) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (const auto include = include_of(file.lines[i])) {
        f(file, i, *include);
        ++count;
      }
    }
  }
  return count;
}

std::vector<std::string> all_folders() {
  std::vector<std::string> folders;
  for (const auto& [folder, below] : arrows) folders.push_back(folder);
  return folders;
}

TEST(Includes, FollowTheArrows) {
  const int count = for_each_include(all_folders(), [](const SourceFile& file, std::size_t i, const Include& include) {
    if (!include.quoted) return;
    const std::string target = include.name.substr(0, include.name.find('/'));
    EXPECT_TRUE(arrows.at(file.folder()).contains(target)) << file.place(i) << " includes " << include.name;
  });
  EXPECT_GT(count, 100);
}

/// "files" of "drivers/files/sha256.hpp", "errors" of "drivers/errors.hpp".
std::string room_of(const std::string& path) {
  const std::string inside = path.substr(path.find('/') + 1);
  return inside.substr(0, inside.find_first_of("/."));
}

/// The floor that a room is on; -1 if it is nowhere.
int floor_of(const Floors& house, const std::string& room) {
  for (std::size_t floor = 0; floor < house.size(); ++floor)
    if (house[floor].contains(room)) return static_cast<int>(floor);
  return -1;
}

TEST(Includes, GoDownwardsFromRoomToRoom) {
  int count = 0;
  for (const auto& entry : floors) {
    const std::string& folder = entry.first;
    const Floors& house = entry.second;
    for_each_include({folder}, [&](const SourceFile& file, std::size_t i, const Include& include) {
      if (!include.quoted || !include.name.starts_with(folder + "/")) return;
      const std::string from = room_of(file.path), to = room_of(include.name);
      EXPECT_GE(floor_of(house, from), 0) << file.path << " lies in no room that this test knows";
      EXPECT_TRUE(from == to || floor_of(house, to) < floor_of(house, from))
          << file.place(i) << " includes " << include.name;
      ++count;
    });
  }
  EXPECT_GT(count, 500);
}

// The whole step takes a minute to compile: nobody else may bring it into what includes them.
TEST(Includes, OfTheStepAreInFourPlaces) {
  const std::set<std::string> may = {"core/batch/batch.cpp", "cuda/advance.hpp", "emulation/observed_lanes.hpp",
                                     "emulation/timed_thread.cpp"};
  const std::set<std::string> may_advance = {"emulation/simulate_systems.hpp"};  // and kernels.cuh, which is CUDA
  int count = 0;
  for_each_include(all_folders(), [&](const SourceFile& file, std::size_t i, const Include& include) {
    const bool step = include.name == "core/step.hpp", advances = include.name == "cuda/advance.hpp";
    const bool loops =
        include.name == "emulation/observed_lanes.hpp" || include.name == "emulation/simulate_systems.hpp";
    EXPECT_TRUE(!step || may.contains(file.path)) << file.place(i);
    EXPECT_TRUE(!advances || may_advance.contains(file.path)) << file.place(i);
    EXPECT_TRUE(!loops || (file.path.starts_with("emulation/") && file.path.ends_with(".cpp"))) << file.place(i);
    count += step || advances;
  });
  EXPECT_EQ(count, static_cast<int>(may.size() + may_advance.size()));
}

/// The build compiles other headers alone, but these only here.
TEST(Includes, OfASourceBeginWithItsHeader) {
  const std::filesystem::path root = JOSTLE_SOURCE_DIR;
  std::set<std::string> seen;
  int with_header = 0;
  for_each_include(all_folders(), [&](const SourceFile& file, std::size_t i, const Include& include) {
    if (!file.path.ends_with(".cpp") || !seen.insert(file.path).second) return;
    const std::string header = file.path.substr(0, file.path.size() - 4) + ".hpp";
    if (!std::filesystem::exists(root / header)) return;
    EXPECT_TRUE(include.quoted && include.name == header) << file.place(i) << " includes " << include.name;
    ++with_header;
  });
  EXPECT_GT(with_header, 100);
}

TEST(Includes, AreWrittenFromTheRootAndExist) {
  const std::filesystem::path root = JOSTLE_SOURCE_DIR;
  for_each_include(all_folders(), [&](const SourceFile& file, std::size_t i, const Include& include) {
    if (include.quoted) {
      EXPECT_TRUE(std::filesystem::exists(root / include.name)) << file.place(i) << " includes " << include.name;
    } else {
      const std::string target = include.name.substr(0, include.name.find('/'));
      EXPECT_FALSE(arrows.contains(target)) << file.place(i) << ": ours is included with quotation marks";
    }
  });
}

TEST(Core, IncludesOnlyEigenAndTheStandardLibrary) {
  for_each_include({"core"}, [](const SourceFile& file, std::size_t i, const Include& include) {
    if (include.quoted) return;
    const bool standard = include.name.find_first_of("./") == std::string::npos;
    const bool openmp = include.name == "omp.h" && file.path.ends_with(".cpp");  // the backend that runs a batch
    const bool vectors = include.name == "immintrin.h" && file.path.find("core/math/") != std::string::npos;
    EXPECT_TRUE(standard || openmp || vectors || include.name.starts_with("Eigen/"))
        << file.place(i) << ": " << include.name;
  });
}

TEST(Core, DoesNoInputAndNoOutput) {
  for_each_include({"core"}, [](const SourceFile& file, std::size_t i, const Include& include) {
    EXPECT_FALSE(input_and_output.contains(include.name)) << file.place(i) << ": " << include.name;
  });
}

TEST(Headers, BeginWithPragmaOnce) {
  for (const SourceFile& file : source_files(all_folders(), {".hpp"})) {
    const bool once = std::find(file.lines.begin(), file.lines.end(), "#pragma once") != file.lines.end();
    EXPECT_TRUE(once) << file.path;
  }
}

}  // namespace
}  // namespace jostle::test
