#include "drivers/files/hdf5_chunks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "drivers/files/stored_numbers.hpp"
#include "drivers/parallel.hpp"

namespace jostle::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian, and chunks written as they lie");

hsize_t product(Extents::const_iterator begin, Extents::const_iterator end) {
  return std::accumulate(begin, end, hsize_t{1}, std::multiplies<hsize_t>());
}

/// A chunk: where it begins in each dimension, its first element and how many it has in the data.
struct Chunk {
  std::array<hsize_t, H5S_MAX_RANK> offset = {};
  hsize_t first = 0, count = 0;
};

/// The dimension that chunks divide: behind it they have all entries, before it one. The last one of which they have
/// not all; an extent of 1 tells nothing.
std::size_t divided_axis(const Extents& extents, const Extents& size) {
  std::size_t axis = extents.size() - 1;
  while (axis > 0 && size[axis] == extents[axis]) --axis;
  return axis;
}

/// All chunks, in the order of the data.
std::vector<Chunk> chunks_of(const Extents& extents, const Extents& size) {
  const std::size_t axis = divided_axis(extents, size);
  const auto divided = extents.begin() + static_cast<std::ptrdiff_t>(axis);
  const hsize_t rest = product(divided + 1, extents.end()), all = product(extents.begin(), extents.end());
  std::vector<Chunk> chunks;
  for (Chunk chunk; chunk.first < all; chunk.first += chunk.count) {
    chunk.count = std::min(size[axis], extents[axis] - chunk.offset[axis]) * rest;
    chunks.push_back(chunk);
    chunk.offset[axis] += size[axis];
    if (chunk.offset[axis] < extents[axis]) continue;
    chunk.offset[axis] = 0;
    for (std::size_t k = axis; k-- > 0 && ++chunk.offset[k] == extents[k];) chunk.offset[k] = 0;
  }
  return chunks;
}

/// Fletcher's checksum as the filter computes it: sums of big-endian words modulo 65535, where a sum that is not 0 but
/// has no remainder counts as 65535. A zero follows the data, the second byte of an odd last word. Below 2^22 bytes
/// nothing overflows.
std::uint32_t fletcher32(const unsigned char* data, std::size_t bytes) {
  constexpr std::size_t block = 64;
  std::uint64_t sum = 0, weighted = 0;
  const auto add = [&](const unsigned char* from, std::size_t words) {
    std::uint32_t own = 0, own_weighted = 0;
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint32_t word = std::uint32_t{from[2 * i]} << 8 | from[2 * i + 1];
      own += word, own_weighted += static_cast<std::uint32_t>(words - i) * word;
    }
    weighted += words * sum + own_weighted;
    sum += own;
  };
  std::size_t word = 0;
  const std::size_t words = (bytes + 1) / 2;
  for (; word + block <= words; word += block) add(data + 2 * word, block);
  add(data + 2 * word, words - word);
  const auto remainder = [](std::uint64_t n) {
    return static_cast<std::uint32_t>(n != 0 && n % 65535 == 0 ? 65535 : n % 65535);
  };
  return remainder(weighted) << 16 | remainder(sum);
}

/// A chunk on its way to the file.
thread_local std::vector<unsigned char> buffer;

}  // namespace

Extents chunk_of(const Extents& extents, std::size_t element_bytes, std::size_t target) {
  Extents chunk = extents;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
    const hsize_t rest =
        element_bytes * product(extents.begin() + static_cast<std::ptrdiff_t>(axis) + 1, extents.end());
    chunk[axis] = std::clamp<hsize_t>(target / rest, 1, extents[axis]);
    if (chunk[axis] > 1 || rest <= target) break;
  }
  return chunk;
}

void write_chunks(const Handle& dataset, hid_t type, const Extents& extents, const Extents& size, const void* data) {
  const std::size_t element = H5Tget_size(type);
  const bool is_double = H5Tget_class(type) == H5T_FLOAT && element == sizeof(double);
  const std::size_t bytes = element * product(size.begin(), size.end());
  const std::vector<Chunk> chunks = chunks_of(extents, size);
  const auto fill = [&](int i) {
    const Chunk& chunk = chunks[static_cast<std::size_t>(i)];
    buffer.resize(bytes + sizeof(std::uint32_t));
    if (is_double)
      store(std::span(static_cast<const double*>(data) + chunk.first, chunk.count),
            reinterpret_cast<double*>(buffer.data()));
    else
      std::memcpy(buffer.data(), static_cast<const unsigned char*>(data) + element * chunk.first,
                  element * chunk.count);
    std::memset(buffer.data() + element * chunk.count, 0, buffer.size() - element * chunk.count);
    const std::uint32_t checksum = fletcher32(buffer.data(), bytes);
    std::memcpy(buffer.data() + bytes, &checksum, sizeof checksum);
  };
  const auto write = [&](int i) {
    const Chunk& chunk = chunks[static_cast<std::size_t>(i)];
    check_status(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, chunk.offset.data(), buffer.size(), buffer.data()),
                 "H5Dwrite_chunk");
  };
  parallel_in_order(static_cast<int>(chunks.size()), fill, write);
}

}  // namespace jostle::hdf5
