#include "drivers/program/lcp_dump.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "drivers/errors.hpp"
#include "drivers/program/options.hpp"

namespace jostle {
namespace {

nlohmann::ordered_json json_of(const LcpLabel& label) {
  nlohmann::ordered_json json{{"kind", label.kind}};
  if (label.contact >= 0) {
    json["contact"] = label.contact;
    json["bodies"] = label.bodies;
    json["feature"] = label.feature;
  } else {
    json["joint"] = label.joint;
  }
  if (label.direction != std::array<double, 3>{}) json["direction"] = label.direction;
  return json;
}

/// A part of all labels.
template <class Value>
std::vector<Value> column(const std::vector<LcpLabel>& labels, auto part) {
  std::vector<Value> values;
  for (const LcpLabel& label : labels) part(label, values);
  return values;
}

}  // namespace

LcpDump::LcpDump(const std::vector<std::string>& words, std::int64_t steps) {
  if (words.empty()) return;
  if (words[0] != "all") step_ = whole_number("--dump-lcp", words[0], 1, steps);
  file_ = words[1];
  is_archive_ = file_.ends_with(".npz");
}

void LcpDump::see(const StepLcp& lcp) {
  if (step_ != 0 && lcp.step != step_) return;
  const std::string name = fmt::format("step{}_{}", lcp.step, lcp.number);
  const bool is_first = !out_;
  if (is_first) out_.emplace(file_, "lcps");
  if (is_archive_) {
    write_arrays(lcp, name);
  } else {
    text_ << (is_first ? "[" : ",\n ");
    write_line(lcp, name);
  }
  write_out();
}

void LcpDump::write_out() {
  out_->write(text_.view());
  text_.str(std::string());
}

void LcpDump::write_line(const StepLcp& lcp, const std::string& name) {
  const std::size_t n = lcp.lcp.q.size();
  nlohmann::ordered_json json{{"name", name}, {"M", nlohmann::json::array()}, {"q", lcp.lcp.q}};
  for (std::size_t i = 0; i < n; ++i)
    json["M"].push_back(std::vector<double>(&lcp.lcp.M[i * n], &lcp.lcp.M[i * n] + n));
  for (const LcpLabel& label : lcp.labels) json["labels"].push_back(json_of(label));
  text_ << json.dump();
}

void LcpDump::write_arrays(const StepLcp& lcp, const std::string& name) {
  const std::size_t n = lcp.lcp.q.size();
  const auto kinds = column<std::string>(lcp.labels, [](const LcpLabel& l, auto& all) { all.push_back(l.kind); });
  const auto contacts =
      column<std::int32_t>(lcp.labels, [](const LcpLabel& l, auto& all) { all.push_back(l.contact); });
  const auto features =
      column<std::int32_t>(lcp.labels, [](const LcpLabel& l, auto& all) { all.push_back(l.feature); });
  const auto of = column<std::string>(lcp.labels, [](const LcpLabel& l, auto& all) {
    all.push_back(l.contact >= 0 ? l.bodies[0] : l.joint);
    all.push_back(l.bodies[1]);
  });
  const auto directions = column<double>(
      lcp.labels, [](const LcpLabel& l, auto& all) { all.insert(all.end(), l.direction.begin(), l.direction.end()); });
  const bool is_added = archive_.add("M_" + name, {n, n}, lcp.lcp.M) && archive_.add("q_" + name, {n}, lcp.lcp.q) &&
                        archive_.add("kind_" + name, {n}, kinds) && archive_.add("contact_" + name, {n}, contacts) &&
                        archive_.add("feature_" + name, {n}, features) && archive_.add("between_" + name, {n, 2}, of) &&
                        archive_.add("direction_" + name, {n, 3}, directions);
  if (!is_added)
    throw FileError(file_, fmt::format("is full at step {}: an archive has room for 4 GiB and 9,362 LCPs", lcp.step));
}

void LcpDump::finish(std::int64_t good_steps) {
  if (!is_wanted()) return;
  if (!out_) {
    if (step_ == 0) throw UsageError("--dump-lcp: no step has a contact, so there is no LCP");
    throw UsageError("--dump-lcp: step " + std::to_string(step_) +
                     (good_steps >= step_ ? " has no contact, so it has no LCP"
                                          : " was not reached, the last good one is " + std::to_string(good_steps)));
  }
  if (is_archive_)
    archive_.finish();
  else
    text_ << "]\n";
  write_out();
  out_->commit();
}

}  // namespace jostle
