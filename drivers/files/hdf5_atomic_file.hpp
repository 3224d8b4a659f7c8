#pragma once
#include <filesystem>
#include <functional>
#include <string_view>

#include "drivers/files/atomic_file.hpp"
#include "drivers/files/hdf5.hpp"

namespace jostle::hdf5 {

/// A new file, complete or not at all (AtomicFile): `fill` writes into its root and leaves no handle open. Same
/// content, same bytes: no times are stored and the range of format versions is fixed. `kind` is AtomicFile's.
/// Throws FileError.
void write_atomically(const std::filesystem::path& path, std::string_view kind,
                      const std::function<void(hid_t root)>& fill);
/// The same in a new AtomicFile of `path`, but for AtomicFile::commit(), which uses no HDF5.
AtomicFile write_uncommitted(AtomicFile file, const std::filesystem::path& path,
                             const std::function<void(hid_t root)>& fill);

}  // namespace jostle::hdf5
