#pragma once

namespace jostle {

/// Exit status of the program. The numbers are a contract with scripts and job queues.
enum class ExitStatus : int {
  ok = 0,
  internal = 1,         ///< a defect of the program
  usage = 2,            ///< wrong command line or scenario; nothing was written
  invalid_samples = 3,  ///< more invalid samples than --max-invalid; everything was written
  fail_if = 4,          ///< the condition of --fail-if holds; everything was written
  device = 5,           ///< the device asked for is absent
  file = 6,             ///< disk, file or memory; closed shards are valid
  interrupted = 75,     ///< the same command resumes
};

}  // namespace jostle
