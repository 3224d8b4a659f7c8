#include "drivers/datasets/shard_digest.hpp"

#include <bit>

#include "drivers/datasets/sha256.hpp"
#include "drivers/datasets/summary_columns.hpp"

namespace jostle {
namespace {

static_assert(std::endian::native == std::endian::little, "digests hash memory as it lies");

void add_integer(Sha256& hash, std::uint64_t value) { hash.update(&value, sizeof value); }

void add_field(Sha256& hash, const std::string& name, const auto& values) {
  add_integer(hash, name.size());
  hash.update(name.data(), name.size());
  const std::size_t bytes = values.size() * sizeof values[0];
  add_integer(hash, bytes);
  hash.update(values.data(), bytes);
}

}  // namespace

std::string shard_digest(const DatasetDescription& description, const ShardData& shard) {
  Sha256 hash;
  add_integer(hash, static_cast<std::uint64_t>(shard.first));
  add_integer(hash, static_cast<std::uint64_t>(shard.count));
  for_each_column(description, shard,
                  [&](const SummaryColumn& column, const auto& values) { add_field(hash, column.name, values); });
  if (description.record.which != RecordSettings::Which::none) {
    add_field(hash, "sample", shard.trajectories.sample);
    add_field(hash, "valid_steps", shard.trajectories.valid_steps);
    add_field(hash, "q", shard.trajectories.q);
    add_field(hash, "v", shard.trajectories.v);
  }
  const auto add = [&](const RecordColumn& column, const auto& values) { add_field(hash, column.name, values); };
  const RecordSettings& record = description.record;
  if (record.steps)
    for_each_step_column(record.quantities, static_cast<int>(description.bodies.size()), shard.step_records, add);
  if (record.contacts) {
    add_field(hash, "splits", shard.contacts.splits);
    for_each_contact_column(shard.contacts, add);
    for (std::size_t i = 0; i < record.parameters.size(); ++i)
      add_field(hash, record.parameters[i].name, shard.parameters[i]);
  }
  if (record.has_lcps()) {
    add_field(hash, "splits", shard.lcps.splits);
    add_field(hash, "M_splits", shard.lcps.matrix_splits);
    for_each_lcp_column(shard.lcps, add);
    add_field(hash, "M", shard.lcps.matrix);
  }
  return hash.hex();
}

}  // namespace jostle
