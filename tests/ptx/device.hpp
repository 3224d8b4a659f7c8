#pragma once
// A device that carries out what nvcc made of the kernels. Memory, queues and what Thrust does are the stand-in's.
#include <bit>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>

#include "cuda/lcp_task.hpp"
#include "cuda/simulate_task.hpp"
#include "emulation/host_device.hpp"
#include "tests/ptx/machine.hpp"

namespace jostle::test {

/// The intermediate code of a kind of team ("all_warp8": for all systems); empty if the build has none. Of several
/// files, one for each architecture, that which was written last: files of an earlier configuration stay where they
/// are.
inline std::filesystem::path code_of_kind(const std::string& kind) {
  const std::filesystem::path folder =
      std::filesystem::path(JOSTLE_BINARY_DIR) / "cuda" / ("kernels_" + kind + ".kept");
  if (!std::filesystem::exists(folder)) return {};
  std::filesystem::directory_entry last;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ptx" && (last.path().empty() || entry.last_write_time() > last.last_write_time()))
      last = entry;
  return last.path();
}

/// The kinds that the build has code for.
inline std::vector<int> kinds_of_build(bool for_all_systems = false) {
  std::vector<int> kinds;
  for (int kind = 0; kind < team_kind_count; ++kind)
    if (!code_of_kind((for_all_systems ? "all_" : "") + std::string(team_kinds[kind].name)).empty())
      kinds.push_back(kind);
  return kinds;
}

inline unsigned set_of_build(bool for_all_systems = false) {
  unsigned kinds = 0;
  for (const int kind : kinds_of_build(for_all_systems)) kinds |= 1u << kind;
  return kinds;
}

class PtxDevice : public HostDevice {
 public:
  /// With the kernels of some kinds of teams, as many teams at a time, and as much shared memory.
  PtxDevice(unsigned kinds, int teams, std::size_t shared_bytes = Options().shared_bytes)
      : HostDevice(options_of(teams, shared_bytes)) {
    allow_team_kinds(kinds);
  }

  /// That all lanes together have carried out until now.
  std::int64_t instructions() const { return instructions_; }
  int last_kind() const { return last_kind_; }
  /// What their warps have issued until now, if `weigh` has been given, which sets the costs of a program once it is
  /// loaded. It gets the kind as well.
  const ptx::IssueCount& issue() const { return issue_; }
  void count_issue(std::function<void(int, ptx::Program&)> weigh) { weigh_ = std::move(weigh); }

  int alternating(int lanes) const override { return alternating_teams(lanes); }

  void simulate(int queue, const SimulateTask& task) override {
    enqueue(queue, "simulate", [this, task] {
      launch("simulate_kernel", task.placement.place, task.teams, task.shared_bytes_per_team(), task);
    });
  }
  void solve_lcps(int queue, const LcpTask& task) override {
    enqueue(queue, "solve_lcps",
            [this, task] { launch("solve_lcps_kernel", task.place, task.teams, task.shared_bytes_per_team(), task); });
  }

 private:
  static Options options_of(int teams, std::size_t shared_bytes) {
    Options options;
    options.shared_bytes = shared_bytes;
    options.teams = teams;
    return options;
  }

  template <class Task>
  void launch(const char* kernel, const TeamPlace& place, int teams, std::size_t shared_per_team, const Task& task) {
    const ptx::Program& program = program_of(place);
    last_kind_ = place.kind;
    ptx::Launch launch;
    launch.blocks = static_cast<unsigned>((teams + place.teams_per_block - 1) / place.teams_per_block);
    launch.threads = static_cast<unsigned>(place.teams_per_block * place.lanes);
    launch.shared_bytes = shared_per_team * static_cast<std::size_t>(place.teams_per_block);
    launch.parameters = std::as_bytes(std::span(&task, 1));
    launch.seed = ++seed_;
    launch.team_lanes = static_cast<unsigned>(place.lanes);
    launch.issue = weigh_ ? &issue_ : nullptr;
    instructions_ += ptx::run_kernel(program, program.kernel(kernel), launch);
  }

  const ptx::Program& program_of(const TeamPlace& place) {
    std::unique_ptr<ptx::Program>& program = programs_[place.for_all_systems][place.kind];
    if (!program) {
      std::stringstream text;
      text << std::ifstream(
                  code_of_kind((place.for_all_systems ? "all_" : "") + std::string(team_kinds[place.kind].name)))
                  .rdbuf();
      program = std::make_unique<ptx::Program>(text.str());
      if (weigh_) weigh_(place.kind, *program);
    }
    return *program;
  }

  unsigned seed_ = 0;
  int last_kind_ = -1;
  std::int64_t instructions_ = 0;
  std::function<void(int, ptx::Program&)> weigh_;
  ptx::IssueCount issue_;
  std::unique_ptr<ptx::Program> programs_[2][team_kind_count];
};

}  // namespace jostle::test
