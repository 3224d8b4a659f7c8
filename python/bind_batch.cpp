// jostle._core.Batch: LiveBatch with arrays of numpy.
#include <nanobind/stl/unique_ptr.h>

#include <type_traits>

#include "drivers/datasets/status_names.hpp"
#include "drivers/errors.hpp"
#include "drivers/watch.hpp"
#include "python/py_batch.hpp"

namespace jostle::python {
namespace {

using SampleArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MaskArray = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void step(PyBatch& b, int count, const std::optional<MaskArray>& where) {
  if (where && where->shape(0) != b.size())
    throw UsageError("where has " + std::to_string(where->shape(0)) + " entries, but there are " +
                     std::to_string(b.size()) + " systems");
  Interrupt interrupt;
  const bool* const mask = where ? where->data() : nullptr;
  b.work([&](LiveBatch& batch) { return batch.step(count, mask, [&] { return interrupt.is_set(); }); });
  interrupt.rethrow();
}

struct PySnapshot {
  std::shared_ptr<const LiveBatch::Snapshot> kept;
};

/// With `is_sweep` the samples are all those of a sweep, else some of the scenario's.
std::unique_ptr<PyBatch> make_batch(const Scenario& scenario, const SampleArray& samples,
                                    std::optional<std::uint64_t> seed, const std::string& device, int threads,
                                    bool is_sweep) {
  std::vector<std::int64_t> numbers(samples.data(), samples.data() + samples.shape(0));
  const bool is_hypercube = scenario.sample.method == SampleMethod::latin_hypercube;
  std::optional<std::int64_t> count;
  if (is_hypercube ? is_sweep : scenario.sample.count < 0) count = static_cast<std::int64_t>(numbers.size());
  Interrupt interrupt;
  try {
    const WithoutGil unlocked;
    return std::make_unique<PyBatch>(with_sampling(scenario, seed, count), std::move(numbers), device, threads,
                                     [&] { return interrupt.is_set(); });
  } catch (const Stopped&) {
    interrupt.rethrow();
    throw;
  }
}

std::vector<double> outcomes(LiveBatch& batch, int outcome) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(batch.size()));
  for (int i = 0; i < batch.size(); ++i) values.push_back(batch.outcome(i, outcome));
  return values;
}

std::vector<std::uint64_t> digests(LiveBatch& batch) {
  std::vector<std::uint64_t> values;
  values.reserve(static_cast<std::size_t>(batch.size()));
  for (int i = 0; i < batch.size(); ++i) values.push_back(batch.digest(i));
  return values;
}

std::vector<std::uint8_t> stopped(LiveBatch& batch) {
  std::vector<std::uint8_t> values;
  values.reserve(static_cast<std::size_t>(batch.size()));
  for (int i = 0; i < batch.size(); ++i) values.push_back(batch.has_stopped(i));
  return values;
}

std::vector<double> inertia(LiveBatch& batch, int body) {
  std::vector<double> values;
  for (int i = 0; i < batch.size(); ++i)
    for (int k = 0; k < 3; ++k) values.push_back(batch.parameters(i).inertia[3 * body + k]);
  return values;
}

/// (splits, {field: array})
nb::typed<nb::tuple, Array<std::int64_t>, Dict> contacts(PyBatch& b) {
  ContactRecords all = b.work([](LiveBatch& batch) { return batch.contacts(); });
  nb::dict fields;
  const auto rows = static_cast<std::size_t>(all.rows());
  for_each_contact_column(all, [&](const RecordColumn& column, auto& values) {
    std::vector<std::size_t> shape{rows};
    if (column.extent > 1) shape.push_back(static_cast<std::size_t>(column.extent));
    const auto add = [&](auto& numbers) { fields[column.name.c_str()] = new_array(std::move(numbers), shape); };
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(values)>, RealArray>)
      add(values.doubles());
    else
      add(values);
  });
  const std::size_t splits = all.splits.size();
  return nb::make_tuple(new_array(std::move(all.splits), {splits}), fields);
}

/// [system] memory of the batch that LiveBatch::*Member(number) has, and copies of what it gives.
template <auto Member>
Array<double> view_of(PyBatch& b, int number) {
  return b.view(b.work([&](LiveBatch& batch) { return (batch.*Member)(number); }), {b.size()});
}
template <auto Member>
Array<double> column_of(PyBatch& b, int number) {
  return new_array(b.work([&](LiveBatch& batch) { return (batch.*Member)(number); }), {b.size()});
}
template <auto Member>
bool tell(PyBatch& b, int number) {
  return b.work([&](LiveBatch& batch) { return (batch.*Member)(number); });
}

void bind_states(nb::class_<PyBatch>& batch) {
  batch
      .def_prop_ro(
          "bodies", [](PyBatch& b) { return b.batch().bodies(); }, "Numbers of the bodies that are shown.")
      .def_prop_ro("q",
                   [](PyBatch& b) {
                     return b.view(b.batch().q(), {b.size(), b.bodies(), 7});
                   })
      .def_prop_ro("v",
                   [](PyBatch& b) {
                     return b.view(b.batch().v(), {b.size(), b.bodies(), 6});
                   })
      .def_prop_ro("status", [](PyBatch& b) { return b.view(b.batch().status(), {b.size()}); })
      .def_prop_ro("steps", [](PyBatch& b) { return b.view(b.batch().steps(), {b.size()}); });
}

