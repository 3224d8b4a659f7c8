// libjostle_mpi.so: the few calls of MPI that ranks need. Errors of MPI end the job, as is its default.
#define OMPI_SKIP_MPICXX 1   // NOLINT(readability-identifier-naming): nothing of MPI's own C++ is used
#define MPICH_SKIP_MPICXX 1  // NOLINT(readability-identifier-naming)
#include <mpi.h>

#include <algorithm>

#include "drivers/ranks/mpi_plugin.hpp"

namespace jostle {
namespace {

MPI_Comm host = MPI_COMM_NULL;
MPI_Win window = MPI_WIN_NULL;
MPI_Request waiting = MPI_REQUEST_NULL;
std::int64_t* counters = nullptr;  // rank 0 has them: the next number, then the counters

/// One message, which rank 0 takes no part in.
std::int64_t take_next() {
  const std::int64_t one = 1;
  std::int64_t before = 0;
  MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, 0, MPI_SUM, window);
  MPI_Win_flush(0, window);
  return before;
}

/// The same; each counter is added to in one piece.
void add(const std::int64_t* amounts, std::int64_t* before, int count) {
  MPI_Get_accumulate(amounts, count, MPI_INT64_T, before, count, MPI_INT64_T, 0, 1, count, MPI_INT64_T, MPI_SUM,
                     window);
  MPI_Win_flush(0, window);
}

void sum_all(std::int64_t* numbers, int count) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void largest_all(std::int64_t* numbers, int count) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
}

void sum_all_on_host(std::int64_t* numbers, int count) {
  MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_SUM, host);
}

void begin_waiting_all() { MPI_Ibarrier(MPI_COMM_WORLD, &waiting); }

bool are_all_here() {
  int done = 0;
  MPI_Test(&waiting, &done, MPI_STATUS_IGNORE);
  return done != 0;
}

void end_all() {
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Comm_free(&host);
  MPI_Finalize();
}

void abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

/// Open from the beginning to the end, by all.
void make_counters(int rank) {
  constexpr int all = 1 + most_counters;
  const MPI_Aint bytes = rank == 0 ? all * static_cast<MPI_Aint>(sizeof(std::int64_t)) : 0;
  MPI_Win_allocate(bytes, sizeof(std::int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &counters, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  if (rank == 0) std::fill_n(counters, all, 0);
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
}

const char* library_name() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  *std::find_if(text, text + length, [](char c) { return c == ',' || c == '\n'; }) = '\0';
  std::replace(text, text + length, '\t', ' ');
  return text;
}

const MpiPlugin* start() {
  int provided = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return nullptr;
  if (provided < MPI_THREAD_FUNNELED) return nullptr;
  static MpiPlugin plugin;
  MPI_Comm_rank(MPI_COMM_WORLD, &plugin.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &plugin.size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, plugin.rank, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &plugin.local_rank);
  MPI_Comm_size(host, &plugin.local_size);
  make_counters(plugin.rank);
  plugin.version = mpi_plugin_version;
  plugin.library = library_name();
  plugin.take_next = take_next;
  plugin.add = add;
  plugin.sum_all = sum_all;
  plugin.largest_all = largest_all;
  plugin.sum_all_on_host = sum_all_on_host;
  plugin.begin_waiting_all = begin_waiting_all;
  plugin.are_all_here = are_all_here;
  plugin.end_all = end_all;
  plugin.abort = abort;
  return &plugin;
}

}  // namespace
}  // namespace jostle

extern "C" __attribute__((visibility("default"))) const jostle::MpiPlugin* jostle_mpi_start() {
  return jostle::start();
}
