// The emulated team must find what a warp would stumble over; otherwise its agreement means nothing.
#include "emulation/emulated_team.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/team.hpp"

namespace jostle {
namespace {

struct Item {
  int value, index;
};

constexpr auto smaller = [](const Item& a, const Item& b) {
  return a.value != b.value ? a.value < b.value : a.index < b.index;
};

TEST(EmulatedTeam, EveryLaneKnowsTheSelection) {
  const std::vector<int> values{5, 3, 8, 3, 9, 1, 7, 1, 4};
  const auto choose = [&](const auto& team, int n) {
    return team
        .select(
            n,
            [&](int i) {
              return Item{values[i], i};
            },
            smaller)
        .index;
  };
  for (const int lanes : {1, 2, 3, 8, 32}) {
    for (const int n : {1, 2, 9}) {
      const auto chosen = run_on_emulated_team(lanes, 7, [&](const EmulatedTeam& team) { return choose(team, n); });
      for (const int index : chosen) EXPECT_EQ(index, choose(SerialTeam{}, n)) << lanes << " lanes, n = " << n;
    }
  }
}

TEST(EmulatedTeam, EveryItemIsVisitedOnce) {
  std::vector<int> visits(100, 0);
  int onces = 0;
  run_on_emulated_team(3, 1, [&](const EmulatedTeam& team) {
    team.for_each(100, [&](int i) { ++visits[i]; });
    team.once([&] { ++onces; });
  });
  EXPECT_EQ(visits, std::vector<int>(100, 1));
  EXPECT_EQ(onces, 1);
}

TEST(EmulatedTeam, EveryPartIsVisitedOnce) {
  const auto visits_of = [](const auto& run) {
    std::vector<int> visits(15, 0);
    run([&](const auto& team) {
      for_each_part(team, 5, 3, [&](int i) { return [&visits, i](int k) { ++visits[3 * i + k]; }; });
    });
    return visits;
  };
  EXPECT_EQ(visits_of([](auto f) { run_on_emulated_team(4, 1, [&](const EmulatedTeam& team) { f(team); }); }),
            std::vector<int>(15, 1));
  EXPECT_EQ(visits_of([](auto f) { f(SerialTeam{}); }), std::vector<int>(15, 1));
}

// Each lane reads what another wrote: with the sync always the new value, without it sometimes the old.
std::set<int> sums(bool synced) {
  std::set<int> found;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<int> a(8, 0), b(8, 0);
    run_on_emulated_team(8, seed, [&](const EmulatedTeam& team) {
      team.for_each(8, [&](int i) { a[i] = 1; });
      if (synced) team.sync();
      team.for_each(8, [&](int i) { b[i] = a[(i + 2) % 8]; });
    });
    found.insert(std::accumulate(b.begin(), b.end(), 0));
  }
  return found;
}

TEST(EmulatedTeam, AMissingSyncShows) {
  EXPECT_EQ(sums(true), std::set<int>{8});
  EXPECT_GT(sums(false).size(), 1u);
}

TEST(EmulatedTeam, LanesThatDisagreeAboutSyncsThrow) {
  const auto uneven = [](const EmulatedTeam& team) {
    const std::vector<int> unwound(1000);
    team.once([&] { team.sync(); });
  };
  EXPECT_THROW(run_on_emulated_team(4, 0, uneven), std::logic_error);
  const auto different = [](const EmulatedTeam& team) {
    bool leads = false;
    team.once([&] { leads = true; });
    if (leads) {
      team.sync();
      team.sync();
    } else {
      team.select(
          4,
          [](int i) {
            return Item{i, i};
          },
          smaller);
    }
  };
  EXPECT_THROW(run_on_emulated_team(4, 0, different), std::logic_error);
}

TEST(EmulatedTeam, AnExceptionOfOneLaneEndsAll) {
  const auto failing = [](const EmulatedTeam& team) {
    team.sync();
    team.once([] { throw std::out_of_range("lane"); });
    team.sync();
  };
  EXPECT_THROW(run_on_emulated_team(5, 3, failing), std::out_of_range);
}

TEST(EmulatedTeam, StagesMayUseMuchStack) {
  const auto deep = [](const EmulatedTeam& team) {
    volatile char big[512 * 1024];
    for (int i = 0; i < 512; ++i) big[1024 * i] = char(i);
    team.sync();
    return int(big[1024 * 5]);
  };
  for (const int value : run_on_emulated_team(32, 0, deep)) EXPECT_EQ(value, 5);
}

#if defined(JOSTLE_ADDRESS_SANITIZER)
TEST(EmulatedTeam, AWriteBesideAnArrayOfALaneThatHasWaitedIsSeen) {
  const auto write_beside = [](const EmulatedTeam& team) {
    volatile char array[16] = {};
    team.sync();
    volatile char* const element = array;
    if (team.lane() == 2) element[16] = 1;
    team.sync();
  };
  EXPECT_DEATH(run_on_emulated_team(4, 0, write_beside), "stack-buffer-overflow");
}
#endif

}  // namespace
}  // namespace jostle
