#pragma once
// The scenarios of the library, and where they are.
#include <cstdlib>
#include <string>
#include <vector>

#include "scenarios/library_digest.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {

inline const std::vector<std::string> library_names = {
    "rod",        "four_balls", "two_balls", "sliding_block", "incline", "rolling_sphere", "painleve_rod",
    "tossed_box", "box_stack",  "shapes",    "v_groove",      "shaker",  "cube_toss"};

/// Those with joints.
inline const std::vector<std::string> joint_library_names = {"four_bar", "door",        "gripper",
                                                             "rover",    "peg_in_hole", "elbow_toss"};
/// Those with springs, whose laws are of their own.
inline const std::vector<std::string> spring_library_names = {"pulled_block", "detent"};

/// Those whose steps take long, with laws of their own.
inline const std::vector<std::string> slow_library_names = {"feeder", "three_sided_coin"};

/// Those of methods with impacts.
inline const std::vector<std::string> impact_library_names = {
    "bouncing_ball",    "cradle", "superball",   "oblique_balls",  "double_pendulum",
    "stick_slip_block", "carts",  "smooth_dome", "swinging_chain", "four_legged_table"};

inline std::vector<std::string> together(std::vector<std::string> names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}
/// Those with polygons or hulls.
inline const std::vector<std::string> polygon_library_names = {"ratchet", "gears",      "snap_hook",   "resting_faces",
                                                               "die",     "escapement", "peg_in_plate"};

inline std::vector<std::string> joint_and_impact_names() { return together(joint_library_names, impact_library_names); }
inline std::vector<std::string> whole_library() {
  return together(together(library_names, joint_and_impact_names()),
                  together(together(spring_library_names, slow_library_names), polygon_library_names));
}

/// In the sources as they were compiled, or where the environment says that they are: programs may have been built on
/// another machine.
inline std::string library_file(const std::string& name) {
  const char* const moved = std::getenv("JOSTLE_SOURCE_DIR");
  return std::string(moved ? moved : JOSTLE_SOURCE_DIR) + "/scenarios/library/" + name + ".yaml";
}

}  // namespace jostle
