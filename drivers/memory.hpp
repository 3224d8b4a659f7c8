#pragma once
// What fits into the memory of this machine.
#include <new>
#include <string>
#include <utility>

namespace jostle {

/// Bytes that a process of this machine, or of this container, can have.
double memory_of_machine();

/// Is thrown before memory is asked for: the system grants more than there is, and ends the process that writes to it.
class NotEnoughMemory : public std::bad_alloc {
 public:
  explicit NotEnoughMemory(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

}  // namespace jostle
