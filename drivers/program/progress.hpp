#pragma once
// How a sweep reports its progress on stderr: one line that is rewritten in a terminal, else a plain line
// every ten seconds.
#include <cstdio>
#include <string>

#include "drivers/sweeps/sweep.hpp"

namespace jostle {

/// "12,288 of 20,000 samples (61 %), 85,210/s, 1 s left, lies 0.874". `truth_outcome`: name of the first
/// truth-valued outcome, or empty.
std::string progress_text(const SweepProgress& progress, const std::string& truth_outcome);

class ProgressLine {
 public:
  /// `terminal`: whether `stream` is one; the second form asks the system.
  ProgressLine(const DatasetDescription& description, std::FILE* stream, bool terminal);
  ProgressLine(const DatasetDescription& description, std::FILE* stream);
  /// Ends a line that is still being rewritten.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Prints if it is time to do so.
  void update(const SweepProgress& progress);

 private:
  std::string truth_outcome_;
  std::FILE* stream_;
  bool terminal_;
  double last_ = 0;  ///< s, of the line printed last
  bool open_line_ = false;
};

}  // namespace jostle
