#pragma once
// Results of checks of GPUs, stored in the user's cache folder: a file for each device, driver, program and structure
// of scenarios.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "drivers/devices/device_check.hpp"

namespace jostle {

/// What a finding applies to, as an object of texts. The program is its version, size and time of modification: a hash
/// of its hundred megabytes would take longer than the check.
nlohmann::ordered_json finding_key(const DeviceInfo& gpu, unsigned kinds, const Model& model);

/// $XDG_CACHE_HOME/jostle or ~/.cache/jostle; nothing if neither variable is an absolute path.
std::optional<std::filesystem::path> cache_folder();

/// The file of one key. A file that cannot be read, is damaged or belongs to another key counts as absent. If it cannot
/// be written, the next sweep checks again.
class FindingFile {
 public:
  explicit FindingFile(nlohmann::ordered_json key);

  std::optional<DeviceFinding> read() const;
  /// False if it was not written; the log has the reason.
  bool write(const DeviceFinding& finding) const;
  /// Empty if there is no cache folder.
  const std::filesystem::path& path() const { return path_; }

 private:
  nlohmann::ordered_json key_;
  std::filesystem::path path_;
};

/// A digest (hexadecimal) of what determines the code that a system executes: bodies, freedoms, shapes, pairs,
/// programs, method, tallies. Scenarios that differ only in numbers (parameters, constants of expressions, step,
/// tolerances) have equal structures.
std::string structure_digest(const Model& model);

}  // namespace jostle
