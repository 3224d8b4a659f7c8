// Where teams have their memory, and what becomes of errors of CUDA.
#include "cuda/placement.hpp"

#include <gmock/gmock.h>

#include "core/batch/batch.hpp"
#include "cuda/cuda_check.hpp"
#include "cuda/device.hpp"
#include "cuda/device_batch.hpp"
#include "cuda/device_errors.hpp"
#include "cuda/lcp_task.hpp"
#include "cuda/simulate_task.hpp"
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

constexpr DeviceLimits hopper{132, 227 << 10, 228 << 10};

TEST(Placements, OfJointsAndImpactsAreThoseWithKernelsForAllSystems) {
  DeviceLimits limits = hopper;
  limits.team_kinds_for_all = team_kinds_named("warp8,warp32");
  for (const std::string& name : joint_and_impact_names()) {
    SCOPED_TRACE(name);
    const Model model = build_model(read_scenario(library_file(name)));
    for (const Placement& placement : placements_for(model, limits)) {
      EXPECT_TRUE(placement.place.for_all_systems);
      EXPECT_NE(limits.team_kinds_for_all >> placement.place.kind & 1, 0u);
    }
  }
  const Model door = build_model(read_scenario(library_file("door")));
  limits.team_kinds_for_all = 0;
  EXPECT_THROW(placements_for(door, limits), NoSuchKernels);
}

TEST(Placements, GrowUntilTheLargestLcp) {
  for (const std::string& name : library_names) {
    SCOPED_TRACE(name);
    const Model model = build_model(read_scenario(library_file(name)));
    const std::vector<Placement> placements = placements_for(model, hopper);
    EXPECT_FALSE(placements.back().place.shared);
    EXPECT_EQ(placements.back().contacts, WorkspaceMemory::most_contacts(model));
    EXPECT_EQ(placements.back().island_contacts, WorkspaceMemory::most_island_contacts(model));
    for (std::size_t i = 1; i < placements.size(); ++i) {
      EXPECT_GE(placements[i].contacts, placements[i - 1].contacts);
      EXPECT_GT(placements[i].island_contacts, placements[i - 1].island_contacts);
    }
    for (const auto& [contacts, island_contacts, place] : placements) {
      EXPECT_EQ(place.lanes * place.teams_per_block % 32, 0) << "whole warps";
      EXPECT_GE(place.teams_per_block, 1);
      Dimensions d = model.view(contacts).dimensions;
      d.island_contacts = island_contacts;
      const WorkspaceLayout layout(d);
      if (place.shared) {
        EXPECT_LE((layout.near + layout.cells) * place.teams_per_block, hopper.shared_bytes_per_block);
      }
    }
  }
}

