#pragma once
// The motion of a sample, as pages show it.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/ensemble.hpp"

namespace jostle {

/// A contact impulse of a step, world frame: point (m), and impulse (N s) on the second body of the contact, or on the
/// first if none moves the second.
struct ShownImpulse {
  float point[3], impulse[3];
};

/// A sample at some instants.
struct Motion {
  std::int64_t sample = 0;
  std::string status;
  std::vector<std::pair<std::string, double>> variables, outcomes;
  double gravity[3] = {};         ///< m/s^2
  nlohmann::ordered_json shapes;  ///< [{type, body, size, position, axes, corners, bulges}], in the frame of the body
  nlohmann::ordered_json links;  ///< [{kind, body_a, body_b, point_a, point_b, axis}] joints and springs, in the bodies
  std::vector<double> time;      ///< [frame] s
  std::vector<float> poses;      ///< [frame, body, 7] x, y, z, qw, qx, qy, qz
  std::vector<std::int32_t> contacts;  ///< [frame] impulses up to and with this frame
  std::vector<float> curves;           ///< [frame, curve] (Curves); NaN at the start
  std::vector<ShownImpulse> impulses;  ///< of the step that ends at the frame; none at the start
};

/// Frames of a page at most, so that it stays small: of longer motions every n-th step is shown, and the last.
inline constexpr std::int64_t most_frames = 1000;

/// Simulates the sample on the calling thread; bit-identical to that of a sweep. Its scenario must compute every step
/// (ReadOptions::every_step), because a step that repeats another has no impulses of its own.
Motion simulate_motion(const Ensemble& ensemble, std::int64_t sample);

/// What a live batch has seen of the sample: at each time the poses of the bodies that are not fixed, in the frames of
/// the file ([time, body, 7]). Without contacts and curves. Throws UsageError if the numbers are not as many.
Motion motion_of_poses(const Ensemble& ensemble, std::int64_t sample, const std::vector<double>& time,
                       const std::vector<double>& poses);

/// The sample at its start, for the page of a report: what motion_page() has of a motion with one state. Null if the
/// sample is not physical.
nlohmann::ordered_json start_picture(const Ensemble& ensemble, std::int64_t sample);

/// What a page needs to draw the motions; at least one.
nlohmann::ordered_json scene_json(const Ensemble& ensemble, const std::vector<Motion>& motions);

/// A page of one motion or several, side by side.
std::string motion_page(const Ensemble& ensemble, const std::vector<Motion>& motions);

}  // namespace jostle
