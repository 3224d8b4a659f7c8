#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/files/hdf5.hpp"

namespace jostle {

/// An open shard. All members throw FileError, also if a checksum is wrong.
class ShardReader {
 public:
  explicit ShardReader(std::filesystem::path path);
  /// In the folder of a dataset. Throws FileError also if it does not have all samples of the range.
  ShardReader(const std::filesystem::path& folder, const ShardRange& range);

  std::int64_t first() const { return first_; }
  std::int64_t count() const { return count_; }
  /// Number of trajectories.
  std::int64_t recorded() const { return recorded_; }
  /// As stored; verify_shard() checks it.
  const std::string& digest() const { return digest_; }

  const hdf5::Handle& file() const { return file_; }

  /// Whether the summary has this column; that of an earlier version may not.
  bool has(const std::string& column) const;
  /// A column of the summary as double.
  std::vector<double> numbers(const std::string& column) const;
  std::vector<std::uint8_t> status() const;
  std::vector<std::int32_t> counts(const std::string& column) const;
  std::vector<std::int32_t> steps() const { return counts("steps"); }

  /// All columns of the summary; no trajectories.
  ShardData read_summary(const DatasetDescription& description) const;
  /// Everything.
  ShardData read(const DatasetDescription& description) const;

  /// Numbers of the recorded samples.
  std::vector<std::int64_t> recorded_samples() const;
  /// [recorded, time] of a quantity in /step.
  RealArray step_column(const DatasetDescription& description, const std::string& name) const;
  /// [recorded, time + 1] rows of the contacts of each entry, in this shard.
  std::vector<std::int64_t> contact_splits(const DatasetDescription& description) const;
  /// The same of LCPs, and of the numbers of their matrices.
  std::vector<std::int64_t> lcp_splits(const DatasetDescription& description) const;
  std::vector<std::int64_t> matrix_splits(const DatasetDescription& description) const;

 private:
  template <class Values>
  void read_rows(const std::string& name, const hdf5::Extents& extents, Values& values) const;
  std::vector<std::int64_t> read_splits(const char* name, std::size_t times) const;
  void read_step_records(const DatasetDescription& description, ShardData& shard) const;
  void read_lcps(const DatasetDescription& description, ShardData& shard) const;
  void read_column(const std::string& name, hid_t type, void* data) const;
  void check_sample_scales(const std::vector<std::int64_t>& recorded) const;
  template <class Read>
  auto guarded(Read&& read) const;

  std::filesystem::path path_;
  hdf5::Handle file_, summary_;
  std::int64_t first_ = 0, count_ = 0, recorded_ = 0;
  std::string digest_;
};

/// The group /trajectory of a file of this dataset. Throws FileError.
Trajectories read_trajectories(const hdf5::Handle& file, const std::filesystem::path& path,
                               const DatasetDescription& description);

/// Whether an open file belongs to this dataset. Throws hdf5::Error if it is none of jostle's.
bool has_identity(const hdf5::Handle& file, const DatasetDescription& description);

/// What the file of a shard is.
struct FoundShard {
  enum class State {
    missing,  ///< there is none
    whole,    ///< it has the samples of the range, or more
    shorter,  ///< only the first of them, as the last shard of a dataset that was smaller
    broken    ///< it cannot be read, is damaged, or is another shard
  };
  State state = State::missing;
  std::int64_t count = 0;  ///< its samples
  std::string digest;      ///< as stored
  std::string reason;      ///< why it is broken, without its name
};

/// By its attributes: identity, first sample, and how many.
FoundShard find_shard(const std::filesystem::path& path, const DatasetDescription& description,
                      const ShardRange& range);

/// The same; if it is whole or shorter, all its data can be read and match the digest.
FoundShard check_shard(const std::filesystem::path& path, const DatasetDescription& description,
                       const ShardRange& range);

/// Whether it is whole, by find_shard() and by check_shard().
bool is_shard_of(const std::filesystem::path& path, const DatasetDescription& description, std::int64_t first,
                 std::int64_t count);
bool verify_shard(const std::filesystem::path& path, const DatasetDescription& description, std::int64_t first,
                  std::int64_t count);

}  // namespace jostle
