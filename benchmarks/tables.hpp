#pragma once
// The tables that the benchmark program prints to stdout.
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/team_kinds.hpp"

namespace jostle {

inline const std::vector<std::string> library_scenarios = {"rod",           "painleve_rod",    "sliding_block",
                                                           "incline",       "rolling_sphere",  "tossed_box",
                                                           "two_balls",     "four_balls",      "box_stack",
                                                           "shapes",        "v_groove",        "shaker",
                                                           "pulled_block",  "four_bar",        "door",
                                                           "gripper",       "rover",           "peg_in_hole",
                                                           "bouncing_ball", "cradle",          "superball",
                                                           "oblique_balls", "double_pendulum", "stick_slip_block",
                                                           "carts",         "smooth_dome",     "swinging_chain",
                                                           "cube_toss",     "elbow_toss",      "detent",
                                                           "die",           "escapement",      "four_legged_table",
                                                           "gears",         "peg_in_plate",    "ratchet",
                                                           "resting_faces", "snap_hook",       "three_sided_coin",
                                                           "feeder"};

/// Time of one contact LCP by size, ours and the peer's. Each size gets `problems` generated problems, each timed
/// `repetitions` times.
void print_lcp_table(int problems, int repetitions);

/// Time of one contact LCP in a stack of `problems` different ones of a size, solved together as js.solve_lcp does: a
/// processor cannot learn the path of one problem. Microseconds times threads, medians of several stacks. threads 0:
/// all.
void print_stack_table(int problems, int threads);

/// Steps per second of one thread on library scenarios, each simulated for `seconds`, and the share of each stage.
/// Empty `names`: all of them. Beside it, the shares of steps at rest, which are computed only if `every_step`, and of
/// what answered the LCPs. Reads scenarios/library in the current folder.
void print_step_table(double seconds, std::vector<std::string> names, bool every_step);

/// What the contacts changed in the steps of the first `samples` samples of library scenarios, and how many of these
/// steps took an LCP to Lemke's method. Empty `names`: all of them. Reads scenarios/library in the current folder.
void print_miss_table(std::int64_t samples, std::vector<std::string> names);

/// Microseconds of one step of `systems` samples: by the engine's own call, and by a live batch (drivers/live), whose
/// arrays a caller may read and write between steps. Medians over the steps of the scenario; the last column is the
/// median difference of the same step. threads 0: all. Reads scenarios/library in the current folder.
void print_live_table(int systems, int threads, std::vector<std::string> names);

/// What a table of a GPU has: a row for every combination.
struct GpuTable {
  int device = 0;
  int systems = 100'000;             ///< or LCPs, at most: fewer where as many would take longer than seconds
  std::vector<std::string> names;    ///< scenarios of the library; "lcp": contact LCPs of every size
  std::vector<std::string> kinds;    ///< preferred ones; "any": as the placement chooses
  unsigned teams = all_team_kinds;   ///< the kinds that may be used at all
  std::vector<int> registers = {0};  ///< bounds; 0: the usual one of the build
  std::vector<std::string> dictionaries = {"auto"};  ///< "auto": in shared memory where it fits; "memory": never
  std::vector<int> blocks = {0};                     ///< on a multiprocessor, at most; 0: as many as have room
  std::vector<int> warps = {0};                      ///< of a block; 0: as the placement chooses
};

/// As CSV: steps per second, microseconds of one LCP in a batch. Everything is on the device before the clock starts.
/// Reads scenarios/library in the current folder. Throws DeviceAbsent.
void print_gpu_table(const GpuTable& table);

}  // namespace jostle
