#pragma once
// What a dataset may hold of recorded samples besides their states: parameters, steps, contacts and LCPs. Columns come
// from the lists of fields in core/model/record_fields.hpp.
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/record_fields.hpp"
#include "drivers/datasets/record_array.hpp"

namespace jostle {

/// Steps of the recorded samples of a shard: [recorded, time, extent]. -1 and NaN where a sample did not come.
struct StepRecords {
#define JOSTLE_MEMBER(type, name, extent, unit, meaning) RecordColumnOf<type> name;
  JOSTLE_STEP_FIELDS(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  std::vector<RealArray> quantities;  ///< [quantity][recorded, time]
};

/// Contacts of the recorded samples of a shard: [row, extent].
struct ContactRecords {
  std::vector<std::int64_t>
      splits;  ///< [recorded, time + 1]: the rows of an entry are splits[time] .. splits[time + 1]
#define JOSTLE_MEMBER(type, name, extent, unit, meaning) RecordColumnOf<type> name;
  JOSTLE_CONTACT_FIELDS(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  std::int64_t rows() const { return static_cast<std::int64_t>(pair.size()); }
};

/// LCPs of the recorded samples of a shard: [row, extent], a row for each unknown; and their matrices.
struct LcpRecords {
  std::vector<std::int64_t> splits;         ///< [recorded, time + 1]: rows, as of contacts
  std::vector<std::int64_t> matrix_splits;  ///< [recorded, time + 1]: numbers of matrices
  RealArray matrix;                         ///< M of each LCP, row by row
#define JOSTLE_MEMBER(type, name, extent, unit, meaning) RecordColumnOf<type> name;
  JOSTLE_LCP_FIELDS(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  std::int64_t rows() const { return static_cast<std::int64_t>(size.size()); }
  std::int64_t numbers() const { return static_cast<std::int64_t>(matrix.size()); }
};

/// One column of /step, /contact or /lcp.
struct RecordColumn {
  std::string name, units, meaning;
  int extent = 1;  ///< numbers of an entry or row
};

/// Whether a quantity is not there anyway.
inline bool has_own_column(const std::string& quantity) { return quantity != "energy" && quantity != "time"; }

/// visit(column, values) for all columns of steps, in the order of the files. `Records` is StepRecords, const or not.
template <class Records, class Visit>
void for_each_step_column(const std::vector<std::string>& quantities, int bodies, Records& steps, Visit&& visit) {
  Dimensions d;
  d.bodies = bodies;
#define JOSTLE_VISIT(type, name, extent, unit, meaning) visit(RecordColumn{#name, unit, meaning, extent}, steps.name);
  JOSTLE_STEP_FIELDS(JOSTLE_VISIT)
#undef JOSTLE_VISIT
  for (std::size_t i = 0; i < quantities.size(); ++i)
    if (has_own_column(quantities[i]))
      visit(RecordColumn{quantities[i], "", "quantity of the scenario", 1}, steps.quantities[i]);
}

/// The same of contacts, without splits.
template <class Records, class Visit>
void for_each_contact_column(Records&& contacts, Visit&& visit) {
#define JOSTLE_VISIT(type, name, extent, unit, meaning) \
  visit(RecordColumn{#name, unit, meaning, extent}, contacts.name);
  JOSTLE_CONTACT_FIELDS(JOSTLE_VISIT)
#undef JOSTLE_VISIT
}

/// The same of LCPs, without splits and matrices.
template <class Records, class Visit>
void for_each_lcp_column(Records&& lcps, Visit&& visit) {
#define JOSTLE_VISIT(type, name, extent, unit, meaning) visit(RecordColumn{#name, unit, meaning, extent}, lcps.name);
  JOSTLE_LCP_FIELDS(JOSTLE_VISIT)
#undef JOSTLE_VISIT
}

/// Columns of /lcp that are no rows.
inline RecordColumn lcp_matrix_column() { return {"M", "1/kg, 1", "M of each LCP, row by row; w = M z + q"}; }
inline RecordColumn splits_column() {
  return {"splits", "1", "rows of an entry: from splits[sample, time] to before splits[sample, time + 1]"};
}
inline RecordColumn matrix_splits_column() { return {"M_splits", "1", "the same of the numbers of M"}; }

}  // namespace jostle
