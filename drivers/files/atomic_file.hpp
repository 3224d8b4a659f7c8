#pragma once
// A file that is either absent (or as it was before) or complete, whatever happens: it is written under a temporary
// name, NAME.xxxxxxxx.tmp, synced, renamed to NAME, and the folder is synced. Writers on any machine have different
// temporary names, so that they need no lock to leave each other's files alone.
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace jostle {

/// Is called at every step of writing a file: for tests of what a power cut leaves behind.
class WriteListener {
 public:
  virtual ~WriteListener() = default;
  /// `file`: as AtomicFile's `kind`; `step`: "half" of the bytes of a write in the temporary file, all bytes
  /// "written" and nothing synced, file "synced" with its old name, "renamed".
  virtual void passed(std::string_view file, std::string_view step) = 0;
};

/// Sets the listener for all files that the process writes from now on; null: none.
void set_write_listener(WriteListener* listener);

class AtomicFile {
 public:
  /// Opens a temporary file. `kind`: what a WriteListener knows it by. `scratch`: a folder on another disk where the
  /// file is written, in as many pieces as it takes, before it is copied as a whole; nothing is left there, however the
  /// process ends. Empty: it is written beside NAME. Throws FileError.
  AtomicFile(std::filesystem::path path, std::string_view kind, const std::filesystem::path& scratch = {});
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  /// Removes the temporary file if commit() was not reached.
  ~AtomicFile();

  /// Appends to what was written so far. Throws FileError, for instance on a full disk.
  void write(std::string_view text);

  /// Write at `offset`, in any order, and throw FileError. Bytes never written read as zeros.
  void write_at(std::uint64_t offset, const void* data, std::size_t bytes);
  void read_at(std::uint64_t offset, void* data, std::size_t bytes);
  void resize(std::uint64_t bytes);

  /// Syncs, renames, syncs the folder. Throws FileError.
  void commit();
  /// The same, but a file that has the name already keeps it.
  void commit_unless_there();

 private:
  void fail(const char* what) const;
  void sync();
  void leave_scratch();

  std::filesystem::path path_, temporary_;
  std::filesystem::path scratch_;  ///< where the file has no name
  std::string kind_;
  int descriptor_ = -1;
  std::uint64_t end_ = 0;  ///< where the next text is written
  bool committed_ = false;
};

/// Writes the whole file at once. `kind` as above.
void write_atomically(const std::filesystem::path& path, std::string_view content, std::string_view kind);

/// NAME of "NAME.0123abcd.tmp", and of "NAME.tmp" as earlier versions named it.
std::optional<std::string> name_of_temporary(const std::string& file);

/// Gives a finished file that never changes a second name, which then has its content; a copy of the file where the
/// file system knows no second names. `kind` as above.
void link_file(const std::filesystem::path& file, const std::filesystem::path& name, std::string_view kind);

/// ns
inline std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

/// The time of day as the file system of a folder has it, ns: the clock of another host may be another one. The time of
/// this host if nothing can be written there.
std::int64_t time_on(const std::filesystem::path& folder);

/// Syncs a folder, so that the names in it survive a power cut. Throws FileError.
void sync_folder(const std::filesystem::path& folder);

/// The whole content of a small file. Throws FileError.
std::string read_text_file(const std::filesystem::path& path);

}  // namespace jostle
