#include "drivers/program/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "drivers/text.hpp"

namespace jostle {
namespace {

std::string name_of_truth(const DatasetDescription& description) {
  const int truth = first_truth(description);
  return truth < 0 ? "" : description.outcomes[static_cast<std::size_t>(truth)].name;
}

}  // namespace

std::string progress_text(const SweepProgress& progress, const std::string& truth_outcome) {
  const double percent = 100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total);
  std::string text =
      fmt::format("{} of {} samples ({:.0f} %)", with_commas(progress.done), with_commas(progress.total), percent);
  if (progress.simulated > 0 && progress.seconds > 0) {
    const double rate = static_cast<double>(progress.simulated) / progress.seconds;
    const double left = static_cast<double>(progress.total - progress.done) / rate;
    text += fmt::format(", {}/s, {} left", per_second_text(rate), duration_text(left));
  }
  if (progress.ranks > 1) text += fmt::format(", {} of {} ranks at work", progress.at_work, progress.ranks);
  if (!truth_outcome.empty() && progress.valid > 0)
    text += fmt::format(", {} {:.4f}", truth_outcome,
                        static_cast<double>(progress.true_count) / static_cast<double>(progress.valid));
  return text;
}

ProgressLine::ProgressLine(const DatasetDescription& description, std::FILE* stream, bool terminal)
    : truth_outcome_(name_of_truth(description)), stream_(stream), terminal_(terminal) {}

ProgressLine::ProgressLine(const DatasetDescription& description, std::FILE* stream)
    : ProgressLine(description, stream, ::isatty(::fileno(stream)) == 1) {}

ProgressLine::~ProgressLine() {
  if (open_line_) std::fputc('\n', stream_);
}

void ProgressLine::update(const SweepProgress& progress) {
  const double interval = terminal_ ? 0.2 : 10.0;
  const bool at_end = terminal_ && progress.done == progress.total;
  if (progress.seconds - last_ < interval && !at_end) return;
  last_ = progress.seconds;
  const std::string text = progress_text(progress, truth_outcome_);
  std::fputs((terminal_ ? '\r' + text + "\x1b[K" : text + '\n').c_str(), stream_);
  std::fflush(stream_);
  open_line_ = terminal_;
}

}  // namespace jostle
