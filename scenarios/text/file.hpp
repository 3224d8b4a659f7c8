#pragma once
// The bytes of a file that a user names.
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace jostle {

/// what() is only the reason; the caller adds the name of the file.
struct UnreadableFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The first `most` bytes of a file. Throws UnreadableFile, also for a folder, which is not `what`, such as "a
/// scenario".
std::string bytes_of_file(const std::filesystem::path& path, std::string_view what,
                          std::size_t most = std::string::npos);

}  // namespace jostle
