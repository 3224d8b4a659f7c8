#include "drivers/devices/device_findings.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "cuda/team_kinds.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/sha256.hpp"
#include "drivers/results_version.hpp"

namespace jostle {
namespace {

namespace fs = std::filesystem;

std::string this_program() {
  struct stat file = {};
  ::stat("/proc/self/exe", &file);  // without /proc there is no check, so nothing to store
  return fmt::format("{}, results version {}, {} bytes of {}.{:09}", JOSTLE_VERSION, results_version, file.st_size,
                     file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

/// The path in an environment variable.
std::optional<fs::path> absolute_path(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text || !fs::path(text).is_absolute()) return std::nullopt;
  return text;
}

/// An AtomicFile without syncs: if a power cut damages the file, the GPU is checked again.
void write_and_rename(const fs::path& path, const std::string& text) {
  const fs::path temporary = fmt::format("{}.{}", path.string(), ::getpid());
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    const std::string reason = system_reason(errno);
    fs::remove(temporary);
    throw FileError(temporary, "cannot be written: " + reason);
  }
  fs::rename(temporary, path);
}

}  // namespace

nlohmann::ordered_json finding_key(const DeviceInfo& gpu, unsigned kinds, const Model& model) {
  return {{"device", gpu.name},
          {"driver", gpu.driver},
          {"program", this_program()},
          {"teams", names_of_team_kinds(kinds)},
          {"structure", structure_digest(model)}};
}

std::optional<fs::path> cache_folder() {
  if (const auto cache = absolute_path("XDG_CACHE_HOME")) return *cache / "jostle";
  if (const auto home = absolute_path("HOME")) return *home / ".cache" / "jostle";
  return std::nullopt;
}

FindingFile::FindingFile(nlohmann::ordered_json key) : key_(std::move(key)) {
  const auto folder = cache_folder();
  if (folder) path_ = *folder / ("device-" + sha256_hex(key_.dump()).substr(0, 16) + ".json");
}

std::optional<DeviceFinding> FindingFile::read() const {
  std::error_code ignored;
  if (path_.empty() || !fs::exists(path_, ignored)) return std::nullopt;
  try {
    const auto json = nlohmann::ordered_json::parse(read_text_file(path_));
    if (json.at("key") == key_) return finding_of(json.at("finding"));
    spdlog::debug("{}: belongs to something else", path_.string());
  } catch (const std::exception& error) {
    spdlog::debug("{}: is not used: {}", path_.string(), error.what());
  }
  return std::nullopt;
}

bool FindingFile::write(const DeviceFinding& finding) const {
  if (path_.empty()) {
    spdlog::debug("neither XDG_CACHE_HOME nor HOME is set: the result of the check is not stored");
    return false;
  }
  try {
    fs::create_directories(path_.parent_path());
    const nlohmann::ordered_json content = {{"key", key_}, {"finding", json_of(finding)}};
    write_and_rename(path_, content.dump(2) + '\n');
    return true;
  } catch (const std::exception& error) {
    spdlog::debug("the result of the check is not stored: {}", error.what());
    return false;
  }
}

}  // namespace jostle
