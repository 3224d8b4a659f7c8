#pragma once
// The ranks that run a command together: those of MPI if a launcher of MPI has started the program.
#include <string>

#include "drivers/datasets/dataset.hpp"
#include "drivers/program/commands.hpp"

namespace jostle {

/// Starts MPI, or none, and waits for all ranks. Call it first in a command that ranks share. Throws UsageError, also
/// of an `error` that this rank has found before.
Ranks& start_ranks(Invocation& invocation, const std::string& error = "");

/// Of an error in the command line. The first rank that ends without MPI makes the launcher kill the others, perhaps
/// before rank 0 has said why: they start it, tell it once and end together.
[[noreturn]] void fail_with_all_ranks(Invocation& invocation, const std::string& error);

/// Whether another process of the same launcher says what this one would say before MPI has started.
bool is_told_by_another_rank();

/// The threads that a rank may have, and what all have; all ranks call it.
struct RankThreads {
  int own = 0;       ///< 0: as many as OpenMP takes
  std::string text;  ///< "4 ranks of MPI on 1 host, 1 thread each: ..."
};
RankThreads threads_of_rank(Ranks& ranks, const std::string& threads_option);

/// Throws UsageError on all ranks unless all have the dataset of rank 0.
void agree_on(const DatasetDescription& description, std::int64_t n, Ranks& ranks);

}  // namespace jostle
