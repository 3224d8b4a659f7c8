#pragma once
#include <string>

#include "drivers/datasets/dataset.hpp"

namespace jostle {

/// The content digest of a shard: SHA-256 of its fields, not of the file's bytes, so it does not depend
/// on the version of HDF5. Hashed are, with integers as 64-bit and all numbers
/// little-endian:
///   first, count;
///   for every column of the summary in file order: length of the name, name, bytes of the data, data;
///   the same for sample, valid_steps, q and v of the trajectories, if the dataset records any;
///   then for the columns of steps, of contacts with their splits, of parameters, and of LCPs with theirs and M.
/// NaNs must be `undefined_value` already. 64 hexadecimal digits.
std::string shard_digest(const DatasetDescription& description, const ShardData& shard);

}  // namespace jostle
