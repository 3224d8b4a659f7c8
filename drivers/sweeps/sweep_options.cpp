// What a process with some options makes.
#include "drivers/errors.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "scenarios/text/number.hpp"

namespace jostle {

void check_shard_part(const SweepOptions& options) {
  if (options.shard_part < 1 || options.shard_part > options.shard_parts)
    throw UsageError("a part of the shards is k of n with 1 <= k <= n, not " + std::to_string(options.shard_part) +
                     " of " + std::to_string(options.shard_parts));
}

std::vector<ShardRange> own_ranges(const DatasetDescription& description, const SweepOptions& options) {
  check_shard_part(options);
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
  const std::size_t slash = text.find('/');
  const auto part = parsed<std::int64_t>(text.substr(0, slash));
  const auto parts = slash == std::string::npos ? std::nullopt : parsed<std::int64_t>(text.substr(slash + 1));
  if (!part || !parts || *part < 1 || *part > *parts)
    throw UsageError("--shard wants k/n with 1 <= k <= n, not '" + text + "'");
  options.shard_part = *part;
  options.shard_parts = *parts;
}

}  // namespace jostle
