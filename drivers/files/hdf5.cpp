#include "drivers/files/hdf5.hpp"

#include <fcntl.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "drivers/errors.hpp"
#include "drivers/files/hdf5_chunks.hpp"
#include "drivers/files/hdf5_reading.hpp"

namespace jostle::hdf5 {
namespace {

/// The innermost message on the library's error stack, which names the cause.
std::string library_reason() {
  std::string reason;
  const auto take_innermost = [](unsigned depth, const H5E_error2_t* error, void* text) -> herr_t {
    if (depth == 0 && error->desc) *static_cast<std::string*>(text) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, &reason);
  return reason.empty() ? "unknown reason" : reason;
}

Handle space_of(const Extents& extents) {
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose, "H5Screate_simple"};
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"}; }

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  check_status(H5Tset_size(type, H5T_VARIABLE), "H5Tset_size");
  check_status(H5Tset_cset(type, H5T_CSET_UTF8), "H5Tset_cset");
  return type;
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

void write_attribute(hid_t object, const char* name, hid_t file_type, hid_t memory_type, const Handle& space,
                     const void* data) {
  const Handle attribute(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "H5Acreate2");
  check_status(H5Awrite(attribute, memory_type, data), "H5Awrite");
}

void read_scalar(hid_t object, const char* name, hid_t memory_type, void* value) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "H5Aopen");
  const Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
  if (H5Sget_simple_extent_npoints(space) != 1) throw Error(std::string("attribute ") + name + " is not one number");
  check_status(H5Aread(attribute, memory_type, value), "H5Aread");
}

bool is_empty(const Extents& extents) { return std::find(extents.begin(), extents.end(), hsize_t{0}) != extents.end(); }

/// Creation properties without a time stamp.
Handle dataset_properties() {
  Handle list = properties(H5P_DATASET_CREATE);
  check_status(H5Pset_obj_track_times(list, false), "H5Pset_obj_track_times");
  return list;
}

Handle create_dataset(hid_t parent, const char* name, hid_t type, const Extents& extents, const Handle& creation) {
  return {H5Dcreate2(parent, name, type, space_of(extents), H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
          "H5Dcreate2"};
}

/// Rows whose file is missing read as NaN, status 255, or -1.
void set_fill_value(const Handle& creation, hid_t type) {
  const double undefined = std::numeric_limits<double>::quiet_NaN();
  const std::uint8_t not_run = 255;
  const std::int64_t none = -1;
  const bool is_float = H5Tget_class(type) == H5T_FLOAT, is_byte = H5Tget_size(type) == 1;
  check_status(is_float  ? H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &undefined)
               : is_byte ? H5Pset_fill_value(creation, H5T_NATIVE_UINT8, &not_run)
                         : H5Pset_fill_value(creation, H5T_NATIVE_INT64, &none),
               "H5Pset_fill_value");
}

}  // namespace

hid_t check(hid_t result, const char* call) {
  if (result < 0) throw Error(std::string(call) + ": " + library_reason());
  return result;
}

void check_status(herr_t result, const char* call) { check(result, call); }

Handle properties(hid_t list_class) { return {H5Pcreate(list_class), H5Pclose, "H5Pcreate"}; }

Handle open_for_reading(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(path, "cannot be opened: " + system_reason(errno));
  ::close(descriptor);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle access = reading_properties();
  // Finished files never change; and some network file systems cannot lock.
  check_status(H5Pset_file_locking(access, false, true), "H5Pset_file_locking");
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "H5Fopen"};
}

Handle create_group(hid_t parent, const char* name) {
  const Handle creation = properties(H5P_GROUP_CREATE);
  check_status(H5Pset_obj_track_times(creation, false), "H5Pset_obj_track_times");
  check_status(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
               "H5Pset_link_creation_order");
  return {H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, "H5Gcreate2"};
}

Handle open_group(hid_t parent, const char* name) {
  return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, "H5Gopen2"};
}

bool exists(hid_t parent, const char* name) { return check(H5Lexists(parent, name, H5P_DEFAULT), "H5Lexists") > 0; }

Handle write_dataset(hid_t parent, const char* name, hid_t type, const Extents& extents, const void* data) {
  const Handle creation = dataset_properties();
  const bool has_data = !is_empty(extents);  // the library has no chunks without elements
  const Extents chunk = has_data ? chunk_of(extents, H5Tget_size(type)) : Extents{};
  if (has_data) {
    check_status(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), "H5Pset_chunk");
    check_status(H5Pset_fletcher32(creation), "H5Pset_fletcher32");
  }
  Handle dataset = create_dataset(parent, name, type, extents, creation);
  if (has_data) write_chunks(dataset, type, extents, chunk, data);
  return dataset;
}

