#pragma once
// What several ranks do so that an error on any of them ends all, and is told once.
#include <exception>
#include <functional>

#include "drivers/exit_status.hpp"
#include "drivers/ranks/ranks.hpp"

namespace jostle {

/// Another rank has failed and says why.
class OtherRankFailed : public std::exception {
 public:
  explicit OtherRankFailed(ExitStatus status) : status_(status) {}
  const char* what() const noexcept override { return "another rank has failed"; }
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

/// Calls `part` on this rank and waits until all ranks have come back from theirs. If some throw, then all do: the
/// lowest rank with the worst exit status its own exception, the others OtherRankFailed. `part` must not call functions
/// of `ranks` that all call.
void together(Ranks& ranks, const std::function<void()>& part);

}  // namespace jostle
