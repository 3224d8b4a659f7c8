#pragma once
// Advisory locks of the writers of one folder: one file, `.lock`, with one locked byte for the folder
// and one for each shard. The locks are open-file-description locks: the system releases them
// when a process dies, however it dies.
//
// Some file systems have no locks (Lustre mounted without flock). Writers whose shards are disjoint need none: all
// files are written under names of their own and renamed.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace jostle {

/// What a writer does where the file system has no locks.
enum class WithoutLocks { refuse, go_on };

class FolderLock {
 public:
  /// Held until destroyed. Must not outlive the FolderLock.
  class Held {
   public:
    Held(int descriptor, std::int64_t byte) : descriptor_(descriptor), byte_(byte) {}
    Held(Held&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), byte_(other.byte_) {}
    Held& operator=(Held&&) = delete;
    ~Held();

   private:
    int descriptor_;
    std::int64_t byte_;
  };

  /// Creates FOLDER/.lock if need be. Throws FileError.
  explicit FolderLock(const std::filesystem::path& folder, WithoutLocks without = WithoutLocks::refuse);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  /// False where the file system has no locks: all are then given to everybody.
  bool works() const { return works_; }
  /// Locks are of a file, and files are written by name. Throws FileError if the name is no longer that of the folder:
  /// it was moved or removed, and another one may have its place.
  void check_place() const;
  /// The lock of the files beside the shards, and of their temporary files. Waits.
  Held folder() const;
  /// The lock of shard number `index` and its temporary file. Nothing if another writer holds it.
  std::optional<Held> try_shard(std::int64_t index) const;
  /// The same, but waits; nothing once `stop` is set.
  std::optional<Held> wait_for_shard(std::int64_t index, const std::atomic<bool>& stop) const;

 private:
  bool try_byte(std::int64_t byte) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool works_ = true;
};

}  // namespace jostle
