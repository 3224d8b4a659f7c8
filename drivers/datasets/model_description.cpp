// What the numbers in records stand for.
#include <nlohmann/json.hpp>

#include "drivers/datasets/feature_names.hpp"
#include "scenarios/format/words.hpp"

namespace jostle {
namespace {

using Json = nlohmann::ordered_json;

Json describe_bodies(const Scenario& scenario, const Model& model) {
  Json bodies = Json::array();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyModel& body = model.bodies[b];
    Json freedom = Json::array();
    for (int k = 0; k < 6; ++k)
      if (body.is_free(k)) freedom.push_back(freedom_names[k]);
    const char* const kind = body.fixed ? "fixed" : body.is_prescribed() ? "prescribed" : "moving";
    bodies.push_back({{"name", scenario.bodies[b].name}, {"kind", kind}, {"freedom", std::move(freedom)}});
  }
  return bodies;
}

Json describe_joints(const Scenario& scenario, const Model& model) {
  const auto name_of_body = [&](int body) {
    return body == world_body ? std::string("world") : scenario.bodies[static_cast<std::size_t>(body)].name;
  };
  Json joints = Json::array();
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const JointModel& joint = model.joints[j];
    joints.push_back({{"name", scenario.joints[j].name},
                      {"type", word_for(joint.type)},
                      {"a", name_of_body(joint.body_a)},
                      {"b", name_of_body(joint.body_b)}});
  }
  return joints;
}

}  // namespace

std::string describe_model(const Scenario& scenario, const Model& model, const std::vector<std::string>& shapes) {
  Json json;
  json["bodies"] = describe_bodies(scenario, model);
  json["shapes"] = Json::array();
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const ShapeModel& shape = model.shapes[s];
    json["shapes"].push_back({{"name", shapes[s]},
                              {"body", scenario.bodies[static_cast<std::size_t>(shape.body)].name},
                              {"type", model.is_convex(static_cast<int>(s)) ? word_for(shape.type) : "surface"}});
  }
  json["pairs"] = Json::array();
  Json features = Json::object();
  for (const PairModel& pair : model.pairs) {
    const auto a = static_cast<std::size_t>(pair.shape_a), b = static_cast<std::size_t>(pair.shape_b);
    const ShapeType type_a = model.shapes[a].type, type_b = model.shapes[b].type;
    const bool has_polygon = type_a == ShapeType::polygon || type_b == ShapeType::polygon;
    const bool has_hull = type_a == ShapeType::hull || type_b == ShapeType::hull;
    const std::string types =
        has_polygon || has_hull ? shapes[a] + " " + shapes[b] : word_for(type_a) + " " + word_for(type_b);
    json["pairs"].push_back(
        {{"name", shapes[a] + " " + shapes[b]}, {"a", shapes[a]}, {"b", shapes[b]}, {"features", types}});
    features[types] = has_hull      ? hull_feature_names(model, model.shapes[a], model.shapes[b])
                      : has_polygon ? polygon_feature_names(model.shapes[a], model.shapes[b])
                                    : feature_names(type_a, type_b);
  }
  json["joints"] = describe_joints(scenario, model);
  json["features"] = std::move(features);
  json["directions"] = model.directions;
  json["friction_cone"] = word_for(scenario.world.friction_cone);
  json["step"] = model.step;
  json["frames"] =
      "world axes; quaternions w, x, y, z turn from body to world; states of the frames of bodies as written";
  return json.dump();
}

}  // namespace jostle
