#include "drivers/datasets/shard_writer.hpp"

#include <cstdio>

#include "drivers/datasets/dataset_layout.hpp"
#include "drivers/datasets/shard_digest.hpp"
#include "drivers/files/hdf5_atomic_file.hpp"

namespace jostle {
namespace {

void fill(hid_t file, const DatasetDescription& description, const ShardData& shard, const std::string& digest) {
  write_root_attributes(file, description);
  hdf5::set_attribute(file, "first_sample", shard.first);
  hdf5::set_attribute(file, "count", shard.count);
  hdf5::set_attribute(file, "digest", digest);
  const RecordExtents extents{static_cast<std::int64_t>(shard.trajectories.sample.size()), shard.contacts.rows(),
                              shard.lcps.rows(), shard.lcps.numbers()};
  write_groups(file, description, shard, shard.count, extents, make_with_data);
}

}  // namespace

std::string shard_name(std::int64_t index) {
  constexpr long long flat = 10000, in_subfolder = 1000;
  const auto number = static_cast<long long>(index);
  char name[64];
  if (number < flat)
    std::snprintf(name, sizeof name, "shards/shard-%05lld.h5", number);
  else
    std::snprintf(name, sizeof name, "shards/%05lld/shard-%05lld.h5", number / in_subfolder, number);
  return name;
}

WrittenShard write_uncommitted_shard(const std::filesystem::path& path, const DatasetDescription& description,
                                     const ShardData& shard, const std::filesystem::path& scratch) {
  std::string digest = shard_digest(description, shard);
  AtomicFile file = hdf5::write_uncommitted(AtomicFile(path, "shard", scratch), path,
                                            [&](hid_t root) { fill(root, description, shard, digest); });
  return {std::move(file), std::move(digest)};
}

}  // namespace jostle
