#pragma once
// The project's own files as text, for tests of what stands in them.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace jostle::test {

struct SourceFile {
  std::string path;                ///< from the root of the project, e.g. "core/team.hpp"
  std::vector<std::string> lines;  ///< line i + 1 of the file

  std::string folder() const { return path.substr(0, path.find('/')); }
  std::string place(std::size_t line) const { return path + ":" + std::to_string(line + 1); }
};

inline SourceFile read_source_file(const std::filesystem::path& root, const std::filesystem::path& path) {
  SourceFile file{path.lexically_relative(root).generic_string(), {}};
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

/// Every file below the folders whose name ends in one of `endings`, in no particular order.
inline std::vector<SourceFile> source_files(const std::vector<std::string>& folders,
                                            const std::vector<std::string>& endings) {
  const std::filesystem::path root = JOSTLE_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    if (!std::filesystem::exists(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string name = entry.path().filename().string();
      bool wanted = false;
      for (const std::string& ending : endings) wanted = wanted || name.ends_with(ending);
      if (wanted && entry.is_regular_file()) files.push_back(read_source_file(root, entry.path()));
    }
  }
  return files;
}

inline const std::vector<std::string> code_endings = {".hpp", ".cpp", ".cu"};

/// The line without its // comment. (The project writes no /* */ and no // inside a string in core.)
inline std::string without_comment(const std::string& line) { return line.substr(0, line.find("//")); }

}  // namespace jostle::test
