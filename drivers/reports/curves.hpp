#pragma once
// Recorded quantities over the time, or over another one: `jostle report --curve slide.position.x,slide.force.x`.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"

namespace jostle {

struct CurveRequest {
  std::string x, y;  ///< names of recorded quantities, `time` or `energy`
};

/// "slide.position.x,slide.force.x", or "slide.force.x" over the time. Throws UsageError if one is not recorded.
CurveRequest parse_curve(const std::string& text, const DatasetDescription& description);

/// Every recorded quantity over the time, the first `most` of them.
std::vector<CurveRequest> curves_over_time(const DatasetDescription& description, std::size_t most);

/// A recorded sample, thinned: of each piece of the time the least and the largest y.
struct CurveLine {
  std::int64_t sample = 0;
  std::vector<double> x, y;
};

/// Samples in a piece of x (of the time, or of the range of a quantity): of each its mean there, and of these the 5 %
/// quantile, the median and the 95 % quantile.
struct CurvePoint {
  double x = 0;
  std::int64_t samples = 0;
  double low = 0, median = 0, high = 0;
};

struct Curve {
  std::string x, y;
  Shown shown_x, shown_y;
  std::int64_t samples = 0;      ///< that are recorded, or the first most_curve_samples of them
  std::vector<CurveLine> lines;  ///< the first most_lines of these
  std::vector<CurvePoint> points;
};
inline constexpr std::int64_t most_curve_samples = 512;
inline constexpr std::size_t most_lines = 12;

/// Reads the samples that are recorded in the shards. Throws FileError.
Curve read_curve(const std::filesystem::path& folder, const DatasetDescription& description,
                 std::span<const ShardRange> ranges, const CurveRequest& request);

/// A table of some of the points.
std::string curve_text(const Curve& curve);
/// {x: {name, label, unit}, y: .., samples, points: [{x, samples, low, median, high}]}
nlohmann::ordered_json curve_json(const Curve& curve);
/// The same for the page: points as lists [x, samples, low, median, high] and `lines`: [{sample, x: [..], y: [..]}],
/// numbers with six digits.
nlohmann::ordered_json curve_chart(const Curve& curve);

}  // namespace jostle
