#pragma once
// The exceptions that end a command, each with its own exit status. Besides those below:
//
//     ScenarioError (scenarios/text/error.hpp)              a scenario with a fault; its file, line and column
//     NotEnoughMemory (drivers/memory.hpp)                  a std::bad_alloc that says what needs how much
//     DeviceAbsent, DeviceFailure (cuda/device_errors.hpp)  of a GPU
//     Stopped (drivers/watch.hpp)                           is_stopped() of the caller was true
#include <cstdint>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "cuda/device_errors.hpp"
#include "drivers/exit_status.hpp"
#include "scenarios/text/error.hpp"

namespace jostle {

/// The user's request cannot be done as it stands: ExitStatus::usage.
struct UsageError : std::runtime_error {
  explicit UsageError(const std::string& message) : std::runtime_error(on_one_line(message)) {}
};

/// A file could not be written or read, or does not hold what it should: ExitStatus::file.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& path, const std::string& reason)
      : std::runtime_error(on_one_line(path.string() + ": " + reason)), path_(path) {}
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Throws UsageError unless 0 <= index < count: "there is no system 7, only 3 from 0 on".
inline void check_index(const char* what, std::int64_t index, std::size_t count) {
  if (index >= 0 && static_cast<std::size_t>(index) < count) return;
  const std::string known = count == 0 ? "there are none" : "only " + std::to_string(count) + " from 0 on";
  throw UsageError("there is no " + std::string(what) + " " + std::to_string(index) + ", " + known);
}

/// The exit status of a command that ended with this exception.
inline ExitStatus exit_status_of(const std::exception& error) {
  if (dynamic_cast<const UsageError*>(&error)) return ExitStatus::usage;
  if (dynamic_cast<const ScenarioError*>(&error)) return ExitStatus::usage;
  if (dynamic_cast<const DeviceAbsent*>(&error)) return ExitStatus::device;
  if (dynamic_cast<const DeviceOutOfMemory*>(&error)) return ExitStatus::file;  // as if the host has no memory
  if (dynamic_cast<const FileError*>(&error)) return ExitStatus::file;
  if (dynamic_cast<const std::bad_alloc*>(&error)) return ExitStatus::file;
  if (dynamic_cast<const std::system_error*>(&error)) return ExitStatus::file;  // no thread could be created
  return ExitStatus::internal;
}

/// The reason that the operating system gives for `error_number` (errno).
std::string system_reason(int error_number);

}  // namespace jostle
