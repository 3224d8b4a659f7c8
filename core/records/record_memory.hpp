#pragma once
// Memory for the record of one system (record_fields.hpp): its steps, and as many rows of contacts and LCPs as turn out
// to be needed.
#include <span>
#include <vector>

#include "core/model/model.hpp"
#include "core/model/record_fields.hpp"

namespace jostle {

class RecordMemory {
 public:
  /// For every `stride`-th step of the model and the last one; with contacts if Model::records_contacts, and LCPs if
  /// Model::lcp_every.
  RecordMemory(const Model& model, int stride);
  RecordMemory(const RecordMemory&) = delete;
  RecordMemory& operator=(const RecordMemory&) = delete;

  /// The system writes there; valid as long as this object, at one address.
  const RecordView* view() const { return &view_; }
  /// Makes room for what the next step needs, as it found out; what is there stays.
  void grow() { grow(progress_.needed); }
  void grow(const RecordUse& needed);
  /// Forgets all rows. The next entry of contacts and of LCPs is 1, which the step with this number will have; steps
  /// between have none.
  void wait_for(int step);

  int entries() const { return entries_; }
  /// The values of entries are undefined, and have no rows, from the first step on that the system has not taken.
  std::span<const ContactRow> rows() const { return {rows_.data(), static_cast<std::size_t>(progress_.done.rows)}; }
  std::span<const int> entry_rows() const { return entry_rows_; }
  std::span<const LcpRow> lcp_rows() const {
    return {lcp_rows_.data(), static_cast<std::size_t>(progress_.done.lcp_rows)};
  }
  std::span<const double> lcp_matrix() const {
    return {lcp_matrix_.data(), static_cast<std::size_t>(progress_.done.lcp_numbers)};
  }
  std::span<const int> lcp_entry_rows() const { return lcp_entry_rows_; }
  std::span<const std::int64_t> lcp_entry_numbers() const { return lcp_entry_numbers_; }
  RecordProgress& progress() { return progress_; }
#define JOSTLE_MEMBER(type, name, extent, unit, meaning) std::vector<type> name;
  JOSTLE_STEP_FIELDS(JOSTLE_MEMBER)  ///< [entry, extent]
#undef JOSTLE_MEMBER
  std::vector<double> quantities;  ///< [entry, quantity]

  /// visit(vector, pointer) for every array and the view's pointer to it; the view may be of a copy elsewhere.
  template <class Visit>
  void for_each_array(RecordView& view, Visit visit) {
#define JOSTLE_VISIT(type, name, extent, unit, meaning) visit(name, view.name);
    JOSTLE_STEP_FIELDS(JOSTLE_VISIT)
#undef JOSTLE_VISIT
    visit(quantities, view.quantities);
    visit(entry_rows_, view.entry_rows);
    visit(lcp_entry_rows_, view.lcp_entry_rows);
    visit(lcp_entry_numbers_, view.lcp_entry_numbers);
    visit(rows_, view.rows);
    visit(lcp_rows_, view.lcp_rows);
    visit(lcp_matrix_, view.lcp_matrix);
  }

 private:
  void make_room(const RecordUse& capacity);

  int entries_;
  std::vector<int> entry_rows_, lcp_entry_rows_;
  std::vector<std::int64_t> lcp_entry_numbers_;
  std::vector<ContactRow> rows_;
  std::vector<LcpRow> lcp_rows_;
  std::vector<double> lcp_matrix_;
  RecordProgress progress_;
  RecordView view_;
};

}  // namespace jostle