Handle write_dimension(hid_t parent, const char* name, hsize_t extent) {
  Handle dataset = create_dataset(parent, name, H5T_IEEE_F32BE, {extent}, dataset_properties());
  char label[80];  // the words that the netCDF library looks for
  std::snprintf(label, sizeof label, "This is a netCDF dimension but not a netCDF variable.%10llu",
                static_cast<unsigned long long>(extent));
  make_scale(dataset, label);
  return dataset;
}

Handle write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts) {
  const Handle type = text_type();
  Handle dataset = create_dataset(parent, name, type, {texts.size()}, dataset_properties());
  check_status(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers_to(texts).data()), "H5Dwrite");
  return dataset;
}

void set_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = text_type();
  const char* data = text.c_str();
  write_attribute(object, name, type, type, scalar_space(), &data);
}

void set_attribute(hid_t object, const char* name, const std::vector<std::string>& texts) {
  const Handle type = text_type();
  write_attribute(object, name, type, type, space_of({texts.size()}), pointers_to(texts).data());
}

void set_attribute(hid_t object, const char* name, std::int64_t value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, scalar_space(), &value);
}

void set_attribute(hid_t object, const char* name, std::uint64_t value) {
  write_attribute(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, scalar_space(), &value);
}

void set_attribute(hid_t object, const char* name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar_space(), &value);
}

void set_attribute(hid_t object, const char* name, std::span<const std::uint8_t> values) {
  write_attribute(object, name, H5T_STD_U8LE, H5T_NATIVE_UINT8, space_of({values.size()}), values.data());
}

std::string text_attribute(hid_t object, const char* name) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "H5Aopen");
  const Handle type(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
  if (H5Tis_variable_str(type) <= 0) throw Error(std::string("attribute ") + name + " is not a text");
  char* data = nullptr;
  check_status(H5Aread(attribute, type, &data), "H5Aread");
  std::string text = data ? data : "";
  H5free_memory(data);
  return text;
}

std::int64_t integer_attribute(hid_t object, const char* name) {
  std::int64_t value = 0;
  read_scalar(object, name, H5T_NATIVE_INT64, &value);
  return value;
}

std::uint64_t unsigned_attribute(hid_t object, const char* name) {
  std::uint64_t value = 0;
  read_scalar(object, name, H5T_NATIVE_UINT64, &value);
  return value;
}

void make_scale(hid_t dataset, const char* name) { check_status(H5DSset_scale(dataset, name), "H5DSset_scale"); }

void attach_scale(hid_t dataset, hid_t scale, unsigned axis) {
  check_status(H5DSattach_scale(dataset, scale, axis), "H5DSattach_scale");
}

Extents extents_of(hid_t parent, const char* name) {
  const Handle dataset(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose, "H5Dopen2");
  const Handle space(H5Dget_space(dataset), H5Sclose, "H5Dget_space");
  const hid_t rank = check(H5Sget_simple_extent_ndims(space), "H5Sget_simple_extent_ndims");
  Extents extents(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space, extents.data(), nullptr), "H5Sget_simple_extent_dims");
  return extents;
}

void read_dataset(hid_t parent, const char* name, hid_t memory_type, void* data) {
  const Handle dataset(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose, "H5Dopen2");
  check_status(H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "H5Dread");
}

Handle write_virtual(hid_t parent, const char* name, const std::string& path, hid_t type, const Extents& extents,
                     const std::vector<Source>& sources) {
  if (is_empty(extents)) return write_dataset(parent, name, type, extents, nullptr);
  const Handle creation = dataset_properties(), whole = space_of(extents);
  set_fill_value(creation, type);
  Extents start(extents.size(), 0), piece = extents;
  for (const Source& source : sources) {
    if (source.rows == 0) continue;
    piece[0] = source.rows;
    check_status(H5Sselect_hyperslab(whole, H5S_SELECT_SET, start.data(), nullptr, piece.data(), nullptr),
                 "H5Sselect_hyperslab");
    Extents source_extents = extents;
    source_extents[0] = source.source_rows;
    const Handle rows = space_of(source_extents);
    const Extents origin(extents.size(), 0);
    check_status(H5Sselect_hyperslab(rows, H5S_SELECT_SET, origin.data(), nullptr, piece.data(), nullptr),
                 "H5Sselect_hyperslab");
    check_status(H5Pset_virtual(creation, whole, source.file.c_str(), path.c_str(), rows), "H5Pset_virtual");
    start[0] += source.rows;
  }
  return create_dataset(parent, name, type, extents, creation);
}

}  // namespace jostle::hdf5
