#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/datasets/job_log.hpp"
#include "drivers/reports/picture.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {

/// The ensemble of a scenario file; or, if `path` is the folder of a sweep, the one that the folder recorded:
/// scenario.yaml, the seed unless `options` give another one, and the table where it was read. If the folder does
/// not describe sample number `sample` of that ensemble, a warning on stderr says why.
/// Throws ScenarioError, UsageError (not a folder of a sweep; scenario or table have changed since the sweep) and
/// FileError (run.json cannot be read).
Ensemble open_ensemble(const std::filesystem::path& path, ReadOptions options, std::int64_t sample,
                       Ensemble::Start start = Ensemble::Start::checked);

/// How many samples an ensemble has where there is an end to them: "the table has 2 rows".
std::string end_of(const Ensemble& ensemble);

/// Throws UsageError if the ensemble ends before `sample`, of the option --sample.
void check_that_it_has(std::int64_t sample, const Ensemble& ensemble);

/// The mechanism of a folder's samples, for the page of its report; none if the table of its sampler is gone.
Picture picture_of(const std::filesystem::path& folder);

/// What is wrong with a sample of a folder that has this status, as the sweep said it; empty if its numbers do not
/// tell, or the table of its sampler is gone.
std::string reason_in(const std::filesystem::path& folder, std::int64_t sample, Status status);

/// What is in the folder of a sweep, whether or not all of it is there.
struct RecordedDataset {
  DatasetDescription description;
  std::vector<ShardRange> ranges;   ///< of the samples that are there, in their order
  std::int64_t n = 0;               ///< samples that the folder is for
  std::vector<std::string> varied;  ///< variables on a grid
};

/// Reads the description that the folder recorded, and looks at no shard; the table of its sampler is not needed. If
/// one of `jobs` extends the dataset, its number of samples counts. Throws as above.
RecordedDataset describe_dataset(const std::filesystem::path& folder, const std::vector<Job>& jobs);

/// The same with the ranges that are there. Throws UsageError if none is, FileError if a shard is damaged, another one,
/// or cannot be read.
RecordedDataset open_dataset(const std::filesystem::path& folder);

}  // namespace jostle
