#pragma once
// One number for each scenario of the library: every bit of the states in which its first samples end. The number
// depends on the scenario file alone; threads, compiler, flags and machine must all give the same.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader.hpp"

namespace jostle {

inline const std::vector<std::string> library_names = {"rod",       "four_balls",     "two_balls",    "sliding_block",
                                                       "incline",   "rolling_sphere", "painleve_rod", "tossed_box",
                                                       "box_stack", "shapes",         "v_groove",     "shaker"};

/// Those with joints.
inline const std::vector<std::string> joint_library_names = {"four_bar", "door", "gripper", "rover", "peg_in_hole"};
/// Those with springs, whose laws are of their own.
inline const std::vector<std::string> spring_library_names = {"pulled_block"};

/// Those of methods with impacts.
inline const std::vector<std::string> impact_library_names = {"bouncing_ball", "cradle",          "superball",
                                                              "oblique_balls", "double_pendulum", "stick_slip_block",
                                                              "carts",         "smooth_dome",     "swinging_chain"};

inline std::vector<std::string> together(std::vector<std::string> names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}
inline std::vector<std::string> joint_and_impact_names() { return together(joint_library_names, impact_library_names); }
inline std::vector<std::string> whole_library() {
  return together(together(library_names, joint_and_impact_names()), spring_library_names);
}

/// In the sources as they were compiled, or where the environment says that they are: programs may have been built on
/// another machine.
inline std::string library_file(const std::string& name) {
  const char* const moved = std::getenv("JOSTLE_SOURCE_DIR");
  return std::string(moved ? moved : JOSTLE_SOURCE_DIR) + "/scenarios/library/" + name + ".yaml";
}

/// The model of an ensemble with everything that can be collected.
inline Model with_all_tallies(const Ensemble& ensemble) {
  Model model = ensemble.model();
  model.has_contact_tallies = true;
  return model;
}

/// Samples first .. first + count - 1, run to their end.
inline Batch run_samples(const Ensemble& ensemble, const Model& model, std::int64_t first, int count,
                         const RunOptions& options = {}) {
  Batch batch(model, count);
  for (int i = 0; i < count; ++i) ensemble.load(first + i, batch, i);
  run_batch(batch, static_cast<int>(ensemble.model().total_steps), options);
  return batch;
}

inline constexpr int digest_samples = 12;

/// The digest of a scenario: FNV-1a over those of its first samples, in their order, all tallies among them.
inline std::uint64_t library_digest(const Ensemble& ensemble, const RunOptions& options = {}) {
  const Model model = with_all_tallies(ensemble);
  Batch batch = run_samples(ensemble, model, 0, digest_samples, options);
  std::uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < digest_samples; ++i) hash = (hash ^ state_digest(batch, i)) * 1099511628211u;
  return hash;
}

/// As tests/data/golden_digests.json writes it.
inline std::string digest_text(std::uint64_t digest) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

}  // namespace jostle
