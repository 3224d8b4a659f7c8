#include "drivers/reports/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "drivers/datasets/shard_reader.hpp"
#include "drivers/errors.hpp"
#include "drivers/statistics/statistics.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

constexpr std::uint8_t ok_status = static_cast<std::uint8_t>(Status::ok);

void append(std::vector<double>& to, const std::vector<double>& from, std::int64_t count) {
  to.insert(to.end(), from.begin(), from.begin() + count);
}

/// Turns the column of an outcome into that of a response.
void judge(Response& response, OutcomeInfo::Kind kind, std::span<const std::uint8_t> status) {
  response.valid.resize(status.size());
  for (std::size_t i = 0; i < status.size(); ++i) {
    double& value = response.values[i];
    const Validity found = validity_of(kind, value, status[i]);
    response.valid[i] = found != Validity::invalid;
    response.invalid += !response.valid[i];
    if (kind == OutcomeInfo::Kind::first_time || found == Validity::invalid) value = found == Validity::number;
  }
}

Response response_of_status(std::span<const std::uint8_t> status) {
  Response invalid{"invalid", true, {}, std::vector<std::uint8_t>(status.size(), 1)};
  for (const std::uint8_t of_sample : status) invalid.values.push_back(of_sample != ok_status);
  return invalid;
}

bool varies(const Factor& factor) {
  return std::any_of(factor.values.begin(), factor.values.end(),
                     [&](double value) { return value != factor.values.front(); });
}

/// (w, x, y, z), w >= 0, of the rotation that three numbers in (0, 1) stand for (Shoemake 1992), as
/// scenarios/parameters/bind.cpp makes it.
std::array<double, 4> quaternion_of(double u0, double u1, double u2) {
  constexpr double turn = 2 * std::numbers::pi;
  const double a = std::sqrt(1 - u0), b = std::sqrt(u0);
  std::array<double, 4> q = {b * std::cos(turn * u2), a * std::sin(turn * u1), a * std::cos(turn * u1),
                             b * std::sin(turn * u2)};
  if (q[0] < 0)
    for (double& component : q) component = -component;
  return q;
}

constexpr std::array rotation_columns = {"roll", "pitch", "yaw", "angle", "qw", "qx", "qy", "qz"};
constexpr std::size_t listed_columns = 3;  // the rest says the same in other words
constexpr std::size_t angle_columns = 4;

std::array<double, rotation_columns.size()> angles_of(const std::array<double, 4>& q) {
  const auto [w, x, y, z] = q;
  const double roll = std::atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  const double pitch = std::asin(std::clamp(2 * (w * y - z * x), -1.0, 1.0));
  const double yaw = std::atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return {roll, pitch, yaw, 2 * std::acos(std::min(w, 1.0)), w, x, y, z};
}

void add_rotation(const std::string& path, const Factor* numbers, std::vector<Factor>& to) {
  const std::size_t first = to.size();
  for (std::size_t k = 0; k < rotation_columns.size(); ++k)
    to.push_back({path + "." + rotation_columns[k], k < angle_columns ? "rad" : "", {}, k < listed_columns});
  for (std::size_t i = 0; i < numbers[0].values.size(); ++i) {
    const auto angles = angles_of(quaternion_of(numbers[0].values[i], numbers[1].values[i], numbers[2].values[i]));
    for (std::size_t k = 0; k < angles.size(); ++k) to[first + k].values.push_back(angles[k]);
  }
}

}  // namespace

std::array<double, 3> roll_pitch_yaw(double u0, double u1, double u2) {
  const auto angles = angles_of(quaternion_of(u0, u1, u2));
  return {angles[0], angles[1], angles[2]};
}

std::vector<std::pair<std::size_t, std::string>> rotations_in(std::span<const std::string> names) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (std::size_t first = 0; first + 2 < names.size(); ++first) {
    if (!names[first].ends_with("rotation[0]")) continue;
    std::string path = names[first].substr(0, names[first].size() - 3);
    if (names[first + 1] == path + "[1]" && names[first + 2] == path + "[2]")
      found.emplace_back(first, std::move(path));
  }
  return found;
}

std::vector<Factor> with_angles(std::vector<Factor> factors) {
  std::vector<Factor> result;
  std::size_t next = 0;
  for (const auto& [first, path] : rotations_in(names_in(factors))) {
    for (; next < first; ++next) result.push_back(std::move(factors[next]));
    add_rotation(path, &factors[first], result);
    next = first + 3;
  }
  for (; next < factors.size(); ++next) result.push_back(std::move(factors[next]));
  return result;
}

NamedNumbers shown_variables(const std::vector<std::string>& names, const std::vector<double>& values) {
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < names.size(); ++i) factors.push_back({names[i], "", {values[i]}});
  NamedNumbers shown;
  for (const Factor& factor : with_angles(std::move(factors)))
    if (!factor.name.ends_with(".angle")) shown.emplace_back(factor.name, factor.values[0]);
  return shown;
}

Samples read_samples(const std::filesystem::path& folder, const DatasetDescription& description,
                     std::span<const ShardRange> ranges, std::int64_t most) {
  Samples samples;
  samples.total = samples_of(ranges);
  for (std::size_t v = 0; v < description.variables.size(); ++v) {
    const Shown shown = v < description.shown_variables.size() ? description.shown_variables[v] : Shown{};
    samples.factors.push_back({description.variables[v], shown.unit, {}, true, shown.label});
  }
  for (const OutcomeInfo& outcome : description.outcomes)
    samples.responses.push_back({outcome.name, outcome.kind != OutcomeInfo::Kind::number, {}, {}});
  for (const ShardRange& range : ranges) {
    const std::int64_t count = std::min(range.count, most - samples.count());
    if (count <= 0) break;
    const ShardReader shard(folder, range);
    const std::vector<std::uint8_t> status = shard.status();
    samples.status.insert(samples.status.end(), status.begin(), status.begin() + count);
    for (Factor& factor : samples.factors) append(factor.values, shard.numbers(factor.name), count);
    for (Response& response : samples.responses) append(response.values, shard.numbers(response.name), count);
  }
  for (std::size_t i = 0; i < samples.responses.size(); ++i)
    judge(samples.responses[i], description.outcomes[i].kind, samples.status);
  const bool all_valid = std::all_of(samples.status.begin(), samples.status.end(),
                                     [](std::uint8_t status) { return status == ok_status; });
  if (!all_valid) samples.responses.push_back(response_of_status(samples.status));
  samples.factors = with_angles(std::move(samples.factors));
  std::erase_if(samples.factors, [](const Factor& factor) { return !varies(factor); });
  return samples;
}

const Factor& find_factor(const Samples& samples, const std::string& name) {
  std::vector<std::string> known;
  for (const Factor& factor : samples.factors) {
    if (factor.name == name) return factor;
    known.push_back(factor.name);
  }
  if (known.empty())
    throw UsageError(samples.status.size() == 1 ? "--by: there is one sample, so no parameter has several values"
                                                : "--by: no parameter of this dataset has several values");
  throw UsageError("--by: no random parameter '" + name + "'" + did_you_mean_or_known(name, known));
}

}  // namespace jostle
