// What `jostle compare` prints.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "drivers/devices/comparison.hpp"
#include "drivers/text.hpp"

namespace jostle {
namespace {

nlohmann::ordered_json json_of(const StepAccount& account) {
  return {{"value", account.value},
          {"contacts", account.contacts},
          {"pivots", account.pivots},
          {"residual", account.residual},
          {"pivot_path", account.pivot_path}};
}

std::string text_of(const StepAccount& account) {
  std::string path =
      account.pivot_path.empty() ? "" : ", leaving " + fmt::format("{}", fmt::join(account.pivot_path, " "));
  return fmt::format("{} ({} contacts, {} pivots{}, residual {:.2e})", account.value, account.contacts, account.pivots,
                     path, account.residual);
}

}  // namespace

std::string text_of(const Comparison& c) {
  std::string text = fmt::format("  {:<28}{:>12} compared, ", c.other, with_commas(c.samples));
  if (c.equal()) return text + "0 bits differ\n";
  text += fmt::format("{} differ in {} bits, by up to {:g} units in the last place\n", with_commas(c.differing_samples),
                      with_commas(c.differing_bits), c.largest_distance);
  for (const auto& [field, samples] : c.differing_fields)
    text += fmt::format("    {:<18}differs in {} of them\n", field, with_commas(samples));
  if (!c.first) return text + fmt::format("    sample {} was the same when it was simulated again\n", c.first_sample);
  const FirstDifference& first = *c.first;
  text += fmt::format("    first in sample {}, step {}, stage {}: {}[{}]\n", c.first_sample, first.step, first.stage,
                      first.field, first.index);
  text += fmt::format("      reference  {}\n", text_of(first.reference));
  if (!first.observed)
    return text + fmt::format("      other      {} by its state; not when alone and observed\n", first.other.value);
  return text + fmt::format("      other      {}\n", text_of(first.other));
}

nlohmann::ordered_json json_of(const Comparison& c, const std::string& reference) {
  nlohmann::ordered_json json{{"reference", reference},
                              {"other", c.other},
                              {"samples", c.samples},
                              {"differing_samples", c.differing_samples},
                              {"differing_bits", c.differing_bits},
                              {"differing_fields", c.differing_fields},
                              {"largest_distance_ulp", c.largest_distance},  // infinity is written as null
                              {"first", nullptr}};
  if (c.equal()) return json;
  json["first"] = {{"sample", c.first_sample}, {"step", nullptr}};
  if (!c.first) return json;
  json["first"].update({{"step", c.first->step},
                        {"stage", c.first->stage},
                        {"field", c.first->field},
                        {"index", c.first->index},
                        {"observed", c.first->observed},
                        {"reference", json_of(c.first->reference)},
                        {"other", json_of(c.first->other)}});
  if (!c.first->observed) json["first"]["other"] = {{"value", c.first->other.value}};
  return json;
}

ExitStatus status_of(const std::vector<Comparison>& comparisons) {
  const bool equal = std::all_of(comparisons.begin(), comparisons.end(), [](const Comparison& c) { return c.equal(); });
  return equal ? ExitStatus::ok : ExitStatus::internal;
}

}  // namespace jostle
