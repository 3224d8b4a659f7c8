// Coverage-guided fuzzer of the chunks of datasets (clang, -fsanitize=fuzzer).
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/chunks_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT: libFuzzer's name
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string fault = jostle::test::fault_of_chunk_bytes(bytes);
  if (!fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
