#include "scenarios/import/urdf_model.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cctype>

#include "scenarios/import/urdf_elements.hpp"
#include "scenarios/import/urdf_inertia.hpp"
#include "scenarios/text/error.hpp"
#include "scenarios/text/utf8.hpp"

namespace jostle::urdf {
namespace {

using tinyxml2::XMLElement;

class Reader : Elements {
 public:
  Reader(const std::string& file, const UrdfOptions& options, Robot& robot)
      : Elements(file, robot.notes), options_(options), robot_(robot) {}

  void read(const XMLElement& root) {
    if (std::string_view(root.Name()) != "robot")
      fail(root, fmt::format("the first element is <{}>, not <robot>", root.Name()));
    check_no_xacro(root);
    robot_.name = text_of(root, "name");
    note(root, Fate::used, "robot", "robot");
    check_attributes(root, "robot", {"name", "version"});
    if (root.Attribute("version")) note(root, Fate::ignored, "robot attribute 'version'", "version");
    for (const XMLElement* e = root.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view name = e->Name();
      if (name == "link")
        read_link(*e);
      else if (name == "joint")
        read_joint(*e);
      else if (name == "material" || name == "transmission" || name == "sensor")
        note(*e, Fate::ignored, fmt::format("{}{}", name, quoted(*e)), std::string(name));
      else
        refuse(*e, fmt::format("{}{}", name, quoted(*e)));
    }
  }

 private:
  void read_link(const XMLElement& element) {
    Link link;
    link.name = text_of(element, "name"), link.line = element.GetLineNum();
    const std::string item = fmt::format("link '{}'", link.name);
    const bool is_known = std::ranges::any_of(robot_.links, [&](const Link& other) { return other.name == link.name; });
    if (is_known) fail(element, item + " is there twice");
    check_attributes(element, item, {"name"});
    note(element, Fate::used, item, "link");
    refuse_twins(element, {"inertial"});
    for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view name = e->Name();
      if (name == "inertial")
        read_inertial(*e, item + " inertial", link);
      else if (name == "collision")
        read_collision(*e, item + " collision", link);
      else if (name == "visual")
        note(*e, Fate::ignored, item + " visual", "visual");
      else
        refuse(*e, fmt::format("{} {}", item, name));
    }
    robot_.links.push_back(link);
  }

  void read_inertial(const XMLElement& element, const std::string& item, Link& link) {
    note(element, Fate::used, item, "inertial");
    check_attributes(element, item, {});
    refuse_twins(element, {"mass", "inertia"});
    link.inertial = origin_of(element, item);
    const XMLElement* const moments = element.FirstChildElement("inertia");
    if (!element.FirstChildElement("mass")) fail(element, item + " needs a <mass>");
    for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view name = e->Name();
      const std::string what = fmt::format("{} {}", item, name);
      if (name == "mass") {
        check_leaf(*e, what, {"value"});
        link.mass = number(*e, "value");
        if (link.mass < 0) fail(*e, "a mass must not be negative");
        note(*e, Fate::used, what, "mass");
      } else if (name == "inertia") {
        check_leaf(*e, what, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
        const double xx = number(*e, "ixx"), yy = number(*e, "iyy"), zz = number(*e, "izz");
        const double xy = number(*e, "ixy"), xz = number(*e, "ixz"), yz = number(*e, "iyz");
        link.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
        note(*e, Fate::used, what, "inertia");
      } else if (name != "origin") {
        refuse(*e, what);
      }
    }
    if (link.mass > 0 && !moments) fail(element, item + " has a mass, but needs an <inertia>, too");
    if (moments) link.inertia_line = moments->GetLineNum();
    if (link.mass > 0) link.is_physical = is_physical(link.inertia);
  }

