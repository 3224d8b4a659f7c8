// jostle._cpu: the import fails with a sentence on a processor that lacks instructions that jostle._core was built for.
#include <Python.h>

namespace {

const char* missing_feature() {
#define JOSTLE_REQUIRE(feature) \
  if (!__builtin_cpu_supports(#feature)) return #feature;
#if defined(__x86_64__)
  __builtin_cpu_init();
  JOSTLE_REQUIRED_CPU_FEATURES
#endif
#undef JOSTLE_REQUIRE
  return nullptr;
}

PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_cpu", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__cpu() {
  const char* const missing = missing_feature();
  if (missing == nullptr) return PyModule_Create(&definition);
  return PyErr_Format(PyExc_ImportError,
                      "this jostle was built for processors with %s, which this one lacks; build it here with "
                      "pip install . -Ccmake.define.JOSTLE_ARCH=native (the results are the same)",
                      missing);
}
