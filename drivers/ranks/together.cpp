#include "drivers/ranks/together.hpp"

#include <array>

#include "drivers/errors.hpp"

namespace jostle {
namespace {

/// The worse the larger: a defect, then what another machine may do better, then what the user must change.
std::int64_t severity(ExitStatus status) {
  constexpr std::array order = {ExitStatus::ok,      ExitStatus::interrupted, ExitStatus::invalid_samples,
                                ExitStatus::fail_if, ExitStatus::usage,       ExitStatus::device,
                                ExitStatus::file,    ExitStatus::internal};
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] == status) return static_cast<std::int64_t>(i);
  return static_cast<std::int64_t>(order.size());
}

constexpr std::int64_t most_ranks = std::int64_t{1} << 32;
constexpr int status_bits = 8;

ExitStatus status_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return exit_status_of(error);
  } catch (...) {
    return ExitStatus::internal;
  }
}

/// Larger for a worse status, and then for a lower rank; ends in the status.
std::int64_t claim(ExitStatus status, int rank) {
  return (severity(status) * most_ranks + most_ranks - 1 - rank) << status_bits | static_cast<int>(status);
}

}  // namespace

void together(Ranks& ranks, const std::function<void()>& part) {
  std::exception_ptr failure;
  try {
    part();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::int64_t own = failure ? claim(status_of(failure), ranks.rank()) : 0;
  std::int64_t worst = own;
  ranks.largest(std::span(&worst, 1));
  if (worst == 0) return;
  ranks.all_have_failed = true;
  if (worst == own) std::rethrow_exception(failure);
  throw OtherRankFailed(static_cast<ExitStatus>(worst & ((1 << status_bits) - 1)));
}

}  // namespace jostle
