#include "drivers/ranks/mpi_ranks.hpp"

#include <dlfcn.h>

#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "drivers/errors.hpp"

namespace jostle {
namespace fs = std::filesystem;
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(5);

using Counters = std::array<std::int64_t, sizeof(SharedCounts) / sizeof(std::int64_t)>;
static_assert(std::tuple_size_v<Counters> <= most_counters);

/// Where it is, or where it would be.
fs::path plugin_path() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path installed = folder.parent_path() / JOSTLE_PLUGIN_FOLDER / mpi_plugin_name;
  return fs::exists(installed, error) ? installed : folder / mpi_plugin_name;
}

const MpiPlugin* start_plugin() {
  const fs::path path = plugin_path();
  // Libraries of MPI open parts of themselves, which look for its symbols among the global ones.
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) throw UsageError("MPI cannot be used: " + std::string(::dlerror()));
  const auto start = reinterpret_cast<StartMpi>(::dlsym(library, mpi_plugin_entry));
  const MpiPlugin* const mpi = start ? start() : nullptr;
  if (!mpi) throw UsageError(path.string() + ": MPI cannot be started");
  if (mpi->version != mpi_plugin_version) throw UsageError(path.string() + " belongs to another version of jostle");
  return mpi;
}

}  // namespace

int processes_of_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"}) {
    int size = 0;
    const char* const text = std::getenv(name);
    if (text && std::from_chars(text, text + std::strlen(text), size).ec == std::errc() && size > 0) return size;
  }
  for (const char* name : {"PMI_RANK", "PMIX_RANK"})
    if (std::getenv(name)) return -1;
  return 0;
}

bool has_mpi_plugin() {
  std::error_code error;
  return fs::exists(plugin_path(), error);
}

MpiRanks::MpiRanks() : mpi_(start_plugin()) {
  const int expected = processes_of_launcher();
  if (expected <= 0 || expected == size()) return;
  const bool is_first = rank() == 0 && size() == 1;
  throw UsageError("the launcher has started " + std::to_string(expected) + " processes, but " + library() + " sees " +
                   std::to_string(size()) +
                   (is_first ? ": use the launcher of the MPI that jostle was built with" : ""));
}

MpiRanks::~MpiRanks() {
  if (mpi_) mpi_->abort(static_cast<int>(ExitStatus::internal));
}

std::int64_t MpiRanks::take_next() { return mpi_->take_next(); }

SharedCounts MpiRanks::add(const SharedCounts& amounts) {
  const auto added = std::bit_cast<Counters>(amounts);
  Counters before{};
  mpi_->add(added.data(), before.data(), static_cast<int>(added.size()));
  return std::bit_cast<SharedCounts>(before);
}

void MpiRanks::sum(std::span<std::int64_t> numbers) { mpi_->sum_all(numbers.data(), static_cast<int>(numbers.size())); }

void MpiRanks::largest(std::span<std::int64_t> numbers) {
  mpi_->largest_all(numbers.data(), static_cast<int>(numbers.size()));
}

void MpiRanks::sum_on_host(std::span<std::int64_t> numbers) {
  mpi_->sum_all_on_host(numbers.data(), static_cast<int>(numbers.size()));
}

/// Asleep: a rank that waits must not take the cores of those that work.
void MpiRanks::wait_for_all(const std::function<void()>& meanwhile) {
  constexpr int polls = 200;
  mpi_->begin_waiting_all();
  for (int poll = 1; !mpi_->are_all_here(); ++poll) {
    std::this_thread::sleep_for(poll_interval);
    if (poll % polls == 0) meanwhile();
  }
}

void MpiRanks::end() { std::exchange(mpi_, nullptr)->end_all(); }

}  // namespace jostle
