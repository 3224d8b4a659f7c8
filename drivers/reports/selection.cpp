#include "drivers/reports/selection.hpp"

#include <algorithm>

#include "drivers/errors.hpp"
#include "drivers/text.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

void check(const std::vector<std::string>& wanted, const std::vector<OutcomeInfo>& outcomes) {
  std::vector<std::string> known;
  for (const OutcomeInfo& outcome : outcomes)
    for (const std::string& name : {outcome.name, outcome.category})
      if (!name.empty() && std::ranges::find(known, name) == known.end()) known.push_back(name);
  for (const std::string& name : wanted)
    if (std::ranges::find(known, name) == known.end())
      throw UsageError("--only: no outcome '" + name + "'" + did_you_mean_or_known(name, known));
}

}  // namespace

void keep_only(const std::string& names, DatasetDescription& description, RunStatistics& statistics) {
  const std::vector<std::string> wanted = parts_at_commas(names);
  check(wanted, description.outcomes);
  const auto is_wanted = [&](const std::string& name) { return std::ranges::find(wanted, name) != wanted.end(); };
  std::vector<OutcomeInfo> infos;
  std::vector<OutcomeStatistics> kept;
  for (std::size_t i = 0; i < description.outcomes.size(); ++i) {
    OutcomeInfo& info = description.outcomes[i];
    const bool is_whole = !info.category.empty() && is_wanted(info.category);
    if (!is_whole && !is_wanted(info.name)) continue;
    if (!is_whole) info.category.clear(), statistics.outcomes[i].category.clear();
    infos.push_back(std::move(info));
    kept.push_back(std::move(statistics.outcomes[i]));
  }
  description.outcomes = std::move(infos);
  statistics.outcomes = std::move(kept);
}

}  // namespace jostle
