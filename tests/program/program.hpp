#pragma once
// The real program, called as a user calls it.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "drivers/files/atomic_file.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle::test {

/// What a call of the program gave back.
struct Answer {
  int status = 0;  ///< or minus the signal that killed it
  std::string out, err;
  std::int64_t peak_memory = 0;  ///< bytes
};

/// Runs a program to its end. `folder`: where it is started; empty: here. Unless `variables` say otherwise, the user's
/// cache folder is empty and goes away.
inline Answer run_program(std::vector<std::string> words, const std::string& folder = {},
                          std::vector<std::string> variables = {}) {
  const ScratchFolder scratch;
  const std::string out = (scratch / "out").string(), err = (scratch / "err").string();
  variables.push_back("XDG_CACHE_HOME=" + (scratch / "cache").string());  // the first of a name counts
  ChildProcess child(std::move(words), std::move(variables), {out, err, folder});
  Answer answer;
  answer.status = child.wait();
  answer.out = read_text_file(out);
  answer.err = read_text_file(err);
  answer.peak_memory = child.peak_memory();
  return answer;
}

/// `jostle WORDS...`
inline Answer jostle(std::vector<std::string> words, const std::string& folder = {},
                     std::vector<std::string> variables = {}) {
  words.insert(words.begin(), JOSTLE_PROGRAM);
  return run_program(std::move(words), folder, std::move(variables));
}

/// `jostle WORDS...` on a machine with mock GPUs (tests/support/mock_gpus.cpp).
inline Answer jostle_with_gpus(std::vector<std::string> words, const std::string& folder = {}) {
  words.insert(words.begin(), JOSTLE_WITH_MOCK_GPUS);
  return run_program(std::move(words), folder);
}

/// A line as a shell runs it, in which $JOSTLE is the program.
inline Answer shell(const std::string& line, const std::string& folder = {}) {
  return run_program({"/bin/sh", "-c", line}, folder, {"JOSTLE=" JOSTLE_PROGRAM});
}

inline std::string library(const std::string& name) { return JOSTLE_SOURCE_DIR "/scenarios/library/" + name + ".yaml"; }

/// A short sweep of the rod in shards of 16,384 samples, with trajectories in the first one.
inline std::vector<std::string> sweep_of_rod(const std::filesystem::path& out, const std::string& samples,
                                             const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {JOSTLE_PROGRAM,        "sweep", library("rod"), "-n", samples, "--set",
                                    "world.duration=0.01", "-o",    out.string()};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline void sleep_ms(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

/// One line, ended, and nothing more.
inline bool is_one_line(const std::string& text) { return text.size() > 1 && text.find('\n') == text.size() - 1; }

}  // namespace jostle::test
