#include "scenarios/import/urdf_elements.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <optional>
#include <sstream>

#include "scenarios/text/error.hpp"
#include "scenarios/text/number.hpp"

namespace jostle::urdf {

void Elements::fail(const XMLElement& element, const std::string& message) const {
  throw ScenarioError(file_, element.GetLineNum(), 1, message);
}

// Names and numbers of a file may have anything in them.
void Elements::note(const XMLElement& element, Fate fate, const std::string& item, const std::string& kind,
                    const std::string& message) {
  notes_.push_back({fate, element.GetLineNum(), on_one_line(item), on_one_line(kind), on_one_line(message)});
}

void Elements::refuse(const XMLElement& element, const std::string& item, const std::string& message) {
  note(element, Fate::refused, item, element.Name(), message);
}

void Elements::check_attributes(const XMLElement& element, const std::string& item,
                                const std::set<std::string_view>& known) {
  for (const tinyxml2::XMLAttribute* a = element.FirstAttribute(); a; a = a->Next())
    if (is_namespace(a->Name()))
      note_namespace(element, item, a->Name());
    else if (!known.contains(a->Name()))
      note(element, Fate::refused, fmt::format("{} attribute '{}'", item, a->Name()), a->Name(), "not known");
  check_text(element, item);
}

void Elements::check_leaf(const XMLElement& element, const std::string& item, const std::set<std::string_view>& known) {
  check_attributes(element, item, known);
  for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement())
    refuse(*e, fmt::format("{} {}", item, e->Name()));
}

void Elements::check_no_xacro(const XMLElement& element) const {
  const auto is_xacro = [](std::string_view name) { return name.starts_with("xacro:"); };
  bool found = is_xacro(element.Name());
  for (const tinyxml2::XMLAttribute* a = element.FirstAttribute(); a; a = a->Next()) {
    const std::string_view value = a->Value();
    found = found || is_xacro(a->Name()) || value.find("${") != value.npos || value.find("$(") != value.npos;
  }
  if (found) fail(element, "this is a xacro file: run xacro first");
  for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) check_no_xacro(*e);
}

void Elements::check_text(const XMLElement& element, const std::string& item) {
  for (const tinyxml2::XMLNode* node = element.FirstChild(); node; node = node->NextSibling()) {
    if (!node->ToText()) continue;
    const std::string text = on_one_line(node->Value());
    notes_.push_back(
        {Fate::refused, node->GetLineNum(), fmt::format("{} text '{}'", on_one_line(item), text), "text", "not known"});
  }
}

std::string Elements::quoted(const XMLElement& element) {
  const char* const name = element.Attribute("name");
  return name ? fmt::format(" '{}'", name) : "";
}

std::string Elements::text_of(const XMLElement& element, const char* attribute) const {
  const char* const text = element.Attribute(attribute);
  if (!text || !*text) fail(element, fmt::format("<{}> needs the attribute '{}'", element.Name(), attribute));
  return on_one_line(text);
}

std::vector<double> Elements::numbers(const XMLElement& element, const char* attribute, std::size_t count) const {
  const std::string text = text_of(element, attribute);
  std::istringstream words(text);
  std::vector<double> values;
  for (std::string word; words >> word;) {
    const std::optional<double> value = finite_number_of(word);
    if (!value)
      fail(element, fmt::format("{} of <{}> must be {}, not '{}'", attribute, element.Name(),
                                count == 1 ? "a finite number" : fmt::format("{} finite numbers", count), text));
    values.push_back(*value);
  }
  if (values.size() != count)
    fail(element, fmt::format("{} of <{}> must be {} number{}, not '{}'", attribute, element.Name(), count,
                              count == 1 ? "" : "s", text));
  return values;
}

double Elements::number_or(const XMLElement& element, const char* attribute, double otherwise) const {
  return element.Attribute(attribute) ? number(element, attribute) : otherwise;
}

Vec3 Elements::vector(const XMLElement& element, const char* attribute) const {
  const std::vector<double> v = numbers(element, attribute, 3);
  return {v[0], v[1], v[2]};
}

Frame Elements::origin_of(const XMLElement& parent, const std::string& item) {
  const XMLElement* const origin = only_child(parent, "origin");
  Frame frame;
  if (!origin) return frame;
  check_leaf(*origin, item + " origin", {"xyz", "rpy"});
  note(*origin, Fate::used, item + " origin", "origin");
  if (origin->Attribute("xyz")) frame.position = vector(*origin, "xyz");
  if (origin->Attribute("rpy")) {  // about the fixed axes x, y and z, in this order
    const Vec3 turn = vector(*origin, "rpy");
    frame.axes = (Eigen::AngleAxisd(turn[2], Vec3::UnitZ()) * Eigen::AngleAxisd(turn[1], Vec3::UnitY()) *
                  Eigen::AngleAxisd(turn[0], Vec3::UnitX()))
                     .toRotationMatrix();
  }
  return frame;
}

const tinyxml2::XMLElement* Elements::only_child(const XMLElement& parent, const char* name) const {
  const XMLElement* const child = parent.FirstChildElement(name);
  if (child && child->NextSiblingElement(name))
    fail(*child->NextSiblingElement(name), fmt::format("a second <{}>", name));
  return child;
}

void Elements::refuse_twins(const XMLElement& parent, std::initializer_list<const char*> names) const {
  for (const char* const name : names) only_child(parent, name);
}

}  // namespace jostle::urdf
