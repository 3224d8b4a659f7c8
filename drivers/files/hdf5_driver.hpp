#pragma once
// What our drivers of HDF5's virtual file layer have in common.
#include <H5FDpublic.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>  // from HDF5 1.13 on
#endif

#include <algorithm>
#include <iterator>

namespace jostle::hdf5 {

/// A driver without its functions for files. Its features are those of the library's drivers for disk and memory; the
/// layout of a file depends on them. `number`: of our driver.
inline H5FD_class_t driver_class(const char* name, [[maybe_unused]] int number) {
  H5FD_class_t driver = {};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + number);
#endif
  driver.name = name;
  driver.maxaddr = HADDR_MAX / 2;
  driver.query = [](const H5FD_t*, unsigned long* features) -> herr_t {
    *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
  };
  constexpr H5FD_mem_t pieces[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(pieces), std::end(pieces), driver.fl_map);
  return driver;
}

}  // namespace jostle::hdf5
