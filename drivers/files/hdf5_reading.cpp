#include "drivers/files/hdf5_reading.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/files/hdf5_driver.hpp"

namespace jostle::hdf5 {
namespace {

using Bytes = std::vector<unsigned char>;

/// An open file of HDF5's virtual file layer.
struct FileToRead : H5FD_t {
  int descriptor = -1;
  haddr_t size = 0, end = 0;  ///< `end`: where the library thinks that it ends
};

FileToRead& to_read(H5FD_t* file) { return *static_cast<FileToRead*>(file); }
const FileToRead& to_read(const H5FD_t* file) { return *static_cast<const FileToRead*>(file); }

/// Says why a call of the library fails.
void push_reason(const char* reason) {
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_VFL, H5E_READERROR, "%s", reason);
}

/// As many bytes as the file has from `at` on; the others are 0. False: an error of the disk, errno.
bool read_bytes(const FileToRead& file, haddr_t at, void* data, std::size_t bytes) {
  auto* const begin = static_cast<unsigned char*>(data);
  std::size_t got = 0;
  while (got < bytes) {
    const ssize_t count = ::pread(file.descriptor, begin + got, bytes - got, static_cast<off_t>(at + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  std::fill(begin + got, begin + bytes, static_cast<unsigned char>(0));
  return true;
}

// A collection is "GCOL", a version, and its own size, followed by objects: a number, a count of references, and a
// size, in 16 bytes, then the data, filled up to a multiple of 8. Object 0 is what is free; its size includes its
// header.
constexpr std::array<unsigned char, 8> collection_begin = {'G', 'C', 'O', 'L', 1, 0, 0, 0};
constexpr std::size_t header_bytes = 16, alignment = 8;

template <class Number>
Number number_at(const unsigned char* data) {
  Number number;
  std::memcpy(&number, data, sizeof number);
  return number;
}

/// Whether the numbers of the objects ascend, as the library gives them, and the objects fill the collection exactly.
/// Texts do not end in 0.
bool is_sound(const Bytes& collection) {
  std::size_t at = header_bytes;
  for (unsigned before = 0; collection.size() - at >= header_bytes;) {
    const unsigned char* const object = collection.data() + at;
    const unsigned number = number_at<std::uint16_t>(object);
    const auto bytes = number_at<std::uint64_t>(object + alignment);
    const std::size_t left = collection.size() - at;
    if (number == 0) return bytes == left;
    if (number <= before || bytes > left - header_bytes) return false;
    if (bytes % alignment != 0 && object[header_bytes + bytes - 1] == 0) return false;
    at += header_bytes + (bytes + alignment - 1) / alignment * alignment;
    if (at > collection.size()) return false;
    before = number;
  }
  return true;
}

/// Of the collection at `at`, whose first bytes are `header`.
bool is_sound_collection(const FileToRead& file, haddr_t at, const unsigned char* header) {
  const auto bytes = number_at<std::uint64_t>(header + alignment);
  if (bytes < header_bytes || bytes % alignment != 0 || at > file.size || bytes > file.size - at) return false;
  Bytes collection(bytes);
  return read_bytes(file, at, collection.data(), collection.size()) && is_sound(collection);
}

/// Numbers never begin like that: as one, it would be 2.7e-314.
bool begins_collection(const void* data, std::size_t bytes) {
  return bytes >= header_bytes && std::memcmp(data, collection_begin.data(), collection_begin.size()) == 0;
}

H5FD_t* open_to_read(const char* name, unsigned, hid_t, haddr_t) {
  auto* const file = new (std::nothrow) FileToRead;
  if (!file) return nullptr;
  file->descriptor = ::open(name, O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (file->descriptor >= 0 && ::fstat(file->descriptor, &status) == 0) {
    file->size = static_cast<haddr_t>(status.st_size);
    return file;
  }
  push_reason(system_reason(errno).c_str());
  if (file->descriptor >= 0) ::close(file->descriptor);
  delete file;
  return nullptr;
}

herr_t close_read(H5FD_t* file) {
  ::close(to_read(file).descriptor);
  delete &to_read(file);
  return 0;
}

haddr_t end_to_read(const H5FD_t* file, H5FD_mem_t) { return to_read(file).end; }
haddr_t size_to_read(const H5FD_t* file, H5FD_mem_t) { return to_read(file).size; }

herr_t set_end_to_read(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  to_read(file).end = end;
  return 0;
}

herr_t read_checked_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t bytes, void* data) {
  const FileToRead& self = to_read(file);
  if (!read_bytes(self, at, data, bytes)) {
    push_reason(system_reason(errno).c_str());
    return -1;
  }
  if (!begins_collection(data, bytes) || is_sound_collection(self, at, static_cast<unsigned char*>(data))) return 0;
  push_reason("texts of attributes are damaged");
  return -1;
}

herr_t write_nothing(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, const void*) { return -1; }

hid_t register_reading_driver() {
  H5FD_class_t driver = driver_class("jostle_reading", 1);
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.open = open_to_read;
  driver.close = close_read;
  driver.get_eoa = end_to_read;
  driver.set_eoa = set_end_to_read;
  driver.get_eof = size_to_read;
  driver.read = read_checked_bytes;
  driver.write = write_nothing;
  return check(H5FDregister(&driver), "H5FDregister");
}

}  // namespace

Handle reading_properties() {
  static const hid_t driver = register_reading_driver();  // open files need it, so it stays until the program ends
  Handle access = properties(H5P_FILE_ACCESS);
  check_status(H5Pset_driver(access, driver, nullptr), "H5Pset_driver");
  return access;
}

}  // namespace jostle::hdf5
