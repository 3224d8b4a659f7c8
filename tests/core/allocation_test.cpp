// Stepping allocates nothing: every malloc, calloc, realloc and new of this program is counted.
#include <cstdlib>

#include "tests/laws/simulation.hpp"

#if defined(__GLIBC__) && !defined(JOSTLE_SANITIZED)
#define JOSTLE_COUNTS_ALLOCATIONS 1

namespace {
thread_local long allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) { return ++allocations, __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) { return ++allocations, __libc_calloc(count, bytes); }
void* realloc(void* memory, std::size_t bytes) { return ++allocations, __libc_realloc(memory, bytes); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return ++allocations, __libc_memalign(alignment, bytes);
}
}
#endif

namespace jostle {
namespace {

class Stepping : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
#ifndef JOSTLE_COUNTS_ALLOCATIONS
    GTEST_SKIP() << "allocations are counted with glibc and without sanitizers";
#endif
  }

  static long count() {
#ifdef JOSTLE_COUNTS_ALLOCATIONS
    return allocations;
#else
    return 0;
#endif
  }

  /// Allocations from the first step of a sample to its last, trajectory and outcomes included.
  long allocations_of(const Ensemble& ensemble) const {
    constexpr int enough_contacts = 64;
    Model model = ensemble.model();
    model.stop_outcome = -1;  // to the last step
    const int steps = static_cast<int>(model.total_steps);
    const std::size_t entries = model.bodies.size() * static_cast<std::size_t>(steps + 1);
    std::vector<double> q(entries * 7), v(entries * 6);
    Batch batch(model, 1);
    ensemble.load(0, batch, 0);
    batch.record(0, {q.data(), v.data(), 1});
    WorkspaceMemory memory(model, enough_contacts);
    const long before = count();
    run_system(batch, 0, steps, memory);
    const long after = count();
    EXPECT_EQ(batch.state(0).steps(), steps);
    EXPECT_EQ(memory.workspace().contacts(), enough_contacts);
    return after - before;
  }
};

TEST_P(Stepping, AllocatesNothing) { EXPECT_EQ(allocations_of(Ensemble(read_scenario(library_file(GetParam())))), 0); }

INSTANTIATE_TEST_SUITE_P(Scenarios, Stepping, testing::ValuesIn(whole_library()),
                         [](const auto& scenario) { return scenario.param; });

using SteppingOnce = Stepping;

TEST_F(SteppingOnce, ToAFixedPointAllocatesNothing) {
  const ReadOptions fixed_point{{"world.linearisation=fixed_point"}, {}, {}};
  EXPECT_EQ(allocations_of(Ensemble(read_scenario(library_file("rod"), fixed_point))), 0);
}

TEST_F(SteppingOnce, TheCountSeesWhatIsAllocated) {
  const long before = count();
  WorkspaceMemory memory(Ensemble(read_scenario(library_file("rod"))).model(), 8);
  EXPECT_GT(count(), before);
}

}  // namespace
}  // namespace jostle
