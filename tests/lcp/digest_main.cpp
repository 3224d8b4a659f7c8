// Prints the digest over 3000 LCPs; built several times with other flags, which must not change it.
#include <cinttypes>
#include <cstdio>

#include "tests/support/lcp_digest.hpp"

int main() { std::printf("lcp digest %016" PRIx64 "\n", jostle::LcpDigest().compute()); }
