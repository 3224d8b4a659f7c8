#include "drivers/commands/auto_device.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "drivers/device_findings.hpp"
#include "drivers/limited_process.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

using Verdict = DeviceFinding::Verdict;

/// A driver may need seconds to start where there are many GPUs; the check itself needs less than one.
/// JOSTLE_CHECK_LIMIT, in milliseconds, shortens the limit for tests.
std::chrono::milliseconds check_limit() {
  int limit = 20'000, shorter = 0;
  const char* text = std::getenv("JOSTLE_CHECK_LIMIT");
  if (text && std::from_chars(text, text + std::strlen(text), shorter).ec == std::errc())
    limit = std::clamp(shorter, 0, limit);
  return std::chrono::milliseconds(limit);
}

/// `first`, then the scenario with the options that matter to a check, on that device.
std::vector<std::string> words_for(std::vector<std::string> first, const ScenarioOptions& options,
                                   const std::string& device) {
  std::vector<std::string>& words = first;
  words.push_back(options.file);
  for (const std::string& set : options.set) words.insert(words.end(), {"--set", set});
  if (!options.seed.empty()) words.insert(words.end(), {"--seed", options.seed});
  if (!options.teams.empty()) words.insert(words.end(), {"--teams", options.teams});
  if (!options.threads.empty()) words.insert(words.end(), {"--threads", options.threads});
  words.insert(words.end(), {"--device", device});
  return words;
}

/// What the end of `jostle check-device` says.
DeviceFinding finding_after(const ProcessEnd& end, std::chrono::milliseconds limit) {
  switch (end.how) {
    case ProcessEnd::How::timed_out:
      return {Verdict::wrong, fmt::format("no answer within {:g} s", static_cast<double>(limit.count()) / 1000)};
    case ProcessEnd::How::signalled: return {Verdict::wrong, fmt::format("the process died of signal {}", end.number)};
    case ProcessEnd::How::stopped: return {Verdict::unavailable, "interrupted"};
    case ProcessEnd::How::exited: break;
  }
  try {
    return finding_of(nlohmann::json::parse(end.out));
  } catch (const nlohmann::json::exception&) {
    return {Verdict::unavailable, fmt::format("the process ended with status {} and no answer", end.number)};
  }
}

DeviceFinding check_elsewhere(const ScenarioOptions& options, const std::string& device,
                              const std::atomic<bool>& stop) {
  const auto limit = check_limit();
  return finding_after(run_limited(words_for({"/proc/self/exe", "check-device"}, options, device), limit, stop), limit);
}

void warn(const DeviceFinding& finding, const std::string& gpu, const std::string& compare, const std::string& file) {
  const char* what = finding.verdict == Verdict::wrong ? "failed its check" : "could not be checked";
  std::string text =
      fmt::format("{} {} and is not used: {}\n  to see what it does: {}", gpu, what, finding.seen, compare);
  if (!file.empty()) text += fmt::format("\n  this is remembered; to check again, delete {}", file);
  spdlog::warn(text);
}

/// What was found, and the file that holds it; an empty name if none does.
struct Known {
  DeviceFinding finding;
  std::string file;
};

Known recall_or_check(const FindingFile& file, const ScenarioOptions& options, const std::string& device,
                      const Model& model, const std::atomic<bool>& stop) {
  const std::optional<DeviceFinding> remembered = file.read();
  if (remembered && remembered->holds_for(model.total_steps)) {
    spdlog::debug("{}: checked before ({}): {}", device, file.path().string(), remembered->seen);
    return {*remembered, file.path().string()};
  }
  const auto start = std::chrono::steady_clock::now();
  const DeviceFinding finding = check_elsewhere(options, device, stop);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  spdlog::debug("{}: checked in {:.2f} s: {}", device, taken.count(), finding.seen);
  const bool written = finding.verdict != Verdict::unavailable && file.write(finding);
  return {finding, written ? file.path().string() : ""};
}

}  // namespace

std::unique_ptr<Device> open_checked_gpu(const ScenarioOptions& options, const Model& model,
                                         const std::atomic<bool>& stop) {
  const std::optional<DeviceInfo> gpu = first_gpu();
  if (!gpu) return nullptr;
  const std::string device = fmt::format("cuda:{}", gpu->index);
  const FindingFile file(finding_key(*gpu, allowed_team_kinds(options.teams), model));
  const Known known = recall_or_check(file, options, device, model, stop);
  if (stop) return nullptr;
  if (known.finding.verdict == Verdict::right) return open_device(device, options.teams, AutoDevice::cpu);
  warn(known.finding, fmt::format("{} ({})", device, gpu->name),
       shell_line(words_for({"jostle", "compare"}, options, device)), known.file);
  return nullptr;
}

}  // namespace jostle
