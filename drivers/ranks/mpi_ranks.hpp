#pragma once
// The ranks of an MPI job.
#include <string>

#include "drivers/ranks/mpi_plugin.hpp"
#include "drivers/ranks/ranks.hpp"

namespace jostle {

/// Processes that a launcher of MPI says it has started; 0: none has started this one. -1: it does not say how many.
int processes_of_launcher();

class MpiRanks : public Ranks {
 public:
  /// Opens the plugin beside the program, or in `lib/jostle` beside its folder, and starts MPI. Throws UsageError with
  /// what to do if that fails, or if MPI sees other processes than the launcher.
  MpiRanks();
  ~MpiRanks() override;

  int rank() const override { return mpi_->rank; }
  int size() const override { return mpi_->size; }
  int local_rank() const override { return mpi_->local_rank; }
  int local_size() const override { return mpi_->local_size; }
  std::int64_t take_next() override;
  SharedCounts add(const SharedCounts& amounts) override;
  void sum(std::span<std::int64_t> numbers) override;
  void largest(std::span<std::int64_t> numbers) override;
  void sum_on_host(std::span<std::int64_t> numbers) override;
  void wait_for_all(const std::function<void()>& meanwhile) override;

  void end() override;
  std::string library() const { return mpi_->library; }

 private:
  const MpiPlugin* mpi_ = nullptr;
};

/// Whether the plugin is there.
bool has_mpi_plugin();

}  // namespace jostle
