#include "drivers/program/program_ranks.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "drivers/datasets/run_record.hpp"
#include "drivers/errors.hpp"
#include "drivers/ranks/mpi_ranks.hpp"
#include "drivers/ranks/together.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

/// How many ranks of this host may run on each processor.
std::vector<std::int64_t> users_of_processors(Ranks& ranks, const cpu_set_t& own) {
  std::vector<std::int64_t> users(CPU_SETSIZE);
  for (std::size_t cpu = 0; cpu < users.size(); ++cpu) users[cpu] = CPU_ISSET(cpu, &own) != 0;
  ranks.sum_on_host(users);
  return users;
}

/// The processors that this rank may use, each divided by the ranks that may use it, too.
double share_of_processors(Ranks& ranks) {
  cpu_set_t own;
  CPU_ZERO(&own);
  std::int64_t unknown = ::sched_getaffinity(0, sizeof own, &own) != 0;  // a host has more than CPU_SETSIZE
  ranks.largest(std::span(&unknown, 1));
  if (unknown != 0) {
    std::vector<std::int64_t> on_host{1};
    ranks.sum_on_host(on_host);
    return static_cast<double>(std::thread::hardware_concurrency()) / static_cast<double>(on_host[0]);
  }
  const std::vector<std::int64_t> users = users_of_processors(ranks, own);
  double share = 0;
  for (std::size_t cpu = 0; cpu < users.size(); ++cpu)
    if (CPU_ISSET(cpu, &own)) share += 1.0 / static_cast<double>(users[cpu]);
  return share;
}

/// Rank 0's text, on all ranks.
std::string text_of_first(std::string text, Ranks& ranks) {
  auto size = static_cast<std::int64_t>(ranks.rank() == 0 ? text.size() : 0);
  ranks.largest(std::span(&size, 1));
  std::vector<std::int64_t> letters(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < letters.size() && ranks.rank() == 0; ++i)
    letters[i] = static_cast<unsigned char>(text[i]);
  ranks.largest(letters);
  text.clear();
  for (const std::int64_t letter : letters) text += static_cast<char>(letter);
  return text;
}

}  // namespace

Ranks& start_ranks(Invocation& invocation, const std::string& error) {
  if (processes_of_launcher() == 0) {
    invocation.ranks = std::make_unique<OneRank>();
  } else if (has_mpi_plugin()) {
    invocation.ranks = std::make_unique<MpiRanks>();
  } else {
    if (!is_told_by_another_rank())
      std::cerr << "started by a launcher of MPI, but this jostle has no " << mpi_plugin_name
                << " beside it: every process works for itself\n";
    invocation.ranks = std::make_unique<OneRank>();
  }
  together(*invocation.ranks, [&] {
    if (!error.empty()) throw UsageError(error);
  });
  return *invocation.ranks;
}

void fail_with_all_ranks(Invocation& invocation, const std::string& error) {
  if (!invocation.ranks && processes_of_launcher() != 0 && has_mpi_plugin()) start_ranks(invocation, error);
  throw UsageError(error);
}

bool is_told_by_another_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK"})
    if (const char* const rank = std::getenv(name)) return std::string_view(rank) != "0";
  return false;
}

RankThreads threads_of_rank(Ranks& ranks, const std::string& threads_option) {
  const double share = share_of_processors(ranks);
  const char* const openmp = std::getenv("OMP_NUM_THREADS");
  RankThreads threads;
  if (ranks.size() == 1) return threads;
  const char* source = "--threads";
  if (threads_option.empty()) source = openmp ? "OMP_NUM_THREADS" : "their share of the processors that they may use";
  if (threads_option.empty() && !openmp) threads.own = std::max(1, static_cast<int>(share + 1e-6));
  const std::string given = threads_option.empty() && openmp ? openmp : threads_option;
  std::array<std::int64_t, 2> range = {threads.own, -threads.own};
  ranks.largest(range);
  std::int64_t hosts = ranks.local_rank() == 0;
  ranks.sum(std::span(&hosts, 1));
  std::string number = given;
  if (given.empty())
    number = std::to_string(-range[1]) + (range[0] == -range[1] ? "" : " to " + std::to_string(range[0]));
  threads.text = fmt::format("{} of MPI on {}; threads of each: {} ({})", counted(ranks.size(), "rank"),
                             counted(hosts, "host"), number, source);
  return threads;
}

void agree_on(const DatasetDescription& description, std::int64_t n, Ranks& ranks) {
  if (ranks.size() == 1) return;
  const RunRecord own = make_run_record(description, n);
  RunRecord first = own;
  first.scenario = text_of_first(own.scenario, ranks);
  first.sampler = text_of_first(own.sampler, ranks);
  first.table_sha256 = text_of_first(own.table_sha256, ranks);
  std::array<std::int64_t, 3> numbers = {};
  if (ranks.rank() == 0) numbers = {own.format, own.results_version, n};
  ranks.largest(numbers);
  first.format = static_cast<int>(numbers[0]), first.results_version = static_cast<int>(numbers[1]);
  first.n = numbers[2];
  first.seed = std::stoull(text_of_first(std::to_string(own.seed), ranks));
  together(ranks, [&] {
    std::string difference = identity_difference(first, own);
    if (first.n != n) difference += fmt::format("\n  samples: {} in the folder, {} now", first.n, n);
    if (!difference.empty())
      throw UsageError(fmt::format("rank {} would make another dataset than rank 0, whose is 'in the folder' below{}",
                                   ranks.rank(), difference));
  });
}

}  // namespace jostle
