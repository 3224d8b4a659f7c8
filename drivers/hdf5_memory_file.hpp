#pragma once
#include <memory>
#include <string_view>

#include "drivers/hdf5.hpp"

namespace jostle::hdf5 {

/// A file that HDF5 builds in memory. The library recovers badly from a full disk, so it never touches
/// one: the finished bytes are written by AtomicFile. Same content, same bytes: no times are stored and
/// the range of format versions is fixed.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();

  // NOLINTNEXTLINE(google-explicit-constructor): it stands where HDF5's functions want the number
  operator hid_t() const { return file_; }

  /// Closes the file, to which no other handle may be open, and gives its bytes, which live as long
  /// as this object. Throws Error.
  std::string_view close();

 private:
  struct Image;
  std::unique_ptr<Image> image_;
  Handle file_;
};

}  // namespace jostle::hdf5
