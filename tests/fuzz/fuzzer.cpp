// Coverage-guided fuzzer (clang, -fsanitize=fuzzer) of the target in JOSTLE_TARGET_HEADER, a function from bytes to
// what is wrong with what became of them; empty if nothing.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include JOSTLE_TARGET_HEADER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT: libFuzzer's name
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string fault = jostle::test::JOSTLE_TARGET(bytes);
  if (!fault.empty()) {
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
  }
  return 0;
}
