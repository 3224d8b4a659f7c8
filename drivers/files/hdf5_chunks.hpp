#pragma once
// Chunks of datasets as they lie in a file, with their checksums. The library would make the same, with more copies and
// on one thread.
#include "drivers/files/hdf5.hpp"

namespace jostle::hdf5 {

/// Chunks of about `target` bytes, which divide one dimension: behind it they have all entries, before it one. No
/// extent may be 0.
Extents chunk_of(const Extents& extents, std::size_t element_bytes, std::size_t target = std::size_t{1} << 20);

/// Writes all data of a dataset with chunks of this size, of chunk_of, and the filter fletcher32 alone, by all threads;
/// the library is called by one at a time. The data have the type `type` of the file; every NaN of doubles becomes the
/// same.
void write_chunks(const Handle& dataset, hid_t type, const Extents& extents, const Extents& size, const void* data);

}  // namespace jostle::hdf5
