#include "drivers/files/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include "drivers/errors.hpp"
#include "scenarios/text/file.hpp"

namespace jostle {
namespace {

WriteListener* write_listener = nullptr;

void tell(std::string_view kind, std::string_view step) {
  if (write_listener) write_listener->passed(kind, step);
}

constexpr std::size_t token_digits = 8;

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  char token[token_digits + 1];
  std::snprintf(token, sizeof token, "%08x", static_cast<unsigned>(std::random_device()()));
  return path.string() + '.' + token + ".tmp";
}

/// A file without a name, which goes away with the process.
int open_nameless(const std::filesystem::path& folder) {
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return unnamed;
  std::string name = (folder / "jostle.XXXXXX").string();  // of a file system where a file must have a name first
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

}  // namespace

void set_write_listener(WriteListener* listener) { write_listener = listener; }

std::string system_reason(int error_number) { return std::generic_category().message(error_number); }

std::optional<std::string> name_of_temporary(const std::string& file) {
  constexpr std::string_view suffix = ".tmp";
  if (!file.ends_with(suffix)) return std::nullopt;
  std::string name = file.substr(0, file.size() - suffix.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || name.size() - dot - 1 != token_digits) return name;
  const bool is_token = name.find_first_not_of("0123456789abcdef", dot + 1) == std::string::npos;
  return is_token ? name.substr(0, dot) : name;
}

AtomicFile::AtomicFile(std::filesystem::path path, std::string_view kind, const std::filesystem::path& scratch)
    : path_(std::move(path)), temporary_(temporary_name(path_)), scratch_(scratch), kind_(kind) {
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(path_, ignored);
  if (std::filesystem::is_other(there)) throw FileError(path_, "is a device or a pipe, which a file must not replace");
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  descriptor_ = scratch_.empty() ? ::open(temporary_.c_str(), flags, 0666) : open_nameless(scratch_);
  if (descriptor_ < 0) fail("cannot be created");
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      scratch_(std::move(other.scratch_)),
      kind_(std::move(other.kind_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      end_(other.end_),
      committed_(other.committed_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (descriptor_ >= 0 && !committed_ && scratch_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
  const int error_number = errno;
  const std::filesystem::path& place = scratch_.empty() ? path_ : scratch_ / path_.filename();
  throw FileError(place, std::string(what) + ": " + system_reason(error_number));
}

void AtomicFile::write(std::string_view text) {
  write_at(end_, text.data(), text.size());
  end_ += text.size();
}

void AtomicFile::write_at(std::uint64_t offset, const void* data, std::size_t bytes) {
  const auto* next = static_cast<const char*>(data);
  const std::size_t half = bytes / 2;
  std::size_t written = 0;
  while (written < bytes) {
    if (written == half) tell(kind_, "half");
    const std::size_t end = written < half ? half : bytes;
    const ssize_t count = ::pwrite(descriptor_, next + written, end - written, static_cast<off_t>(offset + written));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be written");
    written += static_cast<std::size_t>(count);
  }
}

void AtomicFile::read_at(std::uint64_t offset, void* data, std::size_t bytes) {
  auto* const begin = static_cast<char*>(data);
  std::size_t got = 0;
  while (got < bytes) {
    const ssize_t count = ::pread(descriptor_, begin + got, bytes - got, static_cast<off_t>(offset + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be read");
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  std::fill(begin + got, begin + bytes, '\0');
}

void AtomicFile::resize(std::uint64_t bytes) {
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail("cannot be written");
}

/// Copies what was written to a temporary file beside NAME, in pieces as large as a parallel file system likes them.
void AtomicFile::leave_scratch() {
  constexpr std::size_t most = std::size_t{16} << 20;
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) fail("cannot be read");
  AtomicFile copy(path_, kind_);
  std::vector<char> piece(std::min(most, static_cast<std::size_t>(end)));
  for (std::size_t at = 0, size = static_cast<std::size_t>(end); at < size; at += piece.size()) {
    piece.resize(std::min(most, size - at));
    read_at(at, piece.data(), piece.size());
    copy.write_at(at, piece.data(), piece.size());
  }
  std::swap(descriptor_, copy.descriptor_);
  std::swap(temporary_, copy.temporary_);
  std::swap(scratch_, copy.scratch_);
}

void AtomicFile::sync() {
  if (!scratch_.empty()) {
    if (::fsync(descriptor_) != 0) fail("cannot be synced to disk");
    leave_scratch();
  }
  tell(kind_, "written");
  if (::fsync(descriptor_) != 0) fail("cannot be synced to disk");
  tell(kind_, "synced");
}

void AtomicFile::commit() {
  sync();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be renamed into place");
  committed_ = true;
  sync_folder(path_.parent_path());
  tell(kind_, "renamed");
}

// A second name cannot replace a file, on any file system that has second names; a rename always does.
void AtomicFile::commit_unless_there() {
  sync();
  if (::link(temporary_.c_str(), path_.c_str()) == 0 || errno == EEXIST) {
    ::unlink(temporary_.c_str());
  } else if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail("cannot be renamed into place");
  }
  committed_ = true;
  sync_folder(path_.parent_path());
  tell(kind_, "renamed");
}

void write_atomically(const std::filesystem::path& path, std::string_view content, std::string_view kind) {
  AtomicFile file(path, kind);
  file.write(content);
  file.commit();
}

void link_file(const std::filesystem::path& file, const std::filesystem::path& name, std::string_view kind) {
  std::error_code error;
  if (std::filesystem::equivalent(file, name, error)) return;
  const std::filesystem::path temporary = temporary_name(name);
  std::filesystem::create_hard_link(file, temporary, error);
  if (error) return write_atomically(name, read_text_file(file), kind);
  tell(kind, "synced");
  std::filesystem::rename(temporary, name, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw FileError(name, "cannot be renamed into place: " + error.message());
  }
  sync_folder(name.parent_path());
  tell(kind, "renamed");
}

std::int64_t time_on(const std::filesystem::path& folder) {
  struct stat status = {};
  const int descriptor = open_nameless(folder);
  const bool is_known = descriptor >= 0 && ::fstat(descriptor, &status) == 0;
  if (descriptor >= 0) ::close(descriptor);
  if (is_known) return nanoseconds(status.st_mtim);
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

void sync_folder(const std::filesystem::path& folder) {
  const std::filesystem::path name = folder.empty() ? "." : folder;
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(name, "cannot be opened: " + system_reason(errno));
  const int result = ::fsync(descriptor);
  const int error_number = errno;
  ::close(descriptor);
  // Some file systems do not sync folders and say so; there is nothing more to do then.
  if (result != 0 && error_number != EINVAL) throw FileError(name, "cannot be synced: " + system_reason(error_number));
}

std::string read_text_file(const std::filesystem::path& path) {
  try {
    return bytes_of_file(path, "a file");
  } catch (const UnreadableFile& error) {
    throw FileError(path, error.what());
  }
}

}  // namespace jostle
