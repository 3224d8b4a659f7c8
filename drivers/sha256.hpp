#pragma once
// SHA-256 (FIPS 180-4): identities of scenarios and tables, and content digests of shards.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace jostle {

class Sha256 {
 public:
  Sha256();
  void update(const void* data, std::size_t bytes);
  /// 64 lower-case hexadecimal digits. The object takes no more data afterwards.
  std::string hex();

 private:
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_;
  std::array<unsigned char, 64> block_{};  ///< the incomplete block
  std::size_t filled_ = 0;                 ///< bytes in block_
  std::uint64_t length_ = 0;               ///< bytes so far
};

std::string sha256_hex(std::string_view text);

/// Reads the file in pieces. Throws FileError.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace jostle
