#pragma once
// What the program calls of MPI. Only libjostle_mpi.so, which it opens when a launcher of MPI has started it, is linked
// with MPI: the same program runs on a machine that has none.
#include <cstdint>

namespace jostle {

inline constexpr int mpi_plugin_version = 1;
inline constexpr const char* mpi_plugin_name = "libjostle_mpi.so";
inline constexpr const char* mpi_plugin_entry = "jostle_mpi_start";

/// All functions are called by the thread that called the entry. Those with `all` are called by all ranks.
struct MpiPlugin {
  int version = 0;
  int rank = 0, size = 1, local_rank = 0, local_size = 1;
  const char* library = "";  ///< its name and version

  /// 0, 1, 2, ...
  std::int64_t (*take_next)() = nullptr;
  /// Adds to `count` counters of rank 0, at most most_counters, and gets what they were before.
  void (*add)(const std::int64_t* amounts, std::int64_t* before, int count) = nullptr;
  void (*sum_all)(std::int64_t* numbers, int count) = nullptr;
  void (*largest_all)(std::int64_t* numbers, int count) = nullptr;
  void (*sum_all_on_host)(std::int64_t* numbers, int count) = nullptr;
  void (*begin_waiting_all)() = nullptr;
  bool (*are_all_here)() = nullptr;  ///< after begin_waiting_all, again and again until it is true
  void (*end_all)() = nullptr;
  void (*abort)(int status) = nullptr;
};
inline constexpr int most_counters = 16;

/// The entry: starts MPI. Null if it cannot.
using StartMpi = const MpiPlugin* (*)();

}  // namespace jostle
