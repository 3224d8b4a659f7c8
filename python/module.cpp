// The compiled part of the Python package: jostle._core. What a user sees is python/jostle/*.py.
#include "python/module.hpp"

#include <omp.h>
#include <pthread.h>

#include <exception>
#include <string>

#include "drivers/commit.hpp"
#include "drivers/errors.hpp"
#include "drivers/results_version.hpp"

namespace jostle::python {
namespace {

/// Bytes that are not UTF-8, such as those of a path, become what os.fsdecode makes of them.
nb::object text_of(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
}

/// Raises the class of jostle._errors with these arguments.
template <class... Arguments>
void raise(const char* name, Arguments... arguments) {
  const nb::object error = nb::module_::import_("jostle._errors").attr(name)(arguments...);
  PyErr_SetObject(error.type().ptr(), error.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ScenarioError& error) {
    // Python has an argument `set` in place of the option.
    const auto without_dashes = [](const std::string& text) { return text.starts_with("--") ? text.substr(2) : text; };
    raise("ScenarioError", text_of(without_dashes(error.what())), text_of(without_dashes(error.file)), error.line,
          error.column);
  } catch (const UsageError& error) {
    raise("UsageError", text_of(error.what()));
  } catch (const FileError& error) {
    raise("FileError", text_of(error.what()));
  } catch (const std::filesystem::filesystem_error& error) {
    raise("FileError", text_of(error.what()));
  } catch (const DeviceAbsent& error) {
    raise("DeviceError", text_of(error.what()));
  } catch (const DeviceFailure& error) {
    raise("DeviceError", text_of(error.what()));
  }
}

/// OpenMP's threads do not survive a fork: a child that has its parent's waits for them forever. So a thread that forks
/// lets its own go before. The next call makes new ones, in the parent and in the child.
void survive_forks() {
  const auto let_go = [] { omp_pause_resource(omp_pause_soft, omp_get_initial_device()); };
  pthread_atfork(let_go, nullptr, nullptr);
}

}  // namespace

bool Interrupt::is_set() {
  if (error_ || is_exiting()) return true;
  const WithGil gil;
  if (PyErr_CheckSignals() == 0) return false;
  error_.emplace();
  return true;
}

void Interrupt::rethrow() {
  if (error_) throw std::move(*error_);
}

}  // namespace jostle::python

NB_MODULE(_core, module) {
  using namespace jostle::python;  // NOLINT(google-build-using-namespace)
  module.doc() = "The compiled part of jostle; use the package itself.";
  nb::set_leak_warnings(false);  // arrays may outlive the module at exit
  module.attr("__version__") = JOSTLE_VERSION;
  module.attr("results_version") = jostle::results_version;
  module.attr("commit") = jostle::commit();
  nb::register_exception_translator(translate);
  survive_forks();
  bind_scenario(module);
  bind_batch(module);
  bind_device(module);
  bind_sweep(module);
  bind_lcp(module);
  bind_device_lcp(module);
}
