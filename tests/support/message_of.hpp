#pragma once
#include <exception>
#include <string>

namespace jostle::test {

/// What the exception of a call says; empty if there is none.
std::string message_of(const auto& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace jostle::test
