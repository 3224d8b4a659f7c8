#include "drivers/datasets/hdf5_chunks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <numeric>

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

/// visit(chunk) for all but the last chunk, in the order of the data; returns the last one. Chunks divide one
/// dimension; before it they have one entry, behind it all.
Chunk for_each_but_the_last(const Extents& extents, const Extents& size, const auto& visit) {
  std::size_t axis = 0;
  while (axis + 1 < size.size() && size[axis] == 1 && extents[axis] > 1) ++axis;
  const auto divided = extents.begin() + static_cast<std::ptrdiff_t>(axis);
  const hsize_t rest = product(divided + 1, extents.end()), all = product(extents.begin(), extents.end());
  Chunk chunk;
  for (;;) {
    chunk.count = std::min(size[axis], extents[axis] - chunk.offset[axis]) * rest;
    if (chunk.first + chunk.count == all) return chunk;
    visit(chunk);
    chunk.first += chunk.count;
    chunk.offset[axis] += size[axis];
    if (chunk.offset[axis] < extents[axis]) continue;
    chunk.offset[axis] = 0;
    for (std::size_t k = axis; k-- > 0 && ++chunk.offset[k] == extents[k];) chunk.offset[k] = 0;
  }
}

/// The elements of a chunk that are in the data.
Handle select(const Chunk& chunk, const Extents& extents, const Extents& size) {
  Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose,
               "H5Screate_simple");
  Extents count = size;
  for (std::size_t k = 0; k < count.size(); ++k) count[k] = std::min(size[k], extents[k] - chunk.offset[k]);
  check_status(H5Sselect_hyperslab(space, H5S_SELECT_SET, chunk.offset.data(), nullptr, count.data(), nullptr),
               "H5Sselect_hyperslab");
  return space;
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

}  // namespace

Extents chunk_of(const Extents& extents, std::size_t element_bytes) {
  constexpr hsize_t target = 1 << 20;
  Extents chunk = extents;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
    const hsize_t rest =
        element_bytes * product(extents.begin() + static_cast<std::ptrdiff_t>(axis) + 1, extents.end());
    chunk[axis] = std::clamp<hsize_t>(target / rest, 1, extents[axis]);
    if (chunk[axis] > 1 || rest <= target) break;
  }
  return chunk;
}

// The library keeps one chunk and writes it when the dataset is closed, behind the attributes. The last one is left to
// it, so that files have the bytes that the library alone would give them.
void write_chunks(const Handle& dataset, hid_t type, const Extents& extents, const Extents& size, const void* data) {
  const bool is_real = H5Tget_class(type) == H5T_FLOAT, narrows = is_real && H5Tget_size(type) == sizeof(float);
  const std::size_t element = H5Tget_size(type), bytes = element * product(size.begin(), size.end());
  std::vector<unsigned char> buffer(bytes + sizeof(std::uint32_t));
  const auto write = [&](const Chunk& chunk) {
    if (narrows) {
      const double* const from = static_cast<const double*>(data) + chunk.first;
      auto* const to = reinterpret_cast<float*>(buffer.data());
      for (hsize_t i = 0; i < chunk.count; ++i) to[i] = static_cast<float>(from[i]);
    } else {
      std::memcpy(buffer.data(), static_cast<const unsigned char*>(data) + element * chunk.first,
                  element * chunk.count);
    }
    std::memset(buffer.data() + element * chunk.count, 0, buffer.size() - element * chunk.count);
    const std::uint32_t checksum = fletcher32(buffer.data(), bytes);
    std::memcpy(buffer.data() + bytes, &checksum, sizeof checksum);
    check_status(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, chunk.offset.data(), buffer.size(), buffer.data()),
                 "H5Dwrite_chunk");
  };
  const Handle last = select(for_each_but_the_last(extents, size, write), extents, size);
  check_status(H5Dwrite(dataset, is_real ? H5T_IEEE_F64LE : type, last, last, H5P_DEFAULT, data), "H5Dwrite");
}

void copy_chunks(hid_t from, const Handle& to, hid_t type, const Extents& extents, const Extents& size) {
  std::vector<std::byte> buffer;
  const auto copy = [&](const Chunk& chunk) {
    hsize_t bytes = 0;
    std::uint32_t filters = 0;
    check_status(H5Dget_chunk_storage_size(from, chunk.offset.data(), &bytes), "H5Dget_chunk_storage_size");
    buffer.resize(bytes);
    check_status(H5Dread_chunk(from, H5P_DEFAULT, chunk.offset.data(), &filters, buffer.data()), "H5Dread_chunk");
    check_status(H5Dwrite_chunk(to, H5P_DEFAULT, filters, chunk.offset.data(), bytes, buffer.data()), "H5Dwrite_chunk");
  };
  const Chunk end = for_each_but_the_last(extents, size, copy);
  const Handle last = select(end, extents, size);
  const Handle memory(H5Screate_simple(1, &end.count, nullptr), H5Sclose, "H5Screate_simple");
  buffer.resize(H5Tget_size(type) * end.count);
  check_status(H5Dread(from, type, memory, last, H5P_DEFAULT, buffer.data()), "H5Dread");
  check_status(H5Dwrite(to, type, memory, last, H5P_DEFAULT, buffer.data()), "H5Dwrite");
}

}  // namespace jostle::hdf5
