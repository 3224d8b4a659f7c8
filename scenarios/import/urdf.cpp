#include "scenarios/import/urdf.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <set>

#include "scenarios/import/urdf_inertia.hpp"
#include "scenarios/import/urdf_model.hpp"
#include "scenarios/import/yaml_text.hpp"
#include "scenarios/parameters/inertia.hpp"
#include "scenarios/text/error.hpp"
#include "scenarios/text/file.hpp"

namespace jostle::urdf {
namespace {

std::string rotation_text(const Mat3& axes) {
  Eigen::Quaterniond q(axes);
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return fmt::format("{{quaternion: [{}, {}, {}, {}]}}", yaml(q.w()), yaml(q.x()), yaml(q.y()), yaml(q.z()));
}
bool is_turned(const Mat3& axes) { return (axes - Mat3::Identity()).cwiseAbs().maxCoeff() > 0; }

/// Writes a robot as YAML.
class Writer {
 public:
  Writer(const Robot& robot, const std::string& file, const std::string& folder, std::vector<ImportNote>& notes)
      : robot_(robot), file_(file), folder_(folder), notes_(notes) {}

  std::string write() {
    order_links();
    const bool is_refused = std::ranges::find(notes_, Fate::refused, &ImportNote::fate) != notes_.end();
    if (!is_refused &&
        std::ranges::all_of(order_, [&](std::size_t l) { return is_part(l) || is_fixed(l) || is_massless(l); }))
      fail(robot_.links.front().line, "no link of the robot can move: one that moves needs a mass");
    for (const std::size_t l : order_) place(l);
    std::string text = fmt::format(
        "jostle: 1\ntitle: {}\n\n# Imported from {}. The robot stands as its joints do at 0, or at the "
        "nearest of their limits.\nworld:\n  step: 0.001\n  duration: 1\n\nbodies:\n",
        yaml_quoted(robot_.name), file_name_of(on_one_line(file_)));
    for (const std::size_t l : order_)
      if (!is_part(l) && !is_massless(l)) text += body(l);
    std::string joints;
    for (const std::size_t l : order_)
      if (above_[l] >= 0 && !is_part(l) && !is_massless(l) && !is_massless(body_[parent_[l]])) joints += joint(l);
    if (!joints.empty()) text += "\njoints:\n" + joints;
    text += "\ncontacts:\n  - {between: any, friction: 0.5}  # URDF has no coefficients of friction\n";
    return text;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& message) const { throw ScenarioError(file_, line, 1, message); }
  const Joint& joint_of(std::size_t l) const { return robot_.joints[static_cast<std::size_t>(above_[l])]; }

  std::size_t link_named(const std::string& name, int line) const {
    const auto found = std::ranges::find(robot_.links, name, &Link::name);
    if (found == robot_.links.end()) fail(line, fmt::format("there is no link '{}'", name));
    return static_cast<std::size_t>(found - robot_.links.begin());
  }

  /// Parents before their children.
  void order_links() {
    const std::size_t count = robot_.links.size();
    above_.assign(count, -1), parent_.assign(count, count);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Joint& joint = robot_.joints[j];
      const std::size_t child = link_named(joint.child, joint.line), parent = link_named(joint.parent, joint.line);
      if (above_[child] >= 0) fail(joint.line, fmt::format("link '{}' is the child of two joints", joint.child));
      above_[child] = static_cast<int>(j), parent_[child] = parent;
    }
    std::vector<bool> is_done(count);
    while (order_.size() < count) {
      const std::size_t before = order_.size();
      for (std::size_t l = 0; l < count; ++l) {
        if (is_done[l] || (above_[l] >= 0 && !is_done[parent_[l]])) continue;
        is_done[l] = true;
        order_.push_back(l);
      }
      if (order_.size() == before) {
        const auto first = static_cast<std::size_t>(std::ranges::find(is_done, false) - is_done.begin());
        fail(robot_.links[first].line,
             fmt::format("link '{}' hangs on itself: its joints make a circle", robot_.links[first].name));
      }
    }
    find_bodies();
    name_bodies();
  }

  void name_bodies() {
    std::set<std::string> taken;
    const auto name_for = [&](const std::string& name, int line, const std::string& what) {
      std::string good = name_like(name, taken);
      if (good != name)
        notes_.push_back(
            {Fate::converted, line, fmt::format("{} '{}' name", what, name), "name", fmt::format("called '{}'", good)});
      return good;
    };
    for (const Link& link : robot_.links) names_.push_back(name_for(link.name, link.line, "link"));
    for (const Joint& joint : robot_.joints) joint_names_.push_back(name_for(joint.name, joint.line, "joint"));
  }

