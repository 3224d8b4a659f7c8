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

/// The first `most` bytes of a file, or of what a pipe has. Throws UnreadableFile, also for a folder, or for a device,
/// which may have no end: they are not `what`, such as "a scenario".
std::string bytes_of_file(const std::filesystem::path& path, std::string_view what,
                          std::size_t most = std::string::npos);

}  // namespace jostle