/// What is written from outside.
void bind_variables(nb::class_<PyBatch>& batch) {
  batch
      .def("wrenches",
           [](PyBatch& b) {
             double* const memory = b.work([](LiveBatch& live) { return live.wrenches(); });
             return b.view(memory, {b.size(), b.bodies(), 6});
           })
      .def(
          "variable",
          [](PyBatch& b, const std::string& name) {
            return b.view(b.work([&](LiveBatch& live) { return live.variable(name); }), {b.size()});
          },
          nb::arg("name"))
      .def("mass", &view_of<&LiveBatch::mass>, nb::arg("body"))
      .def("masses", &column_of<&LiveBatch::masses>, nb::arg("body"))
      .def("sets_mass", &tell<&LiveBatch::sets_mass>, nb::arg("body"))
      .def("motor_speed", &view_of<&LiveBatch::motor_speed>, nb::arg("joint"))
      .def("motor_speeds", &column_of<&LiveBatch::motor_speeds>, nb::arg("joint"))
      .def("sets_motor_speed", &tell<&LiveBatch::sets_motor_speed>, nb::arg("joint"))
      .def(
          "apply",
          [](PyBatch& b, const nb::ndarray<nb::numpy, double, nb::ndim<1>>& variable) {
            b.work([&](LiveBatch& live) { live.apply(variable.data()); });
          },
          nb::arg("variable"));
}

void bind_steps(nb::class_<PyBatch>& batch) {
  batch.def("step", &step, nb::arg("count"), nb::arg("where").none())
      .def(
          "reset",
          [](PyBatch& b, const std::vector<int>& systems) { b.work([&](LiveBatch& live) { live.reset(systems); }); },
          nb::arg("systems"))
      .def("save", [](PyBatch& b) { return PySnapshot{b.work([](LiveBatch& live) { return live.save(); })}; })
      .def(
          "restore",
          [](PyBatch& b, const PySnapshot& snapshot) {
            b.work([&](LiveBatch& live) { live.restore(*snapshot.kept); });
          },
          nb::arg("snapshot"));
}

/// What is computed from the states when it is asked for.
void bind_quantities(nb::class_<PyBatch>& batch) {
  batch
      .def(
          "reason", [](PyBatch& b, int system) { return b.work([&](LiveBatch& live) { return live.reason(system); }); },
          nb::arg("system"))
      .def(
          "outcome",
          [](PyBatch& b, int outcome) {
            return new_array(b.work([&](LiveBatch& live) { return outcomes(live, outcome); }), {b.size()});
          },
          nb::arg("outcome"))
      .def(
          "inertia",
          [](PyBatch& b, int body) {
            return new_array(b.work([&](LiveBatch& live) { return inertia(live, body); }), {b.size(), 3});
          },
          nb::arg("body"))
      .def("stopped",
           [](PyBatch& b) { return new_array(b.work([](LiveBatch& live) { return stopped(live); }), {b.size()}); })
      .def("contacts", &contacts)
      .def("impulses",
           [](PyBatch& b) {
             return new_array(b.work([](LiveBatch& live) { return live.impulses(); }), {b.size(), b.bodies(), 6});
           })
      .def("quantity", &column_of<&LiveBatch::quantity>, nb::arg("quantity"))
      .def(
          "joint",
          [](PyBatch& b, int joint) {
            return new_array(b.work([&](LiveBatch& live) { return live.joint(joint); }), {b.size(), 3});
          },
          nb::arg("joint"))
      .def("pairs", [](PyBatch& b) { return b.work([](LiveBatch& live) { return live.pairs(); }); })
      .def("digests",
           [](PyBatch& b) { return new_array(b.work([](LiveBatch& live) { return digests(live); }), {b.size()}); });
}

}  // namespace

void bind_batch(nb::module_& module) {
  module.def("status_name", [](int status) { return std::string(name_of(static_cast<Status>(status))); });
  nb::class_<PySnapshot>(module, "Snapshot", "All that decides how a batch continues; can be pickled.")
      .def("__getstate__",
           [](const PySnapshot& snapshot) {
             const std::string bytes = LiveBatch::bytes_of(*snapshot.kept);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__", [](PySnapshot& snapshot, const nb::bytes& bytes) {
        new (&snapshot) PySnapshot{LiveBatch::snapshot_of({bytes.c_str(), bytes.size()})};
      });
  nb::class_<PyBatch> batch(module, "Batch", "Systems that are stepped together.");
  batch.def_static("make", &make_batch, nb::arg("scenario"), nb::arg("samples"), nb::arg("seed").none(),
                   nb::arg("device"), nb::arg("threads"), nb::arg("is_sweep"));
  bind_states(batch);
  bind_variables(batch);
  bind_steps(batch);
  bind_quantities(batch);
}

}  // namespace jostle::python
