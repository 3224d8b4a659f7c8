#pragma once
// Memory for the record of one system (fields.hpp): its steps, and as many rows of contacts as turn out to be needed.
#include <span>
#include <vector>

#include "core/model/model.hpp"
#include "core/records/fields.hpp"

namespace jostle {

class RecordMemory {
 public:
  /// For every `stride`-th step of the model and the last one; with contacts if Model::records_contacts.
  RecordMemory(const Model& model, int stride);
  RecordMemory(const RecordMemory&) = delete;
  RecordMemory& operator=(const RecordMemory&) = delete;

  /// The system writes there; valid as long as this object, at one address.
  const RecordView* view() const { return &view_; }
  /// Makes room for twice as many rows; those that are there stay.
  void grow();
  /// Forgets all rows. The next entry is 1, which the step with this number will have; steps between have none.
  void wait_for(int step);

  int entries() const { return entries_; }
  /// The values of entries are undefined, and have no rows, from the first step on that the system has not taken.
  std::span<const ContactRow> rows() const { return {rows_.data(), static_cast<std::size_t>(progress_.rows)}; }
  std::span<const int> entry_rows() const { return entry_rows_; }
#define JOSTLE_MEMBER(type, name, extent, unit, meaning) std::vector<type> name;
  JOSTLE_STEP_FIELDS(JOSTLE_MEMBER)  ///< [entry, extent]
#undef JOSTLE_MEMBER
  std::vector<double> quantities;  ///< [entry, quantity]

 private:
  int entries_;
  std::vector<int> entry_rows_;
  std::vector<ContactRow> rows_;
  RecordProgress progress_;
  RecordView view_;
};

}  // namespace jostle
