#include "drivers/datasets/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "drivers/errors.hpp"

namespace jostle {
namespace {

WriteListener* write_listener = nullptr;

void tell(std::string_view kind, std::string_view step) {
  if (write_listener) write_listener->passed(kind, step);
}

}  // namespace

void set_write_listener(WriteListener* listener) { write_listener = listener; }

std::string system_reason(int error_number) { return std::generic_category().message(error_number); }

AtomicFile::AtomicFile(std::filesystem::path path, std::string_view kind)
    : path_(std::move(path)), temporary_(path_.string() + ".tmp"), kind_(kind) {
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail("cannot be created");
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      kind_(std::move(other.kind_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      end_(other.end_),
      committed_(other.committed_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (descriptor_ >= 0 && !committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
  const int error_number = errno;
  throw FileError(path_, std::string(what) + ": " + system_reason(error_number));
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

void AtomicFile::commit() {
  tell(kind_, "written");
  if (::fsync(descriptor_) != 0) fail("cannot be synced to disk");
  tell(kind_, "synced");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be renamed into place");
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
  const std::filesystem::path temporary = name.string() + ".tmp";
  std::filesystem::remove(temporary, error);
  std::filesystem::create_hard_link(file, temporary, error);
  if (error) return write_atomically(name, read_text_file(file), kind);
  tell(kind, "synced");
  std::filesystem::rename(temporary, name, error);
  if (error) throw FileError(name, "cannot be renamed into place: " + error.message());
  sync_folder(name.parent_path());
  tell(kind, "renamed");
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
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, "cannot be opened: " + system_reason(errno));
  std::ostringstream content;
  content << file.rdbuf();
  if (file.bad()) throw FileError(path, "cannot be read: " + system_reason(errno));
  return content.str();
}

}  // namespace jostle
