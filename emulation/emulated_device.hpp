#pragma once
// A mock GPU whose teams have emulated lanes, so that the code of its kernels is tested, too; some thousand times
// slower than HostDevice. For tests: the program does not have it.
#include "cuda/placement.hpp"
#include "emulation/host_device.hpp"

namespace jostle {

class EmulatedDevice : public HostDevice {
 public:
  /// `lanes` of every team; 0: as many as the placement says.
  explicit EmulatedDevice(int lanes, const Options& options = {}) : HostDevice(options), lanes_(lanes) {}

  std::string name() const override { return "emulated device, " + std::to_string(lanes_) + " lanes"; }
  int alternating(int lanes) const override { return alternating_teams(lanes); }

 protected:
  void simulate_now(const SimulateTask& task, std::byte* shared) override;
  void solve_now(const LcpTask& task, std::byte* shared) override;

 private:
  template <class F>
  void run_team(const TeamPlace& place, F f) const;

  int lanes_;
};

}  // namespace jostle
