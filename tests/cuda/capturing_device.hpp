#pragma once
// A mock GPU whose queue can be captured, as a stream by a CUDA graph, and repeated. While it is captured, everything
// is refused that a graph cannot have: waits, copies from and to the host, and memory.
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulation/emulated_device.hpp"

namespace jostle::test {

template <class Mock>
class CapturingDevice : public Mock {
 public:
  using Graph = std::vector<std::function<void()>>;
  using Mock::Mock;

  /// What f puts into queue 0.
  Graph capture(const auto& f) {
    Mock::wait(0);
    {
      const Capturing capturing(is_capturing_);
      f();
    }
    return this->take_pending(0);
  }
  static void repeat(const Graph& graph) {
    for (const auto& work : graph) work();
  }

  void wait(int queue) override { refuse("wait"), Mock::wait(queue); }
  void wait_for_all() override { refuse("wait_for_all"), Mock::wait_for_all(); }
  std::byte* allocate(std::size_t bytes) override { return refuse("allocate"), Mock::allocate(bytes); }
  void upload(int queue, void* to, const void* from, std::size_t bytes) override {
    refuse("upload"), Mock::upload(queue, to, from, bytes);
  }
  void download(int queue, void* to, const void* from, std::size_t bytes) override {
    refuse("download"), Mock::download(queue, to, from, bytes);
  }
  void precede(int queue, std::uintptr_t stream) override {
    if (!is_capturing_) Mock::precede(queue, stream);
  }

 private:
  struct Capturing {
    explicit Capturing(bool& is) : is(is) { is = true; }
    ~Capturing() { is = false; }
    bool& is;
  };
  void refuse(const char* call) const {
    if (is_capturing_) throw std::logic_error(std::string(call) + " during capture");
  }

  bool is_capturing_ = false;
};

}  // namespace jostle::test
