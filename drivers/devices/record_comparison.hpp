#pragma once
// The records of one sample that two backends have simulated, number by number.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/records/record_memory.hpp"

namespace jostle {

/// How many entries of a record have a value after `steps` steps.
inline int valid_entries(const RecordMemory& record, std::int64_t total_steps, int steps) {
  return steps == total_steps ? record.entries() : std::min(record.entries(), steps / record.view()->stride + 1);
}

namespace detail {

/// visit(name, number, of a, of b): field after field, row after row. There are as many rows of both.
#define JOSTLE_VISIT(type, name, extent, unit, meaning)                \
  for (std::size_t row = 0; row < a.size(); ++row)                     \
    for (std::size_t k = 0; k < static_cast<std::size_t>(extent); ++k) \
      visit(#name, row* static_cast<std::size_t>(extent) + k, row_numbers(a[row].name)[k], row_numbers(b[row].name)[k]);
template <class Visit>
void visit_rows(std::span<const ContactRow> a, std::span<const ContactRow> b, Visit visit) {
  JOSTLE_CONTACT_FIELDS(JOSTLE_VISIT)
}
template <class Visit>
void visit_rows(std::span<const LcpRow> a, std::span<const LcpRow> b, Visit visit) {
  JOSTLE_LCP_FIELDS(JOSTLE_VISIT)
}
#undef JOSTLE_VISIT

/// Entries of ragged rows; where the numbers of rows differ, that is visited as `splits`, and the rest is left out.
template <class Row, class Visit>
void visit_entries(std::span<const int> counts_a, std::span<const int> counts_b, std::span<const Row> rows_a,
                   std::span<const Row> rows_b, int entries, Visit visit) {
  std::size_t first = 0;
  for (int e = 0; e < entries; ++e) {
    const int a = counts_a[static_cast<std::size_t>(e)], b = counts_b[static_cast<std::size_t>(e)];
    if (a != b) return visit(e, "splits", std::size_t{0}, a, b);
    const auto count = static_cast<std::size_t>(a);
    visit_rows(
        rows_a.subspan(first, count), rows_b.subspan(first, count),
        [&](const char* name, std::size_t i, const auto& left, const auto& right) { visit(e, name, i, left, right); });
    first += count;
  }
}

}  // namespace detail

/// visit(step, "contact", "gap", number in its entry, of a, of b) for all numbers of the channels, alike or not, of the
/// first `entries` entries and of the LCPs of the first `steps` steps.
template <class Visit>
void visit_records(const RecordMemory& a, const RecordMemory& b, std::int64_t total_steps, int entries, int steps,
                   Visit visit) {
  const int stride = a.view()->stride, every = a.view()->lcp_every;
  const auto step_of = [&](int entry) {
    return static_cast<int>(std::min<std::int64_t>(total_steps, std::int64_t{entry} * stride));
  };
  const auto all = static_cast<std::size_t>(a.entries()), valid = static_cast<std::size_t>(entries);
  const auto visit_steps = [&](const char* name, const auto& of_a, const auto& of_b) {
    const std::size_t each = of_a.size() / all;
    for (std::size_t i = 0; i < valid * each; ++i)
      visit(step_of(static_cast<int>(i / each)), "step", name, i % each, of_a[i], of_b[i]);
  };
#define JOSTLE_VISIT(type, name, extent, unit, meaning) visit_steps(#name, a.name, b.name);
  JOSTLE_STEP_FIELDS(JOSTLE_VISIT)
#undef JOSTLE_VISIT
  if (!a.quantities.empty()) visit_steps("quantities", a.quantities, b.quantities);
  detail::visit_entries(a.entry_rows(), b.entry_rows(), a.rows(), b.rows(), entries,
                        [&](int e, const char* name, std::size_t i, const auto& left, const auto& right) {
                          visit(step_of(e), "contact", name, i, left, right);
                        });
  if (every == 0) return;
  bool is_alike = true;  // as far as there are as many numbers
  detail::visit_entries(a.lcp_entry_rows(), b.lcp_entry_rows(), a.lcp_rows(), b.lcp_rows(), steps / every + 1,
                        [&](int e, const char* name, std::size_t i, const auto& left, const auto& right) {
                          is_alike = is_alike && std::string_view(name) != "splits";
                          visit(e * every, "lcp", name, i, left, right);
                        });
  std::size_t number = 0;
  for (int e = 0; is_alike && e <= steps / every; ++e) {
    const auto numbers = static_cast<std::size_t>(a.lcp_entry_numbers()[static_cast<std::size_t>(e)]);
    for (std::size_t i = 0; i < numbers; ++i, ++number)
      visit(e * every, "lcp", "M", i, a.lcp_matrix()[number], b.lcp_matrix()[number]);
  }
}

}  // namespace jostle
