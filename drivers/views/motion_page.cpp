// Motions as JSON, and the page that shows them.
#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/reports/page_files.hpp"
#include "drivers/views/curves.hpp"
#include "drivers/views/motion.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes as text that JSON can hold (RFC 4648).
template <class T>
std::string base64(const std::vector<T>& values) {
  static_assert(std::endian::native == std::endian::little, "pages read little-endian numbers");
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  const std::size_t count = values.size() * sizeof(T);
  std::string text;
  text.reserve(count / 3 * 4 + 4);
  for (std::size_t i = 0; i < count; i += 3) {
    const std::size_t left = std::min<std::size_t>(3, count - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < left ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? digits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

Json values_json(const std::vector<std::pair<std::string, double>>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = std::isfinite(value) ? Json(value) : Json();
  return json;
}

Json motion_json(const Motion& motion) {
  Json json;
  json["sample"] = motion.sample;
  json["status"] = motion.status;
  json["variables"] = values_json(motion.variables);
  json["outcomes"] = values_json(motion.outcomes);
  json["shapes"] = motion.shapes;
  json["links"] = motion.links;
  json["time"] = motion.time;
  json["poses"] = base64(motion.poses);
  json["contacts"] = base64(motion.contacts);
  json["impulses"] = base64(motion.impulses);
  json["curves"] = base64(motion.curves);
  return json;
}

Json axes_json(const Curves& curves) {
  Json axes = Json::array();
  for (std::size_t i = 0; i < curves.names().size(); ++i)
    axes.push_back({{"name", curves.names()[i]},
                    {"label", curves.shown()[i].label},
                    {"unit", curves.shown()[i].unit},
                    {"truth", static_cast<bool>(curves.is_truth()[i])}});
  return axes;
}

/// The outcomes that are 1 or 0.
Json truths_json(const Scenario& scenario) {
  Json truths = Json::array();
  for (const OutcomeSpec& outcome : scenario.outcomes)
    if (outcome.kind() == ValueKind::truth) truths.push_back(outcome.name);
  return truths;
}

}  // namespace

Json scene_json(const Ensemble& ensemble, const std::vector<Motion>& motions) {
  const Scenario& scenario = ensemble.scenario();
  Json json;
  json["planar"] = ensemble.model().planar;
  json["plane_normal"] = {ensemble.model().plane_normal[0], ensemble.model().plane_normal[1],
                          ensemble.model().plane_normal[2]};
  json["gravity"] = motions.front().gravity;
  json["bodies"] = Json::array();
  for (const BodySpec& body : scenario.bodies) json["bodies"].push_back({{"name", body.name}, {"fixed", body.fixed}});
  json["motions"] = Json::array();
  for (const Motion& motion : motions) json["motions"].push_back(motion_json(motion));
  return json;
}

std::string motion_page(const Ensemble& ensemble, const std::vector<Motion>& motions) {
  const Scenario& scenario = ensemble.scenario();
  Json json;
  json["title"] = scenario.title;
  json["step"] = scenario.world.step;
  json["curves"] = axes_json(Curves(ensemble));
  json["truths"] = truths_json(scenario);
  json.update(scene_json(ensemble, motions));
  return page_of("view", {"page", "view_math", "view_shapes", "view_gl", "view_drawing", "view_scene", "view"},
                 json.dump());
}

}  // namespace jostle
