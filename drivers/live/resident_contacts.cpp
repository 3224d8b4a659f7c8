#include "drivers/live/resident_contacts.hpp"

#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

namespace jostle {
namespace {

template <class T>
constexpr ContactArray::Type type_of() {
  if constexpr (std::is_same_v<T, double>) return ContactArray::Type::real;
  if constexpr (std::is_same_v<T, std::uint8_t>) return ContactArray::Type::uint8;
  return ContactArray::Type::int32;
}

/// visit(array without its place, pointer to it)
template <class Visit>
void for_each_array(std::size_t systems, ContactArrays& to, Visit visit) {
  const auto rows = static_cast<std::size_t>(to.rows), bodies = static_cast<std::size_t>(to.bodies);
  visit(ContactArray{"count",
                     "1",
                     "contacts of each system in its last step; -1: these arrays have been replaced",
                     ContactArray::Type::int32,
                     {systems}},
        to.count);
  visit(ContactArray{"impulse",
                     "N s, N m s",
                     "of all contacts on each body, world, about its centre of mass",
                     ContactArray::Type::real,
                     {systems, bodies, 6}},
        to.impulse);
#define JOSTLE_VISIT(type, name, extent, unit, meaning)                                                          \
  visit(ContactArray{#name, unit, meaning, type_of<type>(),                                                      \
                     (extent) == 1 ? std::vector<std::size_t>{systems, rows}                                     \
                                   : std::vector<std::size_t>{systems, rows, static_cast<std::size_t>(extent)}}, \
        to.fields.name);
  JOSTLE_CONTACT_FIELDS(JOSTLE_VISIT)
#undef JOSTLE_VISIT
}

std::size_t bytes_of(const std::vector<std::size_t>& shape, std::size_t each) {
  return std::accumulate(shape.begin(), shape.end(), each, std::multiplies<>());
}

}  // namespace

ResidentContacts::ResidentContacts(std::shared_ptr<const void> keep, Device& device, int systems, int bodies, int rows)
    : keep_(std::move(keep)), device_(device), systems_(systems) {
  to_.rows = rows, to_.bodies = bodies;
  std::size_t bytes = 0;
  for_each_array(static_cast<std::size_t>(systems), to_, [&](const ContactArray& array, auto& pointer) {
    bytes += round_up_to_line(bytes_of(array.shape, sizeof *pointer));
  });
  memory_ = DeviceMemory(device, bytes);
  std::byte* at = memory_.data();
  for_each_array(static_cast<std::size_t>(systems), to_, [&](ContactArray array, auto& pointer) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(at);
    array.first = at;
    at += round_up_to_line(bytes_of(array.shape, sizeof *pointer));
    arrays_.push_back(std::move(array));
  });
}

void ResidentContacts::show(int queue, const RecordView* records) {
  device_.change_systems(queue, systems_ * to_.rows, ShowContacts{records, to_});
}

}  // namespace jostle
