#pragma once
// The samples of a dataset side by side: what each was given, and what came of it.
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "drivers/datasets/dataset.hpp"

namespace jostle {

/// What may explain an outcome: a variable, or an angle of a random rotation.
struct Factor {
  std::string name, unit;
  std::vector<double> values;  ///< [sample]
  bool is_listed = true;       ///< else only where it is asked for by name: components of quaternions
  std::string label = {};      ///< what pages call it; empty: its name
};

/// An outcome as a number per sample. A truth is 1 or 0; so is whether a first_time was reached.
struct Response {
  std::string name;
  bool is_rate = true;
  std::vector<double> values;       ///< [sample]
  std::vector<std::uint8_t> valid;  ///< [sample] else the value says nothing
  std::int64_t invalid = 0;
};

struct Samples {
  std::int64_t total = 0;  ///< in the dataset; the columns hold the first of them
  std::vector<std::uint8_t> status;
  std::vector<Factor> factors;      ///< those that vary
  std::vector<Response> responses;  ///< outcomes in their order, then "invalid" if some sample is
  std::int64_t count() const { return static_cast<std::int64_t>(status.size()); }
};

/// Samples that reports look at, at most: a column of them takes 8 MB.
inline constexpr std::int64_t most_reported_samples = 1'000'000;

/// Reads the first samples of `ranges`, `most` at most. Throws FileError.
Samples read_samples(const std::filesystem::path& folder, const DatasetDescription& description,
                     std::span<const ShardRange> ranges, std::int64_t most = most_reported_samples);

/// The factor of that name. Throws UsageError, with the names that there are.
const Factor& find_factor(const Samples& samples, const std::string& name);

/// Replaces the three uniform numbers NAME.rotation[0..2] of a random rotation by what they stand for: its angles
/// (roll about x, then pitch about y, then yaw about z, all axes of the world; and the angle of the whole turn) in rad,
/// and its quaternion (qw >= 0, qx, qy, qz). Other factors stay.
std::vector<Factor> with_angles(std::vector<Factor> factors);

using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// The variables; in place of the three numbers in (0, 1) of a random rotation, its PATH.rotation.roll, .pitch and .yaw
/// in rad and its quaternion .qw, .qx, .qy and .qz.
NamedNumbers shown_variables(const std::vector<std::string>& names, const std::vector<double>& values);

/// Roll, pitch and yaw in rad of the rotation that three numbers in (0, 1) stand for.
std::array<double, 3> roll_pitch_yaw(double u0, double u1, double u2);
inline constexpr std::array angle_names = {"roll", "pitch", "yaw"};

/// Where the three numbers of random rotations begin among the names of variables, and their paths: "NAME.rotation".
std::vector<std::pair<std::size_t, std::string>> rotations_in(std::span<const std::string> names);

}  // namespace jostle
