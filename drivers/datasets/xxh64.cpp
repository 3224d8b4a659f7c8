#include "drivers/datasets/xxh64.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace jostle {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie");

constexpr std::uint64_t prime_1 = 0x9E3779B185EBCA87u, prime_2 = 0xC2B2AE3D27D4EB4Fu, prime_3 = 0x165667B19E3779F9u,
                        prime_4 = 0x85EBCA77C2B2AE63u, prime_5 = 0x27D4EB2F165667C5u;

template <class Word>
std::uint64_t word(const unsigned char* at) {
  Word value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::uint64_t mixed(std::uint64_t sum, std::uint64_t value) { return std::rotl(sum + value * prime_2, 31) * prime_1; }

/// Takes whole stripes of 32 bytes; moves `at` behind them.
std::uint64_t hash_of_stripes(const unsigned char*& at, const unsigned char* end) {
  std::array<std::uint64_t, 4> sum = {prime_1 + prime_2, prime_2, 0, 0 - prime_1};
  for (; end - at >= 32; at += 32)
    for (std::size_t i = 0; i < 4; ++i) sum[i] = mixed(sum[i], word<std::uint64_t>(at + 8 * i));
  std::uint64_t hash = std::rotl(sum[0], 1) + std::rotl(sum[1], 7) + std::rotl(sum[2], 12) + std::rotl(sum[3], 18);
  for (const std::uint64_t own : sum) hash = (hash ^ mixed(0, own)) * prime_1 + prime_4;
  return hash;
}

}  // namespace

std::uint64_t xxh64(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  const auto* const end = at + bytes;
  std::uint64_t hash = (bytes >= 32 ? hash_of_stripes(at, end) : prime_5) + bytes;
  for (; end - at >= 8; at += 8) hash = std::rotl(hash ^ mixed(0, word<std::uint64_t>(at)), 27) * prime_1 + prime_4;
  for (; end - at >= 4; at += 4) hash = std::rotl(hash ^ word<std::uint32_t>(at) * prime_1, 23) * prime_2 + prime_3;
  for (; at < end; ++at) hash = std::rotl(hash ^ *at * prime_5, 11) * prime_1;
  hash = (hash ^ hash >> 33) * prime_2;
  hash = (hash ^ hash >> 29) * prime_3;
  return hash ^ hash >> 32;
}

}  // namespace jostle
