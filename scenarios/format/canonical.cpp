#include "scenarios/format/canonical.hpp"

#include "scenarios/format/canonical_writer.hpp"

namespace jostle {

std::string canonical_yaml(const Scenario& scenario, bool with_count_and_seed) {
  CanonicalNode file = CanonicalWriter(scenario.variables, with_count_and_seed).map_of(scenario);
  file.sort_by_variables();
  return file.print();
}

}  // namespace jostle
