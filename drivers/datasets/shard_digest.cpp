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

#include "drivers/datasets/summary_columns.hpp"
#include "drivers/files/sha256.hpp"
#include "drivers/files/stored_numbers.hpp"
#include "drivers/parallel.hpp"

namespace jostle {
namespace {

static_assert(std::endian::native == std::endian::little, "digests hash memory as it lies");

constexpr std::size_t block_numbers = 1 << 16;

/// XXH64 of numbers as they are stored.
template <class Number>
std::uint64_t hash_of(std::span<const Number> numbers) {
  if constexpr (std::is_same_v<Number, double>) {
    static thread_local std::array<double, block_numbers> stored;
    store(numbers, stored.data());
    return XXH64(stored.data(), numbers.size_bytes(), 0);
  } else {
    return XXH64(numbers.data(), numbers.size_bytes(), 0);
  }
}

/// What is hashed in the end: integers, names and the hashes of blocks, which all threads compute.
class Content {
 public:
  void add_integer(std::uint64_t value) { add_bytes(&value, sizeof value); }

  void add_field(const std::string& name, const auto& values) {
    add_integer(name.size());
    add_bytes(name.data(), name.size());
    add_integer(values.size());
    visit_numbers(values, [&](const auto* numbers) { add_numbers(std::span(numbers, values.size())); });
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

  template <class Number>
  void add_numbers(std::span<const Number> numbers) {
    for (std::size_t at = 0; at < numbers.size(); at += block_numbers) {
      const auto block = numbers.subspan(at, std::min(block_numbers, numbers.size() - at));
      blocks_.push_back({content_.size(), [block] { return hash_of(block); }});
      add_integer(0);
    }
  }

  void add_bytes(const void* data, std::size_t bytes) { content_.append(static_cast<const char*>(data), bytes); }

  std::string content_;
  std::vector<Block> blocks_;
};

}  // namespace

std::string shard_digest(const DatasetDescription& description, const ShardData& shard) {
  Content content;
  content.add_integer(static_cast<std::uint64_t>(shard.first));
  content.add_integer(static_cast<std::uint64_t>(shard.count));
  for_each_column(description, shard,
                  [&](const SummaryColumn& column, const auto& values) { content.add_field(column.name, values); });
  const RecordSettings& record = description.record;
  const auto add = [&](const RecordColumn& column, const auto& values) { content.add_field(column.name, values); };
  if (record.which != RecordSettings::Which::none) {
    content.add_field("sample", shard.trajectories.sample);
    content.add_field("valid_steps", shard.trajectories.valid_steps);
    content.add_field("q", shard.trajectories.q);
    content.add_field("v", shard.trajectories.v);
  }
  if (record.steps)
    for_each_step_column(record.quantities, static_cast<int>(description.bodies.size()), shard.step_records, add);
  if (record.contacts) {
    content.add_field("splits", shard.contacts.splits);
    for_each_contact_column(shard.contacts, add);
    for (std::size_t i = 0; i < record.parameters.size(); ++i)
      content.add_field(record.parameters[i].name, shard.parameters[i]);
  }
  if (record.has_lcps()) {
    content.add_field("splits", shard.lcps.splits);
    content.add_field("M_splits", shard.lcps.matrix_splits);
    for_each_lcp_column(shard.lcps, add);
    content.add_field("M", shard.lcps.matrix);
  }
  return content.digest();
}

}  // namespace jostle
