// The order of a program's blocks.
#include <algorithm>
#include <limits>

#include "tests/ptx/program.hpp"

namespace jostle::ptx {
namespace {

using Blocks = std::vector<std::vector<int>>;  ///< [block] those that may come next

/// [block] its first instruction; and behind the last one, the end.
std::vector<std::size_t> beginnings(const Function& function) {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < function.code.size(); ++i)
    if (function.code[i].begins_block) first.push_back(i);
  first.push_back(function.code.size());
  return first;
}

Blocks successors(const Function& function, const std::vector<std::size_t>& first) {
  Blocks next(first.size() - 1);
  for (std::size_t block = 0; block < next.size(); ++block) {
    const Instruction& last = function.code[first[block + 1] - 1];
    if (last.target >= 0)
      next[block].push_back(static_cast<int>(
          std::lower_bound(first.begin(), first.end(), static_cast<std::size_t>(last.target)) - first.begin()));
    const bool goes_on = last.guard >= 0 || (last.target < 0 && !last.text.ends_with("ret"));
    if (goes_on && block + 1 < next.size()) next[block].push_back(static_cast<int>(block) + 1);
  }
  return next;
}

/// Bourdoncle's algorithm; `order` is filled from its end.
class Ordering {
 public:
  explicit Ordering(const Blocks& next) : next_(next), found_(next.size(), 0) {}

  std::vector<int> make() {
    for (int block = 0; block < static_cast<int>(next_.size()); ++block)
      if (found_[at(block)] == 0) visit(block);  // a later one cannot be reached
    std::reverse(order_.begin(), order_.end());
    return order_;
  }

 private:
  static std::size_t at(int block) { return static_cast<std::size_t>(block); }

  int visit(int block) {
    stack_.push_back(block);
    const int own = found_[at(block)] = ++count_;
    int head = own;
    bool is_loop = false;
    for (const int next : next_[at(block)]) {
      const int least = found_[at(next)] == 0 ? visit(next) : found_[at(next)];
      if (least <= head) head = least, is_loop = true;
    }
    if (head == own) close(block, is_loop);
    return head;
  }

  /// All that the block leads to has its place, but for a loop that it begins.
  void close(int block, bool is_loop) {
    found_[at(block)] = std::numeric_limits<int>::max();
    while (stack_.back() != block) {
      found_[at(stack_.back())] = 0;
      stack_.pop_back();
    }
    stack_.pop_back();
    if (is_loop)
      for (const int next : next_[at(block)])
        if (found_[at(next)] == 0) visit(next);
    order_.push_back(block);
  }

  const Blocks& next_;
  std::vector<int> found_;  ///< [block] when it was; 0: not yet; the largest number: it has its place
  std::vector<int> stack_, order_;
  int count_ = 0;
};

}  // namespace

void set_order(Function& function) {
  if (function.code.empty()) return;
  const std::vector<std::size_t> first = beginnings(function);
  int number = 0;
  for (const int block : Ordering(successors(function, first)).make())
    for (std::size_t i = first[static_cast<std::size_t>(block)]; i < first[static_cast<std::size_t>(block) + 1]; ++i)
      function.code[i].order = number++;
}

}  // namespace jostle::ptx
