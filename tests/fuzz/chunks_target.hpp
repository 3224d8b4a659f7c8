#pragma once
// What must hold for chunks of data of any shape: used by the fuzzer, and by a test that tries all small shapes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/files/hdf5_chunks.hpp"

namespace jostle::test {

/// The data come back, checked by the library, from chunks of about `target` bytes, and there are as many chunks as the
/// library counts. What is wrong; empty if nothing. The file is in memory.
template <class T>
std::string fault_of_chunks(hid_t type, hid_t memory_type, const hdf5::Extents& extents, std::size_t target) {
  hsize_t count = 1;
  for (const hsize_t extent : extents) count *= extent;
  std::vector<T> values(count), again(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i % 251 + 1);

  const hdf5::Extents size = hdf5::chunk_of(extents, sizeof(T), target);
  const int rank = static_cast<int>(extents.size());
  const hdf5::Handle access = hdf5::properties(H5P_FILE_ACCESS), creation = hdf5::properties(H5P_DATASET_CREATE);
  hdf5::check_status(H5Pset_fapl_core(access, 1 << 16, false), "H5Pset_fapl_core");
  const hdf5::Handle file(H5Fcreate("chunks.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "H5Fcreate");
  const hdf5::Handle space(H5Screate_simple(rank, extents.data(), nullptr), H5Sclose, "H5Screate_simple");
  hdf5::check_status(H5Pset_chunk(creation, rank, size.data()), "H5Pset_chunk");
  hdf5::check_status(H5Pset_fletcher32(creation), "H5Pset_fletcher32");
  const hdf5::Handle dataset(H5Dcreate2(file, "x", type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
                             "H5Dcreate2");
  hdf5::write_chunks(dataset, type, extents, size, values.data());

  hsize_t expected = 1, written = 0;
  for (std::size_t k = 0; k < extents.size(); ++k) expected *= (extents[k] + size[k] - 1) / size[k];
  hdf5::check_status(H5Dget_num_chunks(dataset, space, &written), "H5Dget_num_chunks");
  hdf5::check_status(H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, again.data()), "H5Dread");
  std::string shape;
  for (const hsize_t extent : extents) shape += std::to_string(extent) + " ";
  shape += "in chunks of " + std::to_string(target) + " bytes";
  if (written != expected) return shape + ": " + std::to_string(written) + " chunks";
  return again == values ? "" : shape + ": other values";
}

inline std::string fault_of_chunks(bool doubles, const hdf5::Extents& extents, std::size_t target) {
  return doubles ? fault_of_chunks<double>(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, extents, target)
                 : fault_of_chunks<std::uint8_t>(H5T_STD_U8LE, H5T_NATIVE_UINT8, extents, target);
}

/// Bytes as a type, a target and up to five extents whose product is at most 2^16.
inline std::string fault_of_chunk_bytes(std::string_view bytes) {
  if (bytes.size() < 4) return {};
  const auto number = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::size_t target = 1 + number(1) + std::size_t{256} * number(2);
  hdf5::Extents extents;
  hsize_t room = 1 << 16;
  for (std::size_t i = 3; i < bytes.size() && extents.size() < 5; ++i) {
    extents.push_back(std::min<hsize_t>(1 + number(i), room));
    room /= extents.back();
  }
  return fault_of_chunks(number(0) % 2 == 0, extents, target);
}

}  // namespace jostle::test
