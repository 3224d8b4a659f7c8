#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "drivers/files/atomic_file.hpp"

namespace jostle::test {

/// The bytes of all files in a folder and below, by their names relative to it; but not the logs of jobs, which are no
/// part of a dataset.
inline std::map<std::string, std::string> content_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().parent_path().filename() != ".jobs")
      content[entry.path().lexically_relative(folder).string()] = read_text_file(entry.path());
  return content;
}

}  // namespace jostle::test
