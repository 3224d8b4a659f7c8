#pragma once
// XXH64 [Collet, "xxHash fast digest algorithm", 0.1.1]: a hash of 64 bits that is as fast as memory. It finds damaged
// and different data, but not those that somebody made to have the same hash.
#include <cstddef>
#include <cstdint>

namespace jostle {

/// With seed 0.
std::uint64_t xxh64(const void* data, std::size_t bytes);

}  // namespace jostle
