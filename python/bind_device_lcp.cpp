// jostle._core.solve_lcps_on_device: stacks of LCPs in the memory of a GPU.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "cuda/lcp_batch.hpp"
#include "drivers/errors.hpp"
#include "emulation/host_device.hpp"
#include "python/device_array.hpp"

namespace jostle::python {
namespace {

/// Parts of one block of memory, one after the other, each at the beginning of a line.
class Carver {
 public:
  template <class T>
  std::size_t add(std::size_t count) {
    const std::size_t first = std::exchange(bytes_, bytes_ + round_up_to_line(count * sizeof(T)));
    return first;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// The answers of k problems of size n in the memory of a device, written in its queue 0, which is the caller's stream.
class DeviceAnswers {
 public:
  DeviceAnswers(std::shared_ptr<Device> device, DeviceArray M, DeviceArray q)
      : device_(std::move(device)), M_(std::move(M)), q_(std::move(q)), k_(q_.shape(0)), n_(q_.shape(1)) {
    const std::size_t numbers = k_ * n_;
    z_ = carver_.add<double>(numbers), w_ = carver_.add<double>(numbers), ray_ = carver_.add<double>(numbers);
    residual_ = carver_.add<double>(k_), zeros_ = carver_.add<std::int64_t>(k_);
    pivots_ = carver_.add<std::int32_t>(k_), attempts_ = carver_.add<std::int32_t>(k_);
    basis_ = carver_.add<std::uint8_t>(numbers), status_ = carver_.add<std::uint8_t>(k_);
  }
  DeviceAnswers(const DeviceAnswers&) = delete;
  DeviceAnswers& operator=(const DeviceAnswers&) = delete;
  ~DeviceAnswers() {
    if (memory_) device_->give_back(0, memory_);
  }

  void solve() {
    memory_ = device_->take(0, std::max(carver_.bytes(), std::size_t{1}));
    LcpBatch batch;
    batch.count = static_cast<int>(k_);
    batch.size = static_cast<int>(n_);
    batch.M = static_cast<const double*>(M_.data());
    batch.q = static_cast<const double*>(q_.data());
    if (M_.ndim() == 2) {
      device_->clear(0, memory_ + zeros_, k_ * sizeof(std::int64_t));
      batch.matrix_starts = at<std::int64_t>(zeros_);
    }
    batch.z = at<double>(z_), batch.w = at<double>(w_), batch.ray = at<double>(ray_);
    batch.residual = at<double>(residual_);
    batch.pivots = at<std::int32_t>(pivots_), batch.attempts = at<std::int32_t>(attempts_);
    batch.basis = at<std::uint8_t>(basis_), batch.status = at<LcpStatus>(status_);
    solve_lcp_batch(*device_, batch);
  }

  /// What a stream gets from now on finds the answers.
  void precede(std::uintptr_t stream) const { device_->precede(0, stream); }

  /// z, w, basis, residual, status, pivots, ray, attempts; each keeps `answers`.
  static Tuple arrays(const std::shared_ptr<DeviceAnswers>& answers) {
    const DeviceAnswers& a = *answers;
    const auto view = [&]<class T>(std::size_t first, std::initializer_list<std::size_t> shape, T) {
      return device_view(a.at<T>(first), nb::dtype<T>(), shape, answers, a.device_->place());
    };
    return nb::make_tuple(view(a.z_, {a.k_, a.n_}, 0.0), view(a.w_, {a.k_, a.n_}, 0.0),
                          view(a.basis_, {a.k_, a.n_}, std::uint8_t{}), view(a.residual_, {a.k_}, 0.0),
                          view(a.status_, {a.k_}, std::uint8_t{}), view(a.pivots_, {a.k_}, std::int32_t{}),
                          view(a.ray_, {a.k_, a.n_}, 0.0), view(a.attempts_, {a.k_}, std::int32_t{}));
  }

 private:
  template <class T>
  T* at(std::size_t first) const {
    return reinterpret_cast<T*>(memory_ + first);
  }

  std::shared_ptr<Device> device_;
  DeviceArray M_, q_;  ///< the stream may still have to read them
  std::size_t k_, n_;
  Carver carver_;
  std::size_t z_, w_, ray_, residual_, zeros_, pivots_, attempts_, basis_, status_;
  std::byte* memory_ = nullptr;
};

struct PyAnswers {
  std::shared_ptr<DeviceAnswers> answers;
};

void check_numbers(const DeviceArray& array, const char* name) {
  if (array.dtype() != nb::dtype<double>())
    throw UsageError(std::string(name) + " must have numbers of the type float64: only they can be certified");
  if (!is_contiguous(array)) throw UsageError(std::string(name) + " must be contiguous");
}

std::string shape_of(const DeviceArray& array) {
  std::string text;
  for (std::size_t k = 0; k < array.ndim(); ++k) text += (k > 0 ? ", " : "") + std::to_string(array.shape(k));
  return "(" + text + ")";
}

PyAnswers solve_on_device(const DeviceArray& M, const DeviceArray& q, std::uintptr_t stream, bool is_emulated) {
  check_numbers(M, "M"), check_numbers(q, "q");
  if (M.device_id() != q.device_id())
    throw UsageError("M is on GPU " + std::to_string(M.device_id()) + ", q on GPU " + std::to_string(q.device_id()));
  const bool has_stack = M.ndim() == 3, is_shaped = q.ndim() == 2 && (has_stack || M.ndim() == 2);
  if (!is_shaped || M.shape(M.ndim() - 1) != q.shape(1) || M.shape(M.ndim() - 2) != q.shape(1) ||
      (has_stack && M.shape(0) != q.shape(0)))
    throw UsageError("on a GPU, problems need M of shape (k, n, n), or (n, n) for all, and q of shape (k, n), not " +
                     shape_of(M) + " and " + shape_of(q));
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (q.shape(0) > most)
    throw UsageError("there are more than " + std::to_string(most) + " problems: give parts of them");
  const auto device = [&]() -> std::shared_ptr<Device> {
    if (is_emulated) return std::make_shared<HostDevice>();
    auto* const of_caller = reinterpret_cast<CUstream_st*>(stream);  // NOLINT(performance-no-int-to-ptr)
    return cuda_device_in_stream(M.device_id(), of_caller);
  };
  const WithoutGil unlocked;
  const auto answers = std::make_shared<DeviceAnswers>(device(), M, q);
  answers->solve();
  return {answers};
}

}  // namespace

void bind_device_lcp(nb::module_& module) {
  nb::class_<PyAnswers>(module, "DeviceAnswers", "Answers in the memory of a GPU.")
      .def("arrays", [](const PyAnswers& a) { return DeviceAnswers::arrays(a.answers); })
      .def(
          "precede", [](const PyAnswers& a, std::uintptr_t stream) { a.answers->precede(stream); }, nb::arg("stream"));
  module.def("solve_lcps_on_device", &solve_on_device, nb::arg("M"), nb::arg("q"), nb::arg("stream"),
             nb::arg("is_emulated"),
             "Of M (k, n, n) or (n, n) and q (k, n) in the memory of a GPU, in a stream of CUDA's; returns at once.");
}

}  // namespace jostle::python
