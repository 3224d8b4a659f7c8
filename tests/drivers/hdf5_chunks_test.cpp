// Chunks that jostle converts and sums itself: the library reads them and checks their sums.
#include "drivers/datasets/hdf5_chunks.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "drivers/datasets/hdf5_atomic_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle::hdf5 {
namespace {

/// Values of a dataset after it was written, and after it was copied from one file to another.
template <class T>
void expect_kept(hid_t type, hid_t memory_type, const Extents& extents, const std::vector<T>& values) {
  const test::ScratchFolder folder;
  const auto a = folder.path() / "a.h5", b = folder.path() / "b.h5";
  write_atomically(a, "file", [&](hid_t file) { write_dataset(file, "x", type, extents, values.data()); });
  write_atomically(b, "file",
                   [&](hid_t file) { copy_dataset(file, "x", type, extents, open_for_reading(a.string()), "/x"); });
  for (const auto& path : {a, b}) {
    std::vector<T> again(values.size());
    read_dataset(open_for_reading(path.string()), "x", memory_type, again.data());
    EXPECT_EQ(again, values) << path;
  }
}

std::vector<double> doubles(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(i % 65521) - 0.25;
  return values;
}

TEST(Chunks, OfRowsAreReadBack) {
  expect_kept(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {300'001}, doubles(300'001));
  expect_kept(H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {700, 119, 2, 7}, doubles(700 * 119 * 2 * 7));
}

TEST(Chunks, OfPartsOfARowAreReadBack) {
  expect_kept(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {3, 20'000, 7}, doubles(3 * 20'000 * 7));
  expect_kept(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 2, 140'001}, doubles(2 * 2 * 140'001));
}

TEST(Chunks, OfBytesHaveAnOddNumberOfThem) {
  std::vector<std::uint8_t> values(3 * 700'001, 255);
  values[5] = 0, values.back() = 7;
  expect_kept(H5T_STD_U8LE, H5T_NATIVE_UINT8, {3, 700'001}, values);
}

// 0 and 65535 have the same remainder, but not the same checksum.
TEST(Chunks, OfZerosAndOfOnesAreReadBack) {
  for (const std::uint8_t value : {std::uint8_t{0}, std::uint8_t{255}})
    expect_kept(H5T_STD_U8LE, H5T_NATIVE_UINT8, {3'000'000}, std::vector<std::uint8_t>(3'000'000, value));
}

}  // namespace
}  // namespace jostle::hdf5
