#pragma once
// The small part of the HDF5 C library that datasets need: every call is checked, every handle closed.
// Debian's build of HDF5 is not thread-safe: only one thread of the program may use it.
#include <hdf5.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace jostle::hdf5 {

/// A call of the library failed; names the call and the library's reason. Functions that know the
/// file turn it into a FileError.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Error unless `result`, an identifier or status of the library, is a success.
hid_t check(hid_t result, const char* call);
void check_status(herr_t result, const char* call);

/// Owns an identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close closer, const char* call) : id_(check(id, call)), close_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  // NOLINTNEXTLINE(google-explicit-constructor): passed where HDF5's functions expect the number
  operator hid_t() const { return id_; }
  /// Closes now; throws Error if that fails.
  void close(const char* call) { check_status(close_(std::exchange(id_, -1)), call); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// A property list of the given class.
Handle properties(hid_t list_class);

/// The type in files (little-endian, whatever the machine) of an element of a column.
inline hid_t file_type(const double*) { return H5T_IEEE_F64LE; }
inline hid_t file_type(const float*) { return H5T_IEEE_F32LE; }
inline hid_t file_type(const std::int64_t*) { return H5T_STD_I64LE; }
inline hid_t file_type(const std::int32_t*) { return H5T_STD_I32LE; }
inline hid_t file_type(const std::uint8_t*) { return H5T_STD_U8LE; }

using Extents = std::vector<hsize_t>;

/// Throws FileError if the system does not open it.
Handle open_for_reading(const std::string& path);

/// A group that keeps the order in which its members were created.
Handle create_group(hid_t parent, const char* name);
Handle open_group(hid_t parent, const char* name);
bool exists(hid_t parent, const char* name);

/// A dataset with all its data, checksummed (fletcher32), not compressed. An extent may be 0. Real numbers
/// are doubles in memory, whatever their type in the file, where all NaNs are equal.
Handle write_dataset(hid_t parent, const char* name, hid_t type, const Extents& extents, const void* data);
/// A scale for a dimension without coordinates, as netCDF has them.
Handle write_dimension(hid_t parent, const char* name, hsize_t extent);
/// A one-dimensional dataset of texts.
Handle write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts);

void set_attribute(hid_t object, const char* name, const std::string& text);
void set_attribute(hid_t object, const char* name, const std::vector<std::string>& texts);
void set_attribute(hid_t object, const char* name, std::int64_t value);
void set_attribute(hid_t object, const char* name, std::uint64_t value);
void set_attribute(hid_t object, const char* name, double value);
void set_attribute(hid_t object, const char* name, std::span<const std::uint8_t> values);

std::string text_attribute(hid_t object, const char* name);
std::int64_t integer_attribute(hid_t object, const char* name);
std::uint64_t unsigned_attribute(hid_t object, const char* name);

/// Makes a one-dimensional dataset a dimension scale, or gives `dataset` one for its dimension `axis`.
void make_scale(hid_t dataset, const char* name);
void attach_scale(hid_t dataset, hid_t scale, unsigned axis);

Extents extents_of(hid_t parent, const char* name);
/// Reads a whole dataset; `data` must hold it.
void read_dataset(hid_t parent, const char* name, hid_t memory_type, void* data);

/// A piece of a virtual dataset: the first `rows` rows of `dataset` in `file` (relative to the folder
/// of the virtual dataset's file), which has `source_rows` rows.
struct Source {
  std::string file;
  hsize_t rows = 0, source_rows = 0;
};
/// A dataset whose rows are those of `sources`, in order. `path` is the name of the dataset in all of
/// them; `extents` are those of the whole. Rows whose file is missing are NaN, -1, or 255 in bytes.
Handle write_virtual(hid_t parent, const char* name, const std::string& path, hid_t type, const Extents& extents,
                     const std::vector<Source>& sources);

}  // namespace jostle::hdf5
