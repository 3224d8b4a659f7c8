#include "scenarios/text/file.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace jostle {

std::string bytes_of_file(const std::filesystem::path& path, std::string_view what, std::size_t most) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  const auto refuse = [&](const char* kind) { throw UnreadableFile(kind + (", not " + std::string(what))); };
  if (std::filesystem::is_directory(status)) refuse("is a directory");
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status)) refuse("is a device");
  const auto fail = [] { throw UnreadableFile("cannot be read: " + std::generic_category().message(errno)); };
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail();
  constexpr std::size_t block = std::size_t{1} << 20;
  std::string bytes;
  while (file && bytes.size() < most) {
    const std::size_t before = bytes.size(), wanted = std::min(block, most - before);
    bytes.resize(before + wanted);
    file.read(bytes.data() + before, static_cast<std::streamsize>(wanted));
    bytes.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) fail();
  return bytes;
}

}  // namespace jostle
