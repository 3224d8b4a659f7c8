#pragma once
#include "drivers/files/hdf5.hpp"

namespace jostle::hdf5 {

/// Properties for opening a file whose texts can be read even if it is damaged.
///
/// The library keeps the texts of attributes in collections of its global heap. It has no checksums there and believes
/// what they say of the sizes of their objects: one wrong bit, and it writes into other memory or never comes back. So
/// all reading is done by a driver of the library's virtual file layer that looks at every collection first.
Handle reading_properties();

}  // namespace jostle::hdf5
