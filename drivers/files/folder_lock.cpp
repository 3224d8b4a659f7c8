#include "drivers/files/folder_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "drivers/errors.hpp"

namespace jostle {
namespace {

constexpr std::int64_t folder_byte = 0;
constexpr std::int64_t tried_byte = std::int64_t{1} << 40;  // of no shard
constexpr auto retry_interval = std::chrono::milliseconds(20);

std::int64_t shard_byte(std::int64_t index) { return 1 + index; }

struct flock byte_lock(short type, std::int64_t byte) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return lock;
}

bool means_no_locks(int error_number) {
  return error_number == ENOLCK || error_number == ENOTSUP || error_number == EOPNOTSUPP || error_number == ENOSYS;
}

/// 0, or errno.
int set_lock(int descriptor, short type, std::int64_t byte) {
  struct flock lock = byte_lock(type, byte);
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

/// Nobody asked for the file, so where the folder is to blame the message is about that.
FileError no_lock(const std::filesystem::path& folder, const std::filesystem::path& file, int error_number) {
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return {folder, "the folder cannot be written to: " + system_reason(error_number)};
  return {file, "cannot be created: " + system_reason(error_number)};
}

}  // namespace

FolderLock::Held::~Held() {
  if (descriptor_ >= 0) set_lock(descriptor_, F_UNLCK, byte_);
}

FolderLock::FolderLock(const std::filesystem::path& folder, WithoutLocks without) : path_(folder / ".lock") {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw no_lock(folder, path_, errno);
  works_ = !means_no_locks(set_lock(descriptor_, F_RDLCK, tried_byte));
  set_lock(descriptor_, F_UNLCK, tried_byte);
  if (works_ || without == WithoutLocks::go_on) return;
  ::close(descriptor_);
  throw FileError(path_,
                  "cannot be locked: this file system has no locks; use --shard k/n (in Python run_shard), whose jobs "
                  "need none; to add trajectories, copy the folder to one that has locks");
}

FolderLock::~FolderLock() { ::close(descriptor_); }

void FolderLock::check_place() const {
  struct stat named = {}, held = {};
  if (::stat(path_.c_str(), &named) == 0 && ::fstat(descriptor_, &held) == 0 && named.st_dev == held.st_dev &&
      named.st_ino == held.st_ino)
    return;
  throw FileError(path_.parent_path(),
                  "was moved, removed or replaced by another folder, so nothing more is written into it");
}

bool FolderLock::try_byte(std::int64_t byte) const {
  const int error_number = works_ ? set_lock(descriptor_, F_WRLCK, byte) : 0;
  if (error_number == 0) return true;
  if (error_number == EAGAIN || error_number == EACCES || error_number == EINTR) return false;
  throw FileError(path_, "cannot be locked: " + system_reason(error_number));
}

FolderLock::Held FolderLock::folder() const {
  while (!try_byte(folder_byte)) std::this_thread::sleep_for(retry_interval);
  return {descriptor_, folder_byte};
}

std::optional<FolderLock::Held> FolderLock::try_shard(std::int64_t index) const {
  if (!try_byte(shard_byte(index))) return std::nullopt;
  return Held(descriptor_, shard_byte(index));
}

std::optional<FolderLock::Held> FolderLock::wait_for_shard(std::int64_t index, const std::atomic<bool>& stop) const {
  while (!stop) {
    if (auto held = try_shard(index)) return held;
    std::this_thread::sleep_for(retry_interval);
  }
  return std::nullopt;
}

}  // namespace jostle