  void read_collision(const XMLElement& element, const std::string& item, Link& link) {
    note(element, Fate::used, item, "collision");
    check_attributes(element, item, {"name"});
    const Frame frame = origin_of(element, item);
    const XMLElement* const geometry = only_child(element, "geometry");
    if (!geometry || !geometry->FirstChildElement()) fail(element, item + " needs a <geometry>");
    check_attributes(*geometry, item + " geometry", {"name"});
    note(*geometry, Fate::used, item + " geometry", "geometry");
    if (geometry->Attribute("name")) note(*geometry, Fate::ignored, item + " geometry attribute 'name'", "name");
    for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) {
      const std::string_view name = e->Name();
      if (name == "verbose" || name == "material")
        note(*e, Fate::ignored, fmt::format("{} {}", item, name), e->Name());
      else if (name != "origin" && name != "geometry")
        refuse(*e, fmt::format("{} {}", item, name),
               name == "contact_coefficients" ? "contacts are rigid here" : "not known");
    }
    const XMLElement& solid = *geometry->FirstChildElement();
    if (solid.NextSiblingElement()) fail(solid, "a second shape in one <geometry>");
    read_shape(solid, fmt::format("{} {}", item, solid.Name()), frame, link);
  }

  void read_shape(const XMLElement& element, const std::string& item, const Frame& frame, Link& link) {
    Shape shape;
    shape.frame = frame, shape.line = element.GetLineNum();
    const std::string_view name = element.Name();
    if (name == "box") {
      check_leaf(element, item, {"size"});
      shape.kind = Shape::Kind::box, shape.size = vector(element, "size");
    } else if (name == "cylinder") {
      check_leaf(element, item, {"radius", "length"});
      shape.kind = Shape::Kind::cylinder, shape.size = {number(element, "radius"), number(element, "length"), 1};
    } else if (name == "sphere") {
      check_leaf(element, item, {"radius"});
      shape.kind = Shape::Kind::sphere, shape.size = {number(element, "radius"), 1, 1};
    } else if (name == "mesh") {
      return read_mesh_shape(element, item, shape, link);
    } else {
      return refuse(element, item);
    }
    const bool is_point = shape.kind == Shape::Kind::sphere && shape.size[0] == 0;
    if (!(shape.size.minCoeff() > 0 || is_point))
      fail(element, fmt::format("the sizes of a {} must be greater than 0", name));
    note(element, Fate::used, item, std::string(name));
    link.shapes.push_back(shape);
  }

  void read_mesh_shape(const XMLElement& element, const std::string& item, Shape& shape, Link& link) {
    check_leaf(element, item, {"filename", "scale"});
    const std::string name = text_of(element, "filename");
    const Vec3 scale = element.Attribute("scale") ? vector(element, "scale") : Vec3(1, 1, 1);
    if (scale[0] != scale[1] || scale[1] != scale[2] || !(scale[0] > 0))
      return refuse(element, item, "a scenario has one scale above 0 for all axes: scale the file itself");
    shape.kind = Shape::Kind::mesh;
    try {
      robot_.meshes.push_back(mesh_file(name, file(), options_.packages));
      shape.part = jostle::read_part(robot_.meshes.back(), scale[0], options_.form);
    } catch (const std::runtime_error& error) {  // a file that is no closed surface
      return refuse(element, item, error.what());
    } catch (const std::invalid_argument& error) {
      return refuse(element, item, error.what());
    }
    note_part(shape.part, element.GetLineNum(), item, robot_.notes);
    note(element, name.starts_with("package://") || name.starts_with("file://") ? Fate::converted : Fate::used,
         item + " filename", "filename", name);
    if (element.Attribute("scale")) note(element, Fate::used, item + " scale", "scale");
    link.shapes.push_back(shape);
  }

