#include "drivers/devices/device_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cuda/device_errors.hpp"
#include "drivers/devices/backend.hpp"
#include "drivers/devices/comparison.hpp"
#include "drivers/text.hpp"

namespace jostle {

NLOHMANN_JSON_SERIALIZE_ENUM(DeviceFinding::Verdict, {{DeviceFinding::Verdict::unavailable, "unavailable"},
                                                      {DeviceFinding::Verdict::right, "right"},
                                                      {DeviceFinding::Verdict::wrong, "wrong"}})

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t most_samples = 64;
/// The last round takes about as long as all rounds before it, so the check takes twice this time. If contacts have
/// just made steps expensive, that round is the last.
constexpr std::chrono::milliseconds half_time{250};

Batch first_samples(const Ensemble& ensemble) {
  Batch batch(ensemble.model(), static_cast<int>(std::min(most_samples, ensemble.count())));
  for (int i = 0; i < batch.size(); ++i) ensemble.draw(i, batch, i);
  return batch;
}

DeviceFinding difference(const Comparison& comparison, std::int64_t steps) {
  std::string fields;
  for (const auto& [field, samples] : comparison.differing_fields) fields += (fields.empty() ? "" : ", ") + field;
  return {DeviceFinding::Verdict::wrong,
          fmt::format("after {}, {} of {} differ from the CPU's, in {}", counted(steps, "step"),
                      comparison.differing_samples, counted(comparison.samples, "sample"), fields),
          steps, false};
}

}  // namespace

DeviceFinding check_device(Device& device, const Ensemble& ensemble, int threads,
                           const std::function<void(const char*)>& begins) {
  const Backend cpu = threads_backend(threads, 0), gpu = device_backend(device, ensemble.model());
  Batch right = first_samples(ensemble), other = first_samples(ensemble);
  const std::int64_t total = ensemble.model().total_steps;
  Clock::time_point end;
  for (std::int64_t steps = std::min<std::int64_t>(1, total);; steps = std::min(2 * steps, total)) {
    const Clock::time_point start = Clock::now();
    begins("cpu");
    cpu.run(right, static_cast<int>(steps), nullptr);
    begins("gpu");
    gpu.run(other, static_cast<int>(steps), nullptr);
    const Comparison comparison = compare_states(right, other);
    if (!comparison.equal()) return difference(comparison, steps);
    if (steps <= 1) end = Clock::now() + half_time;  // the first launch, which loads the kernels, does not count
    const bool is_dear = steps > 1 && Clock::now() - start > half_time / 4;
    if (steps < total && !is_dear && Clock::now() < end) continue;
    const std::string seen = fmt::format("{} are bit-identical to the CPU's after {}",
                                         counted(comparison.samples, "sample"), counted(steps, "step"));
    return {DeviceFinding::Verdict::right, seen, steps, steps < total};
  }
}

DeviceFinding finding_of(const std::exception& error) {
  const bool fails = dynamic_cast<const DeviceFailure*>(&error) && !dynamic_cast<const DeviceOutOfMemory*>(&error) &&
                     !dynamic_cast<const NoSuchKernels*>(&error);
  return {fails ? DeviceFinding::Verdict::wrong : DeviceFinding::Verdict::unavailable, error.what(), 0, false};
}

nlohmann::ordered_json json_of(const DeviceFinding& finding) {
  return {{"verdict", finding.verdict},
          {"seen", finding.seen},
          {"steps", finding.steps},
          {"out_of_time", finding.out_of_time}};
}

DeviceFinding finding_of(const nlohmann::json& json) {
  return {json.at("verdict").get<DeviceFinding::Verdict>(), json.at("seen").get<std::string>(),
          json.at("steps").get<std::int64_t>(), json.at("out_of_time").get<bool>()};
}

}  // namespace jostle