  /// Whether it is a part of the body of its parent, to which its shapes and its mass, if any, go.
  bool is_part(std::size_t l) const { return body_[l] != l; }
  bool is_fixed(std::size_t l) const {
    return above_[l] < 0 && (robot_.links[l].mass == 0 || robot_.links[l].name == "world");
  }
  /// Nothing can be a body of it.
  bool is_massless(std::size_t l) const { return !is_part(l) && !is_fixed(l) && inertia_of(l).mass == 0; }
  /// A link on a fixed joint is a body of its own if it and that one can be: else only both together have to be one.
  void find_bodies() {
    body_.resize(robot_.links.size());
    for (const std::size_t l : order_) {
      const Link& link = robot_.links[l];
      body_[l] = l;
      if (above_[l] < 0 || joint_of(l).type != "fixed") continue;
      const std::size_t above = body_[parent_[l]];
      if (link.mass == 0 || !link.is_physical || (!is_fixed(above) && !robot_.links[above].is_physical))
        body_[l] = above;
    }
  }

  static double start_of(const Joint& joint) {
    return joint.type == "revolute" || joint.type == "prismatic" ? std::clamp(0.0, joint.lower, joint.upper) : 0.0;
  }

  void place(std::size_t l) {
    frames_.resize(robot_.links.size());
    if (above_[l] < 0) return;
    const Joint& joint = joint_of(l);
    Frame moved;
    const double at = start_of(joint);
    if (joint.type == "revolute") moved.axes = Eigen::AngleAxisd(at, joint.axis).toRotationMatrix();
    if (joint.type == "prismatic") moved.position = at * joint.axis;
    frames_[l] = frames_[parent_[l]] * joint.frame * moved;
    if (at != 0)
      notes_.push_back(
          {Fate::converted, joint.line, fmt::format("joint '{}' limit", joint.name), "limit",
           fmt::format("0 is outside of its limits: it starts at {}, and its coordinate counts from there", yaml(at))});
    note_frame(l);
  }

  void note_frame(std::size_t l) {
    const Link& link = robot_.links[l];
    const std::string item = fmt::format("link '{}'", link.name), body = fmt::format("'{}'", names_[body_[l]]);
    if (is_part(l) && link.mass > 0 && link.is_physical)
      notes_.push_back({Fate::converted, link.line, item, "link",
                        "its mass and moments are added to those of " + body + ", which no body has"});
    else if (is_part(l) && link.mass > 0)
      notes_.push_back({Fate::converted, link.inertia_line, item + " inertial inertia", "inertial",
                        "no body has such moments: the link is a part of " + body +
                            (is_fixed(body_[l]) ? ", which is fixed" : ", to which its mass and moments are added")});
    else if (is_part(l))
      notes_.push_back(
          {Fate::converted, link.line, item, "link",
           fmt::format("a frame without mass: its shapes{} are of {}", link.is_heavy() ? " and moments" : "", body)});
    else if (is_massless(l))
      notes_.push_back({Fate::refused, link.line, item, "massless",
                        "it has no mass and is not fixed to another link; allowed, its joints are left out, too"});
  }

  /// Of a body and the links that are part of it, in its frame.
  Inertia inertia_of(std::size_t l) const {
    std::vector<Inertia> parts;
    for (std::size_t other = 0; other < robot_.links.size(); ++other) {
      const Link& link = robot_.links[other];
      if (!link.is_heavy() || body_[other] != l) continue;
      const Frame frame = l == other ? link.inertial : in_body(l, other) * link.inertial;
      parts.push_back({link.mass, frame.position, frame.axes * link.inertia * frame.axes.transpose()});
    }
    return sum_of(parts);
  }

  bool has_heavy_parts(std::size_t l) const {
    for (std::size_t other = 0; other < robot_.links.size(); ++other)
      if (other != l && body_[other] == l && robot_.links[other].is_heavy()) return true;
    return false;
  }

  std::string inertia_text(std::size_t l, Inertia inertia) {
    const Link& link = robot_.links[l];
    const bool is_alone = !has_heavy_parts(l);
    if (is_alone ? !link.is_physical : !is_physical(inertia.moments)) {
      inertia.moments = nearest_physical(inertia.moments, inertia.mass);
      notes_.push_back(
          {Fate::refused, is_alone ? link.inertia_line : link.line,
           fmt::format("link '{}' inertial inertia", link.name), "inertial",
           fmt::format("its moments{} {}; allowed, they become the nearest that a body can have",
                       is_alone ? "" : ", with those of the links that are part of it,", physical_inertia)});
    }
    std::string text = fmt::format("    mass: {}\n", yaml(inertia.mass));
    if (inertia.centre.cwiseAbs().maxCoeff() > 0) text += fmt::format("    centre_of_mass: {}\n", yaml(inertia.centre));
    return text + fmt::format("    inertia: {}  # xx, yy, zz, xy, xz, yz\n", yaml_inertia(inertia.moments));
  }

