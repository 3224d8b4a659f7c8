#include "drivers/datasets/folder_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "drivers/errors.hpp"

namespace jostle {
namespace {

constexpr std::int64_t folder_byte = 0;
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

}  // namespace

FolderLock::Held::~Held() {
  if (descriptor_ < 0) return;
  struct flock lock = byte_lock(F_UNLCK, byte_);
  ::fcntl(descriptor_, F_OFD_SETLK, &lock);
}

FolderLock::FolderLock(const std::filesystem::path& folder) : path_(folder / ".lock") {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw FileError(path_, "cannot be created: " + system_reason(errno));
}

FolderLock::~FolderLock() { ::close(descriptor_); }

bool FolderLock::try_byte(std::int64_t byte) const {
  struct flock lock = byte_lock(F_WRLCK, byte);
  if (::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0) return true;
  if (errno == EAGAIN || errno == EACCES || errno == EINTR) return false;
  throw FileError(path_, "cannot be locked (does this file system support locks?): " + system_reason(errno));
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
