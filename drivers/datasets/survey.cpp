#include "drivers/datasets/survey.hpp"

#include <fmt/format.h>

#include <set>

#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/text.hpp"

namespace jostle {

namespace {

std::vector<ShardRange> with_ranges_of(const std::vector<UnfitShard>& shards, std::vector<ShardRange> ranges) {
  for (const UnfitShard& shard : shards) ranges.push_back(shard.range);
  return ranges;
}

std::string lines_of(const char* kind, const std::vector<UnfitShard>& shards) {
  std::string text;
  for (const UnfitShard& shard : shards)
    text += fmt::format("{}: {}: {}; is made again\n", kind, shard_name(shard.range.index), shard.problem);
  return text;
}

void add(const ShardRange& range, const FoundShard& shard, Survey& found) {
  using State = FoundShard::State;
  if (shard.state == State::missing) found.missing.push_back(range);
  if (shard.state == State::broken) found.broken.push_back({range, shard.reason});
  if (shard.state == State::whole) found.there.push_back(range);
  if (shard.state != State::shorter) return;
  found.there.push_back({range.index, range.first, shard.count});
  found.shorter.push_back({range, fmt::format("{} of {} samples", with_commas(shard.count), with_commas(range.count))});
}

}  // namespace

std::vector<ShardRange> Survey::to_make() const { return with_ranges_of(shorter, with_ranges_of(broken, missing)); }

std::string Survey::problems_text() const { return lines_of("broken", broken) + lines_of("shorter", shorter); }

Survey survey(const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n,
              const std::vector<Job>& jobs, bool reads_all) {
  const KnownShards known(folder, jobs, description);
  Survey found;
  for (const ShardRange& range : shard_ranges(description, n)) {
    const std::filesystem::path path = folder / shard_name(range.index);
    if (!reads_all && known.has(path, range))
      found.there.push_back(range);
    else
      add(range, check_shard(path, description, range), found);
  }
  return found;
}

std::string array_of(const std::vector<ShardRange>& shards, std::int64_t parts) {
  std::set<std::int64_t> numbers;
  for (const ShardRange& shard : shards) numbers.insert(shard.index % parts + 1);
  const std::vector<std::int64_t> shares(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t first = 0, end = 0; first < shares.size(); first = end) {
    const std::int64_t step = first + 1 < shares.size() ? shares[first + 1] - shares[first] : 1;
    for (end = first + 1; end < shares.size() && shares[end] - shares[end - 1] == step;) ++end;
    if (step > 1 && end - first < 3) end = first + 1;  // two numbers are shorter than their range with a step
    text += (text.empty() ? "" : ",") + std::to_string(shares[first]);
    if (end - first > 1) text += '-' + std::to_string(shares[end - 1]);
    if (end - first > 1 && step > 1) text += ':' + std::to_string(step);
  }
  return text;
}

}  // namespace jostle
