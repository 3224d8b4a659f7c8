// Arrays in the memory of a GPU: the systems of a batch that stay there, and what a caller assigns from there.
#include <algorithm>

#include "cuda/device.hpp"
#include "cuda/device_errors.hpp"
#include "drivers/errors.hpp"
#include "drivers/live/resident_systems.hpp"
#include "python/device_array.hpp"
#include "python/py_batch.hpp"

namespace jostle::python {
namespace {

/// Keeps the memory of the arrays that it gives.
struct PyContactArrays {
  std::shared_ptr<ResidentContacts> contacts;

  nb::object array(const std::string& name) const {
    const auto found = std::ranges::find(contacts->arrays(), name, &ContactArray::name);
    if (found == contacts->arrays().end()) throw UsageError("contacts have no '" + name + "'");
    const auto type = found->type == ContactArray::Type::real    ? nb::dtype<double>()
                      : found->type == ContactArray::Type::int32 ? nb::dtype<std::int32_t>()
                                                                 : nb::dtype<std::uint8_t>();
    return device_view(found->first, type, found->shape, contacts, contacts->place());
  }

  nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::str>> names() const {
    nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::str>> list;
    for (const ContactArray& array : contacts->arrays()) list.append(nb::make_tuple(array.name, array.units));
    return list;
  }
};

/// Keeps the memory of the arrays that it gives.
struct Resident {
  std::shared_ptr<ResidentSystems> systems;

  /// [system], [system, columns] or [system, columns / components, components] of a field, without a copy.
  nb::object array(const std::string& name, int first, int columns) const {
    const auto& fields = systems->fields();
    const auto found = std::ranges::find(fields, name, &ResidentField::name);
    if (found == fields.end()) throw UsageError("there is no field '" + name + "'");
    if (columns == 0) columns = found->extent;
    if (first < 0 || columns < 1 || first + columns > found->extent)
      throw UsageError("'" + name + "' has " + std::to_string(found->extent) + " numbers of a system");
    const std::size_t width = found->is_real ? sizeof(double) : sizeof(std::int32_t);
    const auto parts = static_cast<std::size_t>(found->components), all = static_cast<std::size_t>(columns);
    std::vector<std::size_t> shape{static_cast<std::size_t>(systems->size())};
    std::vector<std::int64_t> strides{static_cast<std::int64_t>(found->pitch / width)};
    if (parts > 1) shape.insert(shape.end(), {all / parts, parts});
    if (parts > 1) strides.insert(strides.end(), {found->components, 1});
    if (parts == 1) shape.push_back(all), strides.push_back(1);
    const auto type = found->is_real ? nb::dtype<double>() : nb::dtype<std::int32_t>();
    return device_view(found->first + static_cast<std::size_t>(first) * width, type, shape, systems, systems->place(),
                       strides.data());
  }

  PyContactArrays contacts() const {
    if (!systems->contacts())
      throw UsageError("contacts are kept only if they are asked for: batch(..., contacts=True)");
    return {systems->contacts()};
  }

  nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::str, bool>> fields() const {
    nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::str, bool>> list;
    for (const ResidentField& field : systems->fields())
      list.append(nb::make_tuple(field.name, field.units, field.is_parameter));
    return list;
  }
};

template <class T>
nb::object copied(PyBatch& b, const DeviceArray& array) {
  std::vector<T> values(array.size());
  const std::vector<std::size_t> shape = [&] {
    std::vector<std::size_t> extents;
    for (std::size_t k = 0; k < array.ndim(); ++k) extents.push_back(array.shape(k));
    return extents;
  }();
  b.work([&](LiveBatch& batch) {
    Device& device = *batch.device();
    device.wait_for_all();
    device.download(0, values.data(), array.data(), values.size() * sizeof(T));
    device.wait(0);
    return true;
  });
  return new_array(std::move(values), shape);
}

/// A copy on the host of an array that is in the memory of the GPU of the batch.
nb::object to_host(PyBatch& b, const DeviceArray& array) {
  const Device* const device = b.batch().device();
  if (!device)
    throw UsageError("the array is in the memory of a GPU, but the batch is on the CPU: copy it to the host first");
  if (array.device_id() != device->place().index)
    throw UsageError("the array is on GPU " + std::to_string(array.device_id()) + ", the batch on GPU " +
                     std::to_string(device->place().index));
  if (!is_contiguous(array)) throw UsageError("an array in the memory of a GPU must be contiguous");
  if (array.dtype() == nb::dtype<double>()) return copied<double>(b, array);
  if (array.dtype() == nb::dtype<float>()) return copied<float>(b, array);
  throw UsageError("an array in the memory of a GPU must have numbers of the type float64 or float32");
}

ResidentSystems::Turn turn_of(PyBatch& b, const std::optional<DeviceArray>& where,
                              std::optional<std::uintptr_t> stream) {
  if (!where) return {nullptr, false, stream};
  const bool is_mask = where->dtype() == nb::dtype<bool>() || where->dtype() == nb::dtype<std::uint8_t>();
  if (!is_mask || where->ndim() != 1 || where->shape(0) != b.size() || !is_contiguous(*where))
    throw UsageError("where must be a mask: " + std::to_string(b.size()) + " truth values, contiguous");
  const bool is_on_device = where->device_type() != nb::device::cpu::value;
  const Device* const device = b.batch().device();
  if (is_on_device && device && where->device_id() != device->place().index)
    throw UsageError("the mask is on GPU " + std::to_string(where->device_id()) + ", the batch on GPU " +
                     std::to_string(device->place().index));
  return {static_cast<const std::uint8_t*>(where->data()), is_on_device, stream};
}

}  // namespace

void bind_device(nb::module_& module) {
  nb::class_<PyContactArrays>(module, "ContactArrays", "Contacts of systems in the memory of their GPU.")
      .def_prop_ro(
          "rows", [](const PyContactArrays& arrays) { return arrays.contacts->rows(); }, "Room of each system.")
      .def("names", &PyContactArrays::names, "(name, units) of each array.")
      .def("array", &PyContactArrays::array, nb::arg("name"), "An array, by DLPack, without a copy.");
  nb::class_<Resident>(module, "Resident", "Systems of a batch in the memory of its GPU.")
      .def("contacts", &Resident::contacts, "As they are after the last call.")
      .def("fields", &Resident::fields, "(name, units, whether it is a parameter) of each.")
      .def("array", &Resident::array, nb::arg("name"), nb::arg("first") = 0, nb::arg("columns") = 0,
           "A field of all systems, by DLPack, without a copy; of all its columns, or of some from `first` on.");
  module.def(
      "stay_on_device",
      [](PyBatch& b, bool capturable, int contact_rows) {
        const ResidentOptions options{capturable, contact_rows};
        return Resident{b.work([&](LiveBatch& batch) { return batch.upload(options); })};
      },
      nb::arg("batch"), nb::arg("capturable"), nb::arg("contact_rows"));
  module.def(
      "step_on_device",
      [](PyBatch& b, int count, bool wakes, const std::optional<DeviceArray>& where,
         std::optional<std::uintptr_t> stream) {
        const ResidentSystems::Turn turn = turn_of(b, where, stream);
        b.work([&](LiveBatch& batch) { batch.resident().step(count, wakes, turn); });
      },
      nb::arg("batch"), nb::arg("count"), nb::arg("wakes"), nb::arg("where").none(), nb::arg("stream").none());
  module.def(
      "reset_on_device",
      [](PyBatch& b, const std::optional<DeviceArray>& where, std::optional<std::uintptr_t> stream) {
        const ResidentSystems::Turn turn = turn_of(b, where, stream);
        b.work([&](LiveBatch& batch) { batch.resident().reset(turn); });
      },
      nb::arg("batch"), nb::arg("where").none(), nb::arg("stream").none());
  module.def(
      "bring_back",
      [](PyBatch& b) {
        b.work([](LiveBatch& batch) {
          batch.download();
          return 0;
        });
      },
      nb::arg("batch"));
  module.def(
      "wrench_variable",
      [](PyBatch& b, std::size_t body) {
        return b.work([&](LiveBatch& batch) { return batch.wrench_variable(body); });
      },
      nb::arg("batch"), nb::arg("body"));
  module.def("to_host", &to_host, nb::arg("batch"), nb::arg("array"));
}

}  // namespace jostle::python
