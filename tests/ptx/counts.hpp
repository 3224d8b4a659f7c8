#pragma once
// What an LCP or a step takes of the slots of warps, for count_main.cpp.
#include <cmath>

#include "benchmarks/lcp_problems.hpp"
#include "cuda/device_runner.hpp"
#include "cuda/lcp_batch.hpp"
#include "tests/ptx/device.hpp"
#include "tests/ptx/kept.hpp"
#include "tests/support/library_digest.hpp"

namespace jostle {

/// Of a block of an H200.
inline constexpr std::size_t shared_bytes = 227 * 1024;

/// Machine code by kind of team; empty without a disassembler.
using Listings = std::map<int, ptx::Listing>;

/// What one LCP or one step takes, or nothing where a kind of team does not do it.
using Counted = std::optional<ptx::IssueCount>;

inline ptx::IssueCount scaled(const ptx::IssueCount& c, const ptx::IssueCount& less, double by) {
  using Count = ptx::IssueCount;
  Count result;
  for (const auto member : {&Count::together, &Count::serialised, &Count::slowest, &Count::intermediate,
                            &Count::special, &Count::local, &Count::shared, &Count::global})
    result.*member = (c.*member - less.*member) / by;
  for (const auto& [name, slots] : c.functions) {
    const auto begun = less.functions.find(name);
    result.functions[name] = (slots - (begun == less.functions.end() ? 0 : begun->second)) / by;
  }
  for (const auto& [line, use] : c.code) {
    const auto begun = less.code.find(line);
    result.code[line] = {use.size, (use.times - (begun == less.code.end() ? 0 : begun->second.times)) / by,
                         use.function};
  }
  return result;
}

constexpr double kilobytes_of_instruction = 16 / 1000.0;

/// kB of machine code that warps with teams of this kind execute in a step, of which they take each instruction at
/// least so often in a step on average; 0: at all.
inline double kilobytes_of_code(const ptx::IssueCount& count, int kind, double often) {
  const double teams_of_warp = std::max(1, 32 / team_kinds[kind].lanes);
  double instructions = 0;
  for (const auto& [line, use] : count.code)
    if (use.times > 0 && use.times * teams_of_warp >= often) instructions += use.size;
  return instructions * kilobytes_of_instruction;
}

/// As many as fill warps with teams of this kind, and at least `least`.
inline int filling(int kind, int least) { return std::max(least, 32 / team_kinds[kind].lanes); }

/// Teams of a warp have LCPs of several kinds, in a random order; so that their mixture does not matter.
inline int problems_of(LcpSize size) { return size.n() <= 40 ? 64 : 16; }

inline void count_on(test::PtxDevice& device, const Listings& listings) {
  device.count_issue([&listings](int kind, ptx::Program& program) {
    if (const auto listing = listings.find(kind); listing != listings.end()) weigh(program, listing->second);
  });
}

inline Counted count_lcps(const Listings& listings, LcpSize size, int kind) {
  const int count = filling(kind, problems_of(size));
  ContactLcpGenerator generator(17);
  std::vector<DenseLcp> problems;
  for (int i = 0; i < count; ++i) {
    const ContactLcp lcp = generator.make(size, contact_scenes[i % 4]);
    problems.push_back({lcp.M, lcp.q});
  }
  test::PtxDevice device(1u << kind, count, shared_bytes);
  count_on(device, listings);
  solve_lcps(device, problems);
  return scaled(device.issue(), {}, count);
}

inline double mean_pivots(LcpSize size) {
  const int count = problems_of(size);
  ContactLcpGenerator generator(17);
  double pivots = 0;
  for (int i = 0; i < count; ++i) {
    const ContactLcp lcp = generator.make(size, contact_scenes[i % 4]);
    pivots += solve_dense_lcp(lcp.M, lcp.q).pivots;
  }
  return pivots / count;
}

/// Slots for one step of a system of the batch: the difference between a launch of one step and one of several, so that
/// what a launch begins with is not in it, nor that systems overflow their first placement.
inline Counted count_steps(const Listings& listings, const Batch& start, int first, int kind) {
  constexpr int steps = 5;
  ptx::IssueCount counted[2];
  for (const int last : {1, 1 + steps}) {
    Batch batch = start;
    test::PtxDevice device(test::set_of_build(), batch.size(), shared_bytes);
    count_on(device, listings);
    DeviceRunner(device, batch.model(), 0, {.team_kinds = 1u << kind}).run(batch, first + last);
    counted[last > 1] = device.issue();
  }
  return scaled(counted[1], counted[0], static_cast<double>(start.size()) * steps);
}

/// Samples of a scenario that have made half of its steps. Those that repeat each other are counted, too.
struct MiddleOfRun {
  MiddleOfRun(const std::string& name, Solver solver)
      : ensemble(read_scenario(library_file(name))),
        model(ensemble.model()),
        step(static_cast<int>(model.total_steps / 2)) {
    model.solver = solver;
    if (solver == Solver::lemke) model.multipliers = Multipliers::vertex;  // no modes in its answers, either
    model.every_step = true;
  }
  Batch batch(int systems) const {
    Batch batch(model, systems);
    for (int i = 0; i < systems; ++i) ensemble.load(i, batch, i);
    run_batch(batch, step);
    return batch;
  }

  Ensemble ensemble;
  Model model;
  int step;
};

/// The kind of team that a system has there: the one that was large enough.
inline int chosen_for(const MiddleOfRun& middle) {
  Batch batch = middle.batch(1);
  test::PtxDevice device(test::set_of_build(), 1, shared_bytes);
  DeviceRunner(device, middle.model).run(batch, middle.step + 1);
  return device.last_kind();
}

/// How launches take the systems of a batch: as they lie in memory, or sorted and without those at rest for good.
enum class Order { of_memory, of_cost };

/// Slots for one step of a system of the batch, in launches of `length` steps.
inline Counted count_launches(const Listings& listings, Batch batch, int length, int launches, Order order, int kind) {
  if (team_kinds[kind].lanes >= 32) return {};  // no team shares its warp
  test::PtxDevice device(test::set_of_build(), batch.size(), shared_bytes);
  count_on(device, listings);
  DeviceBatch resident(device, batch.model(), batch.size(), 0, {.team_kinds = 1u << kind});
  const auto launch_to = [&](int step) {
    const auto end = static_cast<int>(batch.model().total_steps);
    resident.launch(step, order == Order::of_cost ? end : step);
    resident.complete();
  };
  resident.upload(batch, 0, batch.size());
  launch_to(0);  // begins, and makes no step
  const ptx::IssueCount before = device.issue();
  for (int launch = 1; launch <= launches; ++launch) {
    if (order == Order::of_memory) resident.download(), resident.store(), resident.upload(batch, 0, batch.size());
    launch_to(launch * length);
  }
  return scaled(device.issue(), before, static_cast<double>(batch.size()) * launches * length);
}
/// Tossed boxes that fall from one height or from many, so that they land together or not.
inline Batch falling_boxes(const Ensemble& ensemble, int systems, bool from_many_heights) {
  constexpr double least = 0.15, most = 2, golden_section = 0.618;  // m
  Batch batch(ensemble.model(), systems);
  for (int i = 0; i < systems; ++i) {
    ensemble.load(i, batch, i);
    double& height = batch.parameters(i).start_position[3 * 1 + 2];  // of the brick; the floor is body 0
    const double part = i * golden_section;
    if (from_many_heights) height = least + (most - least) * (part - std::floor(part));
  }
  return batch;
}

}  // namespace jostle
