#pragma once
// How systems stay in the memory of a GPU.

namespace jostle {

struct ResidentOptions {
  /// Steps and resets are only put into the caller's stream, and the host waits for none of them, so that a CUDA graph
  /// can have them.
  bool is_capturable = false;
  /// If capturable, and the batch keeps contacts: room of each system for at least so many, as it cannot grow. A system
  /// that needs more for the last step of a call gets the status `capacity`. 0: as many as one problem can have; a step
  /// that is divided, or has impacts, has several problems.
  int contact_rows = 0;
};

}  // namespace jostle
