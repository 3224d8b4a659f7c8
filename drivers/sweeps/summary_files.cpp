#include "drivers/sweeps/summary_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <future>
#include <string>

#include "core/status.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/status_names.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/parallel.hpp"
#include "drivers/reports/samples.hpp"
#include "drivers/statistics/categories.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {
namespace {

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json outcome_json(const OutcomeStatistics& outcome) {
  nlohmann::ordered_json json;
  json["kind"] = name_of(outcome.kind);
  json["count"] = outcome.count;
  json["invalid"] = outcome.invalid;
  json[outcome.kind == OutcomeInfo::Kind::number ? "mean" : "rate"] = or_null(outcome.estimate);
  add_interval(json, "", outcome.interval);
  add_interval(json, "worst_", outcome.worst);
  json["minimum"] = or_null(outcome.minimum);
  json["maximum"] = or_null(outcome.maximum);
  json["quantiles"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; outcome.quantiles && i < quantile_names.size(); ++i)
    json["quantiles"][quantile_names[i]] = (*outcome.quantiles)[i];
  return json;
}

template <class T>
void append_number(std::string& text, T value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

void append_number(std::string& text, double value) {
  if (std::isnan(value))
    text += "nan";
  else
    append_number<double>(text, value);
}

std::string csv_header(const DatasetDescription& description) {
  std::string header = "sample";
  ShardData none = make_shard(description, 0, 0);
  for_each_column(description, none, [&](const SummaryColumn& column, const auto&) {
    header += ',';
    header += column.name;
  });
  for (const auto& [first, path] : rotations_in(description.variables))
    for (const char* angle : angle_names) header += "," + path + "." + angle;
  return header + '\n';
}

/// The rows of samples [begin, end) of a shard.
std::string csv_rows(const DatasetDescription& description, const ShardData& shard, std::int64_t begin,
                     std::int64_t end) {
  std::vector<std::function<void(std::string&, std::int64_t)>> cells;
  for_each_column(description, shard, [&](const SummaryColumn&, const auto& values) {
    cells.push_back([&values, begin, text = std::string()](std::string& row, std::int64_t i) mutable {
      if (i == begin || values[i] != values[i - 1] || values[i] == 0) {  // most columns repeat themselves; 0 may be -0
        text.clear();
        append_number(text, values[i]);
      }
      row += text;
    });
  });
  const auto rotations = rotations_in(description.variables);
  std::string rows;
  for (std::int64_t i = begin; i < end; ++i) {
    append_number(rows, shard.first + i);
    for (const auto& cell : cells) {
      rows += ',';
      cell(rows, i);
    }
    const auto at = static_cast<std::size_t>(i);
    for (const auto& [first, path] : rotations) {
      const auto& u = shard.variables;
      for (const double angle : roll_pitch_yaw(u[first][at], u[first + 1][at], u[first + 2][at])) {
        rows += ',';
        append_number(rows, angle);
      }
    }
    rows += '\n';
  }
  return rows;
}

/// The rows of the first `count` samples of a shard, in parts.
std::vector<std::string> csv_rows(const DatasetDescription& description, const ShardData& shard, std::int64_t count) {
  constexpr std::int64_t part = 1024;
  std::vector<std::string> parts(static_cast<std::size_t>((count + part - 1) / part));
  parallel_for(static_cast<int>(parts.size()), [&](int i) {
    parts[static_cast<std::size_t>(i)] = csv_rows(description, shard, i * part, std::min((i + 1) * part, count));
  });
  return parts;
}

}  // namespace

nlohmann::ordered_json summary_json(const RunStatistics& statistics) {
  nlohmann::ordered_json json;
  json["samples"] = statistics.samples;
  json["statuses"] = nlohmann::ordered_json::object();
  for (const Status status : all_statuses) {
    const std::int64_t samples = statistics.status[static_cast<std::uint8_t>(status)].samples;
    if (samples > 0 || status == Status::ok) json["statuses"][name_of(status)] = samples;
  }
  json["outcomes"] = nlohmann::ordered_json::object();
  for (const OutcomeStatistics& outcome : statistics.outcomes) json["outcomes"][outcome.name] = outcome_json(outcome);
  if (nlohmann::ordered_json categories = categories_json(statistics); !categories.empty())
    json["categories"] = std::move(categories);
  return json;
}

void write_summary_json(const std::filesystem::path& folder, const RunStatistics& statistics) {
  write_atomically(folder / "summary.json", summary_json(statistics).dump(2) + "\n", "summary");
}

void write_summary_csv(const std::filesystem::path& folder, const DatasetDescription& description,
                       std::span<const ShardRange> ranges) {
  AtomicFile file(folder / "summary.csv", "csv");
  file.write(csv_header(description));
  const auto read = [&](std::size_t i) {
    return std::async(std::launch::async, [&, i] { return ShardReader(folder, ranges[i]).read_summary(description); });
  };
  std::future<ShardData> next = read(0);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const ShardData shard = next.get();
    if (i + 1 < ranges.size()) next = read(i + 1);  // while the rows of this one are made
    for (const std::string& rows : csv_rows(description, shard, ranges[i].count)) file.write(rows);
  }
  file.commit();
}

}  // namespace jostle
