#include "drivers/datasets/shard_digest.hpp"

#ifndef __clang_analyzer__  // which finds null pointers in it
#define XXH_INLINE_ALL      // NOLINT(readability-identifier-naming): no library to link
#endif
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>

#include "drivers/datasets/sha256.hpp"
#include "drivers/datasets/stored_numbers.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/parallel.hpp"

namespace jostle {
namespace {

static_assert(std::endian::native == std::endian::little, "digests hash memory as it lies");

constexpr std::size_t block_numbers = 1 << 16;

/// XXH64 of numbers as they are stored; `single`: real numbers as f4.
template <class Number>
std::uint64_t hash_of(std::span<const Number> numbers, bool single) {
  if constexpr (std::is_same_v<Number, double>) {
    alignas(double) static thread_local std::array<std::byte, block_numbers * sizeof(double)> stored;
    if (single)
      store(numbers, reinterpret_cast<float*>(stored.data()));
    else
      store(numbers, reinterpret_cast<double*>(stored.data()));
    return XXH64(stored.data(), numbers.size() * (single ? sizeof(float) : sizeof(double)), 0);
  } else {
    return XXH64(numbers.data(), numbers.size_bytes(), 0);
  }
}

/// What is hashed in the end: integers, names and the hashes of blocks, which all threads compute.
class Content {
 public:
  void add_integer(std::uint64_t value) { add_bytes(&value, sizeof value); }

  template <class Values>
  void add_field(const std::string& name, const Values& values, bool single) {
    using Number = std::remove_cvref_t<decltype(values[0])>;
    add_integer(name.size());
    add_bytes(name.data(), name.size());
    add_integer(values.size());
    for (std::size_t at = 0; at < values.size(); at += block_numbers) {
      const std::span<const Number> block(values.data() + at, std::min(block_numbers, values.size() - at));
      blocks_.push_back({content_.size(), [block, single] { return hash_of(block, single); }});
      add_integer(0);
    }
  }

  std::string digest() {
    parallel_for(static_cast<int>(blocks_.size()), [&](int i) {
      const Block& block = blocks_[static_cast<std::size_t>(i)];
      const std::uint64_t hash = block.hash();
      std::memcpy(content_.data() + block.place, &hash, sizeof hash);
    });
    return sha256_hex(content_);
  }

 private:
  struct Block {
    std::size_t place;  ///< of its hash in the content
    std::function<std::uint64_t()> hash;
  };

  void add_bytes(const void* data, std::size_t bytes) { content_.append(static_cast<const char*>(data), bytes); }

  std::string content_;
  std::vector<Block> blocks_;
};

}  // namespace

std::string shard_digest(const DatasetDescription& description, const ShardData& shard) {
  Content content;
  content.add_integer(static_cast<std::uint64_t>(shard.first));
  content.add_integer(static_cast<std::uint64_t>(shard.count));
  for_each_column(description, shard, [&](const SummaryColumn& column, const auto& values) {
    content.add_field(column.name, values, false);
  });
  const RecordSettings& record = description.record;
  const auto add_record = [&](const std::string& name, const auto& values) {
    content.add_field(name, values, record.single);
  };
  const auto add = [&](const RecordColumn& column, const auto& values) { add_record(column.name, values); };
  if (record.which != RecordSettings::Which::none) {
    add_record("sample", shard.trajectories.sample);
    add_record("valid_steps", shard.trajectories.valid_steps);
    add_record("q", shard.trajectories.q);
    add_record("v", shard.trajectories.v);
  }
  if (record.steps)
    for_each_step_column(record.quantities, static_cast<int>(description.bodies.size()), shard.step_records, add);
  if (record.contacts) {
    add_record("splits", shard.contacts.splits);
    for_each_contact_column(shard.contacts, add);
    for (std::size_t i = 0; i < record.parameters.size(); ++i)
      add_record(record.parameters[i].name, shard.parameters[i]);
  }
  if (record.has_lcps()) {
    add_record("splits", shard.lcps.splits);
    add_record("M_splits", shard.lcps.matrix_splits);
    for_each_lcp_column(shard.lcps, add);
    add_record("M", shard.lcps.matrix);
  }
  return content.digest();
}

}  // namespace jostle