// What teams exchange is in shared memory, too, beside the memory that a kernel is launched with.
TEST(Placements, LeaveRoomInABlockForWhatTeamsExchange) {
  constexpr DeviceLimits gpus[] = {// turing, ampere, small ampere and ada, hopper
                                   {40, 64 << 10, 64 << 10},
                                   {108, 163 << 10, 164 << 10},
                                   {84, 99 << 10, 100 << 10},
                                   hopper};
  for (const std::string& name : library_names) {
    const Model model = build_model(read_scenario(library_file(name)));
    for (const DeviceLimits& gpu : gpus) {
      for (const unsigned kinds : {all_team_kinds, 1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
        for (const auto& [contacts, island_contacts, place] : placements_for(model, gpu, 0, kinds)) {
          if (!place.shared) continue;
          Dimensions d = model.view(contacts).dimensions;
          d.island_contacts = island_contacts;
          const WorkspaceLayout layout(d);
          const std::size_t bytes = spread_over_banks(layout.near + layout.cells, place.lanes);
          EXPECT_LE(bytes * place.teams_per_block + shared_bytes_of_teams, gpu.shared_bytes_per_block) << name;
        }
      }
    }
  }
}

TEST(Placements, OfFewSystemsStillAreWholeWarps) {
  TeamPlace place;
  place.lanes = 4;
  for (const int warps : {1, 2, 3, 4, 6}) {
    place.teams_per_block = 8 * warps;
    for (const int systems : {1, 100, 10'000}) {
      const TeamPlace spread = spread_out(place, systems, 132);
      EXPECT_EQ(spread.teams_per_block * spread.lanes % 32, 0) << warps << " warps, " << systems << " systems";
    }
  }
}

// Four balls that may lie apart: each has room for four contacts, and its team is that of four contacts. What rods
// and hinges tie together is one island.
TEST(Placements, HaveLemkesMemoryForTheLargestIslandAlone) {
  const auto first_of = [](const std::string& name) {
    return placements_for(build_model(read_scenario(library_file(name))), hopper).front();
  };
  const Placement balls = first_of("four_balls");
  EXPECT_EQ(balls.island_contacts, 4);
  EXPECT_EQ(balls.contacts, 12) << "ten pairs";
  EXPECT_STREQ(team_kinds[balls.place.kind].name, "warp4");
  for (const char* name : {"tossed_box", "four_bar"})
    EXPECT_EQ(first_of(name).contacts, first_of(name).island_contacts);

  const Model model = build_model(read_scenario(library_file("four_balls")));
  Dimensions whole = model.view(12).dimensions, island = whole;
  island.island_contacts = 4;
  EXPECT_EQ(island.island_lcp_size(), 40);
  EXPECT_EQ(WorkspaceLayout(island).cells, WorkspaceLayout(model.view(4).dimensions).cells);
  EXPECT_GT(WorkspaceLayout(whole).cells, 8 * WorkspaceLayout(island).cells);
}

// Systems whose usual contacts make a small LCP take their steps together, in blocks of several warps; others have a
// warp each. Few systems are spread over all multiprocessors.
TEST(Placements, OfSmallSystemsHaveWarpsThatStayTogether) {
  const auto place_of = [](const char* name) {
    return placements_for(build_model(read_scenario(library_file(name))), hopper).front().place;
  };
  for (const auto& [name, kind, warps] : {std::tuple{"rod", "warp1", 8},
                                          {"tossed_box", "warp4", 4},
                                          {"cube_toss", "warp4", 4},
                                          {"four_balls", "warp4", 4},
                                          {"box_stack", "warp32", 1},
                                          {"v_groove", "warp32", 1}}) {
    SCOPED_TRACE(name);
    const TeamPlace place = place_of(name);
    EXPECT_STREQ(team_kinds[place.kind].name, kind);
    EXPECT_EQ(place.teams_per_block * place.lanes, 32 * warps);
  }
  const TeamPlace rods = place_of("rod");
  const auto warps_for = [&](int systems) { return spread_out(rods, systems, 132).teams_per_block / 32; };
  EXPECT_EQ(warps_for(1), 1);
  EXPECT_EQ(warps_for(32 * 132), 1);
  EXPECT_EQ(warps_for(32 * 132 + 1), 2);
  EXPECT_EQ(warps_for(4 * 32 * 132), 4);
  EXPECT_EQ(warps_for(1'000'000), 8);
}

// What is not in shared memory, where a box meets a plane (docs/gpu-development.md).
TEST(Placements, TakeAFewKilobytesOfDeviceMemoryForFourContacts) {
  for (const auto& [directions, bytes] : {std::pair{"4", 10'000u}, {"8", 13'500u}}) {
    const std::string set = std::string("world.friction_directions=") + directions;
    const Model model = build_model(read_scenario(library_file("tossed_box"), {{set}, {}, {}}));
    EXPECT_LT(WorkspaceLayout(model.view(4).dimensions).far, bytes) << directions;
  }
}

// With the working memory of as many teams as a GPU can keep busy, in the first placement (later ones take what room
// there is), and with the local memory that CUDA sets aside for every thread there can be (docs/gpu-development.md).
TEST(Placements, AMillionTossedBoxesFitInEightGigabytes) {
  constexpr std::size_t systems = 1'000'000, threads_per_multiprocessor = 2048, local_bytes_per_thread = 3000;
  const Model model = build_model(read_scenario(library_file("tossed_box")));
  SimulateTask task;
  task.placement = placements_for(model, hopper).front();
  task.model = model.view(task.placement.contacts);
  const std::size_t threads = hopper.multiprocessors * threads_per_multiprocessor;
  task.layout = WorkspaceLayout(task.model.dimensions, alternating_teams(task.placement.place.lanes));
  task.teams = static_cast<int>(threads / task.placement.place.lanes);
  EXPECT_GT(task.bytes_per_team(), 1000u);
  const std::size_t bytes =
      systems * DeviceBatch::bytes_per_system(model) + task.memory_bytes() + threads * local_bytes_per_thread;
  EXPECT_GT(bytes, systems * 100);
  EXPECT_LT(bytes, 8'000'000'000u);
}

// The counts by which docs/gpu-development.md chooses the kinds of teams; registers leave room for 8 warps.
TEST(Placements, LeaveRoomForTheWarpsThatTheTableOfTeamsCountsOn) {
  const auto warps = [](int n) {
    LcpTask task;
    task.batch.size = n;
    place_lcps(task, hopper);
    EXPECT_TRUE(task.place.shared);
    EXPECT_EQ(task.place.teams_per_block * task.place.lanes, 32) << "a block of one warp";
    const std::size_t block = task.shared_bytes_per_team() * task.place.teams_per_block + 1024;
    return std::min<std::size_t>(8, hopper.shared_bytes_per_multiprocessor / block);
  };
  EXPECT_EQ(warps(8), 4u);
  EXPECT_EQ(warps(16), 7u);
  EXPECT_EQ(warps(24), 7u);
  EXPECT_EQ(warps(40), 8u);
  EXPECT_EQ(warps(64), 5u);
}

TEST(Placements, SpreadTheTeamsOfAWarpOverTheBanks) {
  for (const auto& [lanes, own_banks] : {std::pair{1, 8}, {2, 16}, {4, 32}, {8, 64}}) {
    for (const std::size_t bytes : {64u, 128u, 192u, 5760u}) {
      const std::size_t spread = spread_over_banks(bytes, lanes);
      EXPECT_GE(spread, bytes);
      EXPECT_LT(spread, bytes + 128);
      EXPECT_EQ(spread % 128, static_cast<std::size_t>(own_banks));
    }
  }
  EXPECT_EQ(spread_over_banks(5760, 16), 5760u);
  EXPECT_EQ(spread_over_banks(5760, 32), 5760u);
}

TEST(Placements, TakeTheTeamsThatThereAre) {
  const auto name = [](int n, unsigned kinds) { return std::string(team_kinds[team_kind_for(n, kinds, kinds)].name); };
  EXPECT_EQ(name(8, all_team_kinds), "warp1");
  EXPECT_EQ(name(12, all_team_kinds), "warp4");
  EXPECT_EQ(name(24, all_team_kinds), "warp8");
  EXPECT_EQ(name(24, 1u << 5 | 1u << 0), "warp32");
  EXPECT_EQ(name(40, all_team_kinds), "warp32");
  EXPECT_EQ(name(40, 1u << 4 | 1u << 3), "warp16");
  EXPECT_EQ(name(120, all_team_kinds), "warp32");
  for (int kind = 0; kind < team_kind_count; ++kind)
    for (const int n : {4, 24, 120, 4096})
      EXPECT_EQ(team_kind_for(n, 1u << kind, all_team_kinds), kind) << "where it is preferred";
  EXPECT_EQ(team_kind_for(40, 1u << 5, 1u << 3), 3) << "warp32 is not there";
  EXPECT_THROW(team_kind_for(40, all_team_kinds, 0), DeviceFailure);
}

TEST(CudaErrors, NameTheCallTheDeviceAndTheReason) {
  try {
    throw_cuda_error(700, "cudaLaunchKernel for simulate_kernel<warp8>", "cuda:1 (H)",
                     "an illegal memory access was encountered");
    FAIL() << "nothing was thrown";
  } catch (const DeviceOutOfMemory&) {
    FAIL() << "there is memory";
  } catch (const DeviceFailure& failure) {
    EXPECT_STREQ(
        failure.what(),
        "cuda:1 (H): cudaLaunchKernel for simulate_kernel<warp8> failed with CUDA error 700: an illegal memory "
        "access was encountered");
  }
  try {
    throw_cuda_error(2, "cudaMalloc", "cuda:0 (A)", "out of memory", "simulate_kernel<warp4>");
    FAIL() << "nothing was thrown";
  } catch (const DeviceOutOfMemory& failure) {
    EXPECT_STREQ(
        failure.what(),
        "cuda:0 (A): cudaMalloc failed with CUDA error 2: out of memory; the last kernel was simulate_kernel<warp4>");
  }
}

TEST(CudaErrors, OfALaunchWithoutRoomAreWantOfMemoryByTheirOwnName) {
  try {
    throw_cuda_error(701, "cudaLaunchKernel for simulate_kernel<warp8>", "cuda:0 (A)", "too many resources requested");
  } catch (const DeviceOutOfMemory& failure) {
    EXPECT_THAT(failure.what(), testing::HasSubstr("CUDA error 701: too many resources requested"));
    return;
  }
  FAIL() << "it is no want of memory";
}

TEST(Cuda, WithoutAGpuIsAbsentInWords) {
  if (!cuda_devices().empty()) GTEST_SKIP() << "there is a GPU";
  try {
    open_cuda_device(0);
    FAIL() << "nothing was thrown";
  } catch (const DeviceAbsent& absent) {
    EXPECT_THAT(absent.what(), testing::HasSubstr(built_with_cuda() ? "GPU" : "no CUDA"));
  }
}

}  // namespace
}  // namespace jostle
