#pragma once
// Memory for the steps, contacts and LCPs of a batch, and their way into a shard.
#include <memory>
#include <span>
#include <vector>

#include "core/batch/batch.hpp"
#include "drivers/datasets/dataset.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Adds to the settings what the records of the scenario need besides states.
void describe_step_records(const Scenario& scenario, RecordSettings& settings);

void append_rows(std::span<const ContactRow> rows, ContactRecords& columns);

/// Makes room in a shard for what `recorded` samples usually have, so that it need not be moved while it grows.
void reserve_step_records(const DatasetDescription& description, std::int64_t recorded, ShardData& shard);

/// Memory of records that has served and may serve again, for one model.
using SpareRecords = std::vector<std::unique_ptr<RecordMemory>>;

/// Of systems that a batch records; add them in the order of their samples.
class RecordCollector {
 public:
  RecordCollector(const RecordSettings& settings, SpareRecords& spare) : settings_(settings), spare_(spare) {}
  RecordCollector(const RecordCollector&) = delete;
  RecordCollector& operator=(const RecordCollector&) = delete;
  ~RecordCollector();

  /// The batch must not outlive this. Does nothing if the dataset has states alone.
  void add(Batch& batch, int index);
  /// Appends what the systems have recorded.
  void collect(Batch& batch, ShardData& shard) const;
  /// How many entries of a system's records are those of steps that it has taken; none if it could not start.
  int valid_entries(Batch& batch, int index) const;

 private:
  struct Recorded {
    int index;
    std::unique_ptr<RecordMemory> memory;
  };
  /// How much is in the columns of a shard.
  struct Extents {
    std::int64_t samples, rows, lcp_rows, lcp_numbers;
  };
  /// What a system has recorded, and where it goes.
  struct Piece {
    const RecordMemory* memory;
    int valid;  ///< entries
    Extents at;
  };
  void add_splits(const RecordMemory& memory, int valid, Extents& end, ContactRecords& contacts) const;
  /// `steps`: that the system has taken; -1: it could not start.
  void add_splits(const RecordMemory& memory, int steps, Extents& end, LcpRecords& lcps) const;
  void put(const Piece& piece, ShardData& shard) const;
  void collect_parameters(Batch& batch, int index, ShardData& shard) const;

  const RecordSettings& settings_;
  SpareRecords& spare_;
  std::vector<Recorded> recorded_;
};

}  // namespace jostle
