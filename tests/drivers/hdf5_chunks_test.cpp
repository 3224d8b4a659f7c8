// Chunks that jostle converts and sums itself: the library reads them and checks their sums.
#include "drivers/files/hdf5_chunks.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "drivers/datasets/record_array.hpp"
#include "drivers/files/hdf5_atomic_file.hpp"
#include "tests/fuzz/chunks_target.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle::hdf5 {
namespace {

/// Values of a dataset after it was written.
template <class T>
std::vector<T> read_back(hid_t type, hid_t memory_type, const Extents& extents, const std::vector<T>& values) {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "a.h5";
  write_atomically(path, "file", [&](hid_t file) { write_dataset(file, "x", type, extents, values.data()); });
  std::vector<T> again(values.size());
  read_dataset(open_for_reading(path.string()), "x", memory_type, again.data());
  return again;
}

template <class T>
void expect_kept(hid_t type, hid_t memory_type, const Extents& extents, const std::vector<T>& values) {
  EXPECT_EQ(read_back(type, memory_type, extents, values), values);
}

std::vector<double> doubles(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(i % 65521) - 0.25;
  return values;
}

TEST(Chunks, OfRowsAreReadBack) {
  expect_kept(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {300'001}, doubles(300'001));
  const std::vector<double> values = doubles(700 * 119 * 2 * 7);
  expect_kept(H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {700, 119, 2, 7}, std::vector<float>(values.begin(), values.end()));
}

TEST(Chunks, OfPartsOfARowAreReadBack) {
  expect_kept(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {3, 20'000, 7}, doubles(3 * 20'000 * 7));
  expect_kept(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {2, 2, 140'001}, doubles(2 * 2 * 140'001));
}

// One sample of many states: the first dimension tells nothing about where chunks divide.
TEST(Chunks, OfOneLongSampleAreReadBack) {
  for (const Extents& extents : {Extents{1, 10'001, 2, 7}, Extents{1, 1, 140'001}, Extents{1, 140'001, 1, 1},
                                 Extents{2, 1, 140'001}, Extents{1, 3, 1, 140'001}})
    expect_kept(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, extents,
                doubles(std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>())));
}

TEST(Chunks, OfAllSmallShapesAreReadBack) {
  int shapes = 0;
  for (int rank = 1; rank <= 4; ++rank) {
    const int largest = rank < 4 ? 4 : 3;
    Extents extents(static_cast<std::size_t>(rank), 1);
    for (bool more = true; more;) {
      for (const std::size_t target : {8, 16, 24, 64, 100}) {
        ASSERT_EQ(test::fault_of_chunks(true, extents, target), "");
        ++shapes;
      }
      more = false;
      for (hsize_t& extent : extents) {
        more = extent < static_cast<hsize_t>(largest);
        extent = more ? extent + 1 : 1;
        if (more) break;
      }
    }
  }
  EXPECT_EQ(shapes, 5 * (4 + 16 + 64 + 81));
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

TEST(Chunks, HaveOneNanWhateverNanTheyWereGiven) {
  std::vector<double> values = doubles(200'000);
  values[3] = -std::numeric_limits<double>::quiet_NaN();
  values.back() = std::bit_cast<double>(0x7FF8000000000123ull);
  const std::vector<double> again = read_back(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {200'000}, values);
  for (const double nan : {again[3], again.back()}) EXPECT_EQ(std::bit_cast<std::uint64_t>(nan), 0x7FF8000000000000ull);
  const RealArray rounded(true, values);
  const std::vector<float> single = read_back(
      H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {200'000},
      rounded.visit([&](const auto* numbers) { return std::vector<float>(numbers, numbers + rounded.size()); }));
  for (const float nan : {single[3], single.back()}) EXPECT_EQ(std::bit_cast<std::uint32_t>(nan), 0x7FC00000u);
}

}  // namespace
}  // namespace jostle::hdf5
