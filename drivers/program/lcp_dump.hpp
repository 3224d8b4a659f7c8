#pragma once
// `jostle run --dump-lcp`: writes the LCPs of steps to a file that `jostle lcp` reads.
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "drivers/devices/step_channels.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/lcp_files/numpy_archive.hpp"

namespace jostle {

/// The file of an option `--dump-lcp STEP|all FILE`, written as the LCPs come: a list of JSON objects, one per line;
/// or, if its name ends in .npz, an archive of numpy. It has its name when it is complete; a run without an LCP leaves
/// none.
class LcpDump {
 public:
  /// `words`: STEP and FILE, or nothing. Throws UsageError.
  LcpDump(const std::vector<std::string>& words, std::int64_t steps);

  bool is_wanted() const { return !file_.empty(); }
  /// Writes it if its step is wanted. Throws FileError.
  void see(const StepLcp& lcp);
  /// Ends the file. Throws FileError, and UsageError if there was no LCP; `good_steps`: that were taken.
  void finish(std::int64_t good_steps);

 private:
  /// What stands in `text_`, to the file.
  void write_out();
  void write_line(const StepLcp& lcp, const std::string& name);
  void write_arrays(const StepLcp& lcp, const std::string& name);

  std::int64_t step_ = 0;  ///< 0: all
  std::string file_;
  bool is_archive_ = false;
  std::optional<AtomicFile> out_;
  std::ostringstream text_;
  NumpyArchiveWriter archive_{text_};
};

}  // namespace jostle
