// What a process with some options makes.
#include <charconv>

#include "drivers/errors.hpp"
#include "drivers/sweeps/sweep.hpp"

namespace jostle {

std::vector<ShardRange> own_ranges(const DatasetDescription& description, const SweepOptions& options) {
  std::vector<ShardRange> own;
  for (const ShardRange& range : shard_ranges(description, options.n))
    if (range.index % options.shard_parts == options.shard_part - 1) own.push_back(range);
  return own;
}

std::string shard_part_text(const SweepOptions& options) {
  if (options.shard_parts == 1) return {};
  return std::to_string(options.shard_part) + '/' + std::to_string(options.shard_parts);
}

void parse_shard_part(const std::string& text, SweepOptions& options) {
  const char* const end = text.data() + text.size();
  std::int64_t part = 0, parts = 0;
  const auto slash = std::from_chars(text.data(), end, part);
  if (slash.ec == std::errc() && slash.ptr != end && *slash.ptr == '/') {
    const auto last = std::from_chars(slash.ptr + 1, end, parts);
    if (last.ec == std::errc() && last.ptr == end && 1 <= part && part <= parts) {
      options.shard_part = part;
      options.shard_parts = parts;
      return;
    }
  }
  throw UsageError("--shard wants k/n with 1 <= k <= n, not '" + text + "'");
}

}  // namespace jostle
