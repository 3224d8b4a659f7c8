// What `--device auto` means for a sweep: a GPU, if a check has shown that it computes the same as the CPU.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>

#include "drivers/devices/device_findings.hpp"
#include "drivers/devices/limited_process.hpp"
#include "drivers/program/options.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

using Verdict = DeviceFinding::Verdict;

/// Signals that a process causes itself; others come from a batch system or because memory is short.
bool is_a_crash(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGILL || signal == SIGFPE ||
         signal == SIGTRAP;
}

std::string last_line(const std::string& text) {
  const std::string lines = text.substr(0, text.find_last_not_of('\n') + 1);
  return lines.substr(lines.rfind('\n') + 1);  // all of it if there is one line
}

/// What the end of `jostle check-device` means. `compiles_first`: the driver may have been compiling all the time.
DeviceFinding finding_after(const ProcessEnd& end, std::chrono::milliseconds limit, bool compiles_first) {
  const std::string last = last_line(end.out);
  switch (end.how) {
    case ProcessEnd::How::timed_out: {
      const std::string seconds = fmt::format("{:g} s", static_cast<double>(limit.count()) / 1000);
      if (last == "cpu") return {Verdict::unavailable, "the CPU did not finish its part within " + seconds};
      if (compiles_first)
        return {Verdict::unavailable, "no answer within " + seconds + ": the driver may still compile"};
      return {Verdict::wrong, "no answer within " + seconds};
    }
    case ProcessEnd::How::signalled:
      return {is_a_crash(end.number) ? Verdict::wrong : Verdict::unavailable,
              fmt::format("the process was killed by signal {}", end.number)};
    case ProcessEnd::How::stopped: return {Verdict::unavailable, "interrupted"};
    case ProcessEnd::How::exited: break;
  }
  try {
    return finding_of(nlohmann::json::parse(last));
  } catch (const nlohmann::json::exception&) {
    return {Verdict::unavailable, fmt::format("the process ended with status {} and no answer", end.number)};
  }
}

/// The GPU that `--device auto` means, for one scenario.
class AutoGpu {
 public:
  AutoGpu(DeviceInfo gpu, const ScenarioOptions& options, const Model& model)
      : gpu_(std::move(gpu)),
        name_(fmt::format("cuda:{}", gpu_.index)),
        options_(options),
        total_steps_(model.total_steps),
        file_(finding_key(gpu_, allowed_team_kinds(options.teams), model)) {}

  const std::string& name() const { return name_; }

  DeviceFinding recall_or_check(const std::atomic<bool>& stop) {
    const std::optional<DeviceFinding> known = file_.read();
    remembered_ = known && known->holds_for(total_steps_);
    if (!remembered_) return check(stop);
    spdlog::debug("{}: checked before ({}): {}", name_, file_.path().string(), known->seen);
    return *known;
  }

  void warn(const DeviceFinding& finding) const {
    const char* what = finding.verdict == Verdict::wrong ? "failed its check" : "could not be checked";
    std::string text = fmt::format("{} ({}) {} and is not used: {}\n  to investigate: {}", name_, gpu_.name, what,
                                   finding.seen, shell_line(words_for({"jostle", "compare"})));
    if (remembered_) text += fmt::format("\n  this is remembered; to check again, delete {}", file_.path().string());
    spdlog::warn(text);
  }

 private:
  DeviceFinding check(const std::atomic<bool>& stop) {
    if (!std::filesystem::is_regular_file(options_.file))
      return {Verdict::unavailable, "the scenario is not a file that can be read twice"};
    if (gpu_.compiles_first)
      spdlog::warn("{} ({}): the driver is compiling the kernels; this takes minutes, but only once", name_, gpu_.name);
    const auto limit = check_limit(gpu_);
    const auto start = std::chrono::steady_clock::now();
    const ProcessEnd end = run_limited(words_for({"/proc/self/exe", "check-device"}), limit, stop);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    DeviceFinding finding = finding_after(end, limit, gpu_.compiles_first);
    spdlog::debug("{}: checked in {:.2f} s: {}", name_, taken.count(), finding.seen);
    remembered_ = finding.verdict != Verdict::unavailable && !stop && file_.write(finding);
    return finding;
  }

  /// `words`, the scenario, and the options that matter to a check on this GPU.
  std::vector<std::string> words_for(std::vector<std::string> words) const {
    words.push_back(options_.file);
    for (const std::string& set : options_.set) words.insert(words.end(), {"--set", set});
    if (!options_.seed.empty()) words.insert(words.end(), {"--seed", options_.seed});
    if (!options_.teams.empty()) words.insert(words.end(), {"--teams", options_.teams});
    if (!options_.threads.empty()) words.insert(words.end(), {"--threads", options_.threads});
    words.insert(words.end(), {"--device", name_});
    return words;
  }

  DeviceInfo gpu_;
  std::string name_;
  const ScenarioOptions& options_;
  std::int64_t total_steps_;
  FindingFile file_;
  bool remembered_ = false;  ///< the finding is in the file
};

}  // namespace

std::optional<Machine> open_checked_gpu(const ScenarioOptions& options, const Model& model, int threads,
                                        const std::atomic<bool>& stop, int local_rank) {
  std::optional<DeviceInfo> own = gpu_of(local_rank);
  if (!own) return {};
  AutoGpu gpu(std::move(*own), options, model);
  const DeviceFinding finding = gpu.recall_or_check(stop);
  if (stop) return {};
  if (finding.verdict == Verdict::right) return open_machine(gpu.name(), options.teams, threads, AutoDevice::cpu);
  gpu.warn(finding);
  return {};
}

}  // namespace jostle
