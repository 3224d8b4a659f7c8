#include "drivers/datasets/survey.hpp"

#include <set>

#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"

namespace jostle {

Survey survey(const std::filesystem::path& folder, const DatasetDescription& description, std::int64_t n,
              const std::vector<Job>& jobs, bool reads_all) {
  const KnownShards known(folder, jobs, description);
  Survey found;
  for (const ShardRange& range : shard_ranges(description, n)) {
    const std::filesystem::path path = folder / shard_name(range.index);
    if (!std::filesystem::exists(path))
      found.missing.push_back(range);
    else if ((!reads_all && known.has(path, range)) || verify_shard(path, description, range.first, range.count))
      found.there.push_back(range);
    else
      found.broken.push_back(range);
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
