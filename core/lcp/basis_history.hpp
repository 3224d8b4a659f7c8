#pragma once
// Cycles of Lemke's method, found without storing the bases.
#include <cstdint>

#include "core/config.hpp"

namespace jostle {

/// Detects when pivoting returns to a basis: Brent's test, on a key that is the exclusive or over the basic variables.
/// (Equal keys of different bases, one in 2^64, would cost an attempt.)
class BasisHistory {
 public:
  /// One variable leaves the basis, another enters. True if the basis is that of an earlier pivot.
  JOSTLE_HD bool repeats_after(int leaving, int entering) {
    key_ ^= key_of(leaving) ^ key_of(entering);
    if (key_ == remembered_) return true;
    if (++pivots_ == next_to_remember_) {
      remembered_ = key_;
      next_to_remember_ *= 2;
    }
    return false;
  }

 private:
  // The finaliser of splitmix64 [Steele, Lea, Flood 2014], with a key for variable 0 as well.
  JOSTLE_HD static std::uint64_t key_of(int variable) {
    std::uint64_t bits = (static_cast<std::uint64_t>(variable) + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
  }

  std::uint64_t key_ = 0;
  std::uint64_t remembered_ = 0;  // the basis before the first pivot
  int pivots_ = 0;
  int next_to_remember_ = 4;
};

}  // namespace jostle
