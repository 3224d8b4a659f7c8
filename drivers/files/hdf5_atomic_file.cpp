#include "drivers/files/hdf5_atomic_file.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "drivers/errors.hpp"
#include "drivers/files/hdf5_driver.hpp"

namespace jostle::hdf5 {
namespace {

/// Takes the library's bytes. HDF5 recovers badly from a full disk (with its own driver, the program crashes at exit),
/// so it never sees write errors: the first error is kept, and later calls do nothing.
struct Disk {
  AtomicFile file;
  std::exception_ptr error;

  template <class Action>
  void attempt(Action&& action) {
    if (error) return;
    try {
      action();
    } catch (...) {
      error = std::current_exception();
    }
  }
  void throw_error() const {
    if (error) std::rethrow_exception(error);
  }
};

/// What the library passes from its access properties to open().
struct Access {
  Disk* disk;
};

/// An open file of HDF5's virtual file layer: the bytes allocated (its "eoa") and written (its "eof").
struct OpenFile : H5FD_t {
  Disk* disk = nullptr;
  haddr_t allocated = 0, written = 0;
};

OpenFile& opened(H5FD_t* file) { return *static_cast<OpenFile*>(file); }
const OpenFile& opened(const H5FD_t* file) { return *static_cast<const OpenFile*>(file); }

H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
  auto* const file = new (std::nothrow) OpenFile;
  if (file) file->disk = static_cast<const Access*>(H5Pget_driver_info(access))->disk;
  return file;
}

herr_t close(H5FD_t* file) {
  delete &opened(file);
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return opened(file).allocated; }
haddr_t written(const H5FD_t* file, H5FD_mem_t) { return opened(file).written; }

herr_t allocate(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  opened(file).allocated = end;
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t bytes, void* data) {
  Disk& disk = *opened(file).disk;
  disk.attempt([&] { disk.file.read_at(at, data, bytes); });
  return disk.error ? -1 : 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t bytes, const void* data) {
  Disk& disk = *opened(file).disk;
  disk.attempt([&] { disk.file.write_at(at, data, bytes); });
  opened(file).written = std::max<haddr_t>(opened(file).written, at + bytes);
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  OpenFile& self = opened(file);
  if (self.written != self.allocated) self.disk->attempt([&] { self.disk->file.resize(self.allocated); });
  self.written = self.allocated;
  return 0;
}

/// Hold it until the file is closed: the library still reads the driver after it has released it.
Handle registered_driver() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are thrown, not printed
  H5FD_class_t driver = driver_class("jostle", 0);
  driver.fc_degree = H5F_CLOSE_SEMI;  // open handles: an error
  driver.fapl_size = sizeof(Access);
  driver.open = open;
  driver.close = close;
  driver.get_eoa = allocated;
  driver.set_eoa = allocate;
  driver.get_eof = written;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  return {H5FDregister(&driver), H5FDunregister, "H5FDregister"};
}

Handle create(const std::filesystem::path& path, hid_t driver, Disk& disk) {
  const Handle access = properties(H5P_FILE_ACCESS), creation = properties(H5P_FILE_CREATE);
  const Access info = {&disk};
  check_status(H5Pset_driver(access, driver, &info), "H5Pset_driver");
  check_status(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110), "H5Pset_libver_bounds");
  check_status(H5Pset_obj_track_times(creation, false), "H5Pset_obj_track_times");
  check_status(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
               "H5Pset_link_creation_order");
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "H5Fcreate"};
}

}  // namespace

AtomicFile write_uncommitted(AtomicFile file, const std::filesystem::path& path,
                             const std::function<void(hid_t root)>& fill) {
  Disk disk{std::move(file), nullptr};
  try {
    const Handle driver = registered_driver();
    Handle root = create(path, driver, disk);
    fill(root);
    root.close("H5Fclose");
  } catch (const Error& error) {
    disk.throw_error();
    throw FileError(path, error.what());
  }
  disk.throw_error();
  return std::move(disk.file);
}

void write_atomically(const std::filesystem::path& path, std::string_view kind,
                      const std::function<void(hid_t root)>& fill) {
  write_uncommitted(AtomicFile(path, kind), path, fill).commit();
}

}  // namespace jostle::hdf5
