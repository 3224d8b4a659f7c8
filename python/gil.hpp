#pragma once
// The GIL, released and taken again by a thread that Python called. While the interpreter exits, CPython 3.9 to 3.13
// end every other thread that asks for the GIL (a daemon thread), by pthread_exit. With glibc that unwinds the stack
// like an exception, and the first function that is noexcept aborts the process; nanobind's guards and its calls are.
// So such a thread waits here until the process has ended, as it does in CPython 3.14.
#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace jostle::python {

/// Whether the interpreter exits. Needs no GIL.
inline bool is_exiting() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

/// f(), which takes the GIL; never returns if the interpreter exits.
template <class F>
auto taking_gil(F f) noexcept {
  try {
    return f();
  } catch (...) {  // the thread is being unwound, which nothing but the end of the process may follow
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

/// Without the GIL while it lives.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    taking_gil([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

/// With the GIL while it lives, on a thread that is without.
class WithGil {
 public:
  WithGil() : state_(taking_gil([] { return PyGILState_Ensure(); })) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace jostle::python
