#pragma once
#include <string>

#include "drivers/datasets/dataset.hpp"

namespace jostle {

/// The content digest of a shard: of its fields, not of the file's bytes, so it does not depend on the version of HDF5.
/// It is the SHA-256 of, with integers as 64-bit and all numbers little-endian:
///   first, count;
///   for every column of the summary in file order: length of the name, name, how many numbers, and the XXH64 of every
///   65,536 of them, as they are stored;
///   the same for sample, valid_steps, q and v of the trajectories, if the dataset records any;
///   then for the columns of steps, of contacts with their splits, of parameters, and of LCPs with theirs and M.
/// 64 hexadecimal digits.
std::string shard_digest(const DatasetDescription& description, const ShardData& shard);

}  // namespace jostle