  std::string body(std::size_t l) {
    const Link& link = robot_.links[l];
    const Inertia inertia = inertia_of(l);
    std::string text = fmt::format("  {}:\n", names_[l]);
    if (is_fixed(l)) {
      text += "    fixed: true\n";
      notes_.push_back({Fate::converted, link.line, fmt::format("link '{}'", link.name), "link",
                        link.mass > 0 ? "fixed, as its name says: its mass plays no part"
                                      : "fixed: it hangs on nothing and has no mass"});
    } else if (inertia.mass > 0) {
      text += inertia_text(l, inertia);
    }
    if (frames_[l].position.cwiseAbs().maxCoeff() > 0)
      text += fmt::format("    position: {}\n", yaml(frames_[l].position));
    if (is_turned(frames_[l].axes)) text += fmt::format("    rotation: {}\n", rotation_text(frames_[l].axes));
    std::string shapes;
    for (std::size_t other = 0; other < robot_.links.size(); ++other)
      if (body_[other] == l)
        for (const Shape& shape : robot_.links[other].shapes)
          shapes += this->shape(shape, in_body(l, other) * shape.frame);
    if (!shapes.empty()) text += "    shapes:\n" + shapes;
    if (shapes.empty() && inertia.mass > 0) text += "    # no <collision>: it touches nothing\n";
    return text;
  }

  /// The frame of a link in that of the body it belongs to.
  Frame in_body(std::size_t body, std::size_t l) const {
    return l == body ? Frame{} : in_body(body, parent_[l]) * joint_of(l).frame;
  }

  std::string shape(const Shape& shape, const Frame& frame) const {
    std::string text = "      - {";
    switch (shape.kind) {
      case Shape::Kind::box: text += fmt::format("box: {{size: {}}}", yaml(shape.size)); break;
      case Shape::Kind::cylinder:
        text += fmt::format("cylinder: {{length: {}, radius: {}, axis: z}}", yaml(shape.size[1]), yaml(shape.size[0]));
        break;
      case Shape::Kind::sphere: text += fmt::format("sphere: {{radius: {}}}", yaml(shape.size[0])); break;
      case Shape::Kind::mesh: text += mesh_text(shape.part, folder_); break;
    }
    if (frame.position.cwiseAbs().maxCoeff() > 0) text += ", position: " + yaml(frame.position);
    if (is_turned(frame.axes)) text += ", rotation: " + rotation_text(frame.axes);
    return text + "}\n";
  }

  std::string joint(std::size_t l) {
    const Joint& joint = joint_of(l);
    const std::size_t above = body_[parent_[l]];
    if (joint.type == "floating") {
      notes_.push_back(
          {Fate::converted, joint.line, fmt::format("joint '{}'", joint.name), "joint", "floating: no joint"});
      return "";
    }
    if (joint.type == "planar") {
      notes_.push_back(
          {Fate::refused, joint.line, fmt::format("joint '{}'", joint.name), "planar", "jostle has no planar joint"});
      return "";
    }
    const std::string& name = joint_names_[static_cast<std::size_t>(above_[l])];
    const std::string both = fmt::format("[{}, {}]", names_[above], names_[l]);
    const std::string at = yaml(frames_[l].position);
    std::string as_fixed = fmt::format("  {}: {{fixed: {}}}\n", name, both);
    if (joint.type == "fixed") return as_fixed;
    const std::string lower = yaml(joint.lower - start_of(joint)), upper = yaml(joint.upper - start_of(joint));
    if (joint.type != "continuous" && lower == upper) {
      notes_.push_back({Fate::converted, joint.line, fmt::format("joint '{}' limit", joint.name), "limit",
                        "its limits leave no room: it is fixed"});
      return as_fixed;
    }
    const bool slides = joint.type == "prismatic";
    std::string text = fmt::format("  {}: {{{}: {}, {}axis: {}", name, slides ? "prismatic" : "revolute", both,
                                   slides ? "" : fmt::format("at: {}, ", at), yaml(Vec3(frames_[l].axes * joint.axis)));
    if (joint.type != "continuous") text += fmt::format(", limits: [{}, {}]", lower, upper);
    if (joint.friction > 0) text += ", friction: " + yaml(joint.friction);
    if (joint.damping > 0) text += ", damping: " + yaml(joint.damping);
    return text + "}\n";
  }

  const Robot& robot_;
  const std::string& file_;
  const std::string& folder_;
  std::vector<ImportNote>& notes_;
  std::vector<int> above_;           ///< [link] the joint of which it is the child; -1: none
  std::vector<std::size_t> parent_;  ///< [link]
  std::vector<std::size_t> order_;   ///< links, parents first
  std::vector<std::size_t> body_;    ///< [link] the link that has the body it belongs to
  std::vector<Frame> frames_;        ///< [link] in the world at the start
  std::vector<std::string> names_, joint_names_;
};

}  // namespace
}  // namespace jostle::urdf

namespace jostle {

Import import_urdf_text(const std::string& text, const std::string& file_name, const UrdfOptions& options) {
  urdf::Robot robot = urdf::read_robot(text, file_name, options);
  urdf::check_meshes(robot);
  Import result;
  result.notes = robot.notes, result.meshes = robot.meshes;
  result.scenario = urdf::Writer(robot, file_name, options.folder, result.notes).write();
  std::ranges::stable_sort(result.notes, {}, &ImportNote::line);
  return result;
}

Import import_urdf(const std::string& path, const UrdfOptions& options) {
  try {
    return import_urdf_text(bytes_of_file(path, "a robot"), path, options);
  } catch (const UnreadableFile& error) {
    throw ScenarioError(path, 0, 0, error.what());
  }
}

}  // namespace jostle
