#include "drivers/hdf5_memory_file.hpp"

#include <cstdlib>
#include <cstring>

namespace jostle::hdf5 {

/// The buffer of HDF5's "core" driver, kept when the driver would free it. (H5Fget_file_image would
/// copy it, with the flags of an open file and a checksum that is wrong without them.)
struct MemoryFile::Image {
  char* data = nullptr;
  std::size_t capacity = 0;

  static void* reallocate(void* data, std::size_t size, H5FD_file_image_op_t, void* self) {
    auto* image = static_cast<Image*>(self);
    void* moved = std::realloc(data, size);
    if (!moved) return nullptr;
    image->data = static_cast<char*>(moved);
    image->capacity = size;
    return moved;
  }
  static void* allocate(std::size_t size, H5FD_file_image_op_t operation, void* self) {
    return reallocate(nullptr, size, operation, self);
  }
  static void* copy(void* to, const void* from, std::size_t size, H5FD_file_image_op_t, void*) {
    return std::memcpy(to, from, size);
  }
  static herr_t keep(void*, H5FD_file_image_op_t, void*) { return 0; }
  static void* same(void* self) { return self; }
  static herr_t forget(void*) { return 0; }

  ~Image() { std::free(data); }
};

MemoryFile::MemoryFile() : image_(std::make_unique<Image>()) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are thrown, not printed
  const Handle access = properties(H5P_FILE_ACCESS), creation = properties(H5P_FILE_CREATE);
  constexpr std::size_t growth = 1 << 20;
  check_status(H5Pset_fapl_core(access, growth, /*backing_store=*/false), "H5Pset_fapl_core");
  H5FD_file_image_callbacks_t callbacks = {Image::allocate, Image::copy,   Image::reallocate, Image::keep,
                                           Image::same,     Image::forget, image_.get()};
  check_status(H5Pset_file_image_callbacks(access, &callbacks), "H5Pset_file_image_callbacks");
  check_status(H5Pset_fclose_degree(access, H5F_CLOSE_SEMI), "H5Pset_fclose_degree");  // open handles: an error
  check_status(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110), "H5Pset_libver_bounds");
  check_status(H5Pset_obj_track_times(creation, false), "H5Pset_obj_track_times");
  check_status(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
               "H5Pset_link_creation_order");
  file_ = Handle(H5Fcreate("in memory", H5F_ACC_TRUNC, creation, access), H5Fclose, "H5Fcreate");
}

MemoryFile::~MemoryFile() = default;

std::string_view MemoryFile::close() {
  file_.close("H5Fclose");
  // The buffer grows in steps. The size of the file is in its superblock (HDF5 file format 3.0, II.A,
  // versions 2 and 3: the end-of-file address, little-endian, at byte 28).
  std::uint64_t size = 0;
  if (image_->capacity < 48) throw Error("H5Fclose: no superblock");
  std::memcpy(&size, image_->data + 28, sizeof size);
  if (image_->data[8] < 2 || size > image_->capacity) throw Error("H5Fclose: a superblock of unknown version");
  return {image_->data, static_cast<std::size_t>(size)};
}

}  // namespace jostle::hdf5