  void read_joint(const XMLElement& element) {
    Joint joint;
    joint.name = text_of(element, "name"), joint.type = text_of(element, "type"), joint.line = element.GetLineNum();
    const std::string item = fmt::format("joint '{}'", joint.name);
    for (const Joint& other : robot_.joints)
      if (other.name == joint.name) fail(element, item + " is there twice");
    check_attributes(element, item, {"name", "type"});
    constexpr std::string_view types[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    if (std::ranges::find(types, joint.type) == std::end(types))
      fail(element, fmt::format("{} has the type '{}', which URDF does not know", item, joint.type));
    note(element, Fate::used, item, "joint");
    refuse_twins(element, {"parent", "child", "axis", "limit", "dynamics"});
    joint.frame = origin_of(element, item);
    for (const XMLElement* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) read_part(*e, item, joint);
    if (joint.parent.empty() || joint.child.empty()) fail(element, item + " needs a <parent> and a <child>");
    if (joint.type == "revolute" || joint.type == "prismatic") {
      if (!joint.has_limits)
        fail(element, fmt::format("{} is {}: it needs <limit> with lower and upper", item, joint.type));
      if (joint.lower > joint.upper) fail(element, item + ": the lower limit is above the upper one");
    }
    robot_.joints.push_back(joint);
  }

  void read_part(const XMLElement& element, const std::string& of, Joint& joint) {
    const std::string_view name = element.Name();
    const std::string item = fmt::format("{} {}", of, name);
    if (name == "origin") return;
    if (name == "parent" || name == "child") {
      check_leaf(element, item, {"link"});
      (name == "parent" ? joint.parent : joint.child) = text_of(element, "link");
      return note(element, Fate::used, item, std::string(name));
    }
    if (name == "axis") {
      check_leaf(element, item, {"xyz"});
      if (joint.type == "fixed" || joint.type == "floating")
        return note(element, Fate::ignored, item, "axis", fmt::format("a {} joint has none", joint.type));
      joint.axis = vector(element, "xyz");
      const double largest = joint.axis.cwiseAbs().maxCoeff();
      if (!(largest > 0)) fail(element, item + " has no direction");
      if (largest < 1e-100 || largest > 1e100) joint.axis /= largest;  // its square is no number
      joint.axis.normalize();
      return note(element, Fate::used, item, "axis");
    }
    if (name == "limit") {
      check_leaf(element, item, {"lower", "upper", "effort", "velocity"});
      joint.lower = number_or(element, "lower", 0), joint.upper = number_or(element, "upper", 0),
      joint.has_limits = true;
      const bool bounds = joint.type == "revolute" || joint.type == "prismatic";
      return note(element, bounds ? Fate::used : Fate::ignored, item, "limit",
                  "effort and velocity are those of a controller");
    }
    if (name == "dynamics") {
      check_leaf(element, item, {"damping", "friction"});
      joint.damping = number_or(element, "damping", 0), joint.friction = number_or(element, "friction", 0);
      if (joint.damping < 0 || joint.friction < 0) fail(element, item + ": damping and friction must not be negative");
      if (joint.type == "fixed") return note(element, Fate::ignored, item, "dynamics", "a fixed joint does not move");
      const bool is_lost = (joint.type == "floating" || joint.type == "planar") && joint.damping + joint.friction > 0;
      return note(element, is_lost ? Fate::refused : Fate::used, item, "dynamics");
    }
    if (name == "calibration" || name == "safety_controller")
      return note(element, Fate::ignored, item, std::string(name));
    refuse(element, item, name == "mimic" ? "a joint that follows another one" : "not known");
  }

  const UrdfOptions& options_;
  Robot& robot_;
};

}  // namespace

Robot read_robot(const std::string& text, const std::string& file_name, const UrdfOptions& options) {
  if (const std::size_t bad = find_no_utf8(text); bad != std::string::npos)
    throw ScenarioError(
        file_name,
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bad), '\n')), 1,
        "this is not UTF-8: save the file in it");
  tinyxml2::XMLDocument document(true, tinyxml2::COLLAPSE_WHITESPACE);
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    std::string message = document.ErrorName();
    std::ranges::replace(message, '_', ' ');
    std::ranges::transform(message, message.begin(), [](unsigned char c) { return std::tolower(c); });
    throw ScenarioError(file_name, std::max(1, document.ErrorLineNum()), 1, "this is no XML: " + message);
  }
  Robot robot;
  if (!document.RootElement()) throw ScenarioError(file_name, 1, 1, "there is no element");
  Reader(file_name, options, robot).read(*document.RootElement());
  if (robot.links.empty()) throw ScenarioError(file_name, 1, 1, "the robot has no link");
  return robot;
}

}  // namespace jostle::urdf
