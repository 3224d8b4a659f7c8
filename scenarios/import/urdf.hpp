#pragma once
// URDF, the description of robots of ROS, as a scenario.
#include <optional>

#include "scenarios/import/ledger.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

struct UrdfOptions {
  std::string folder = ".";           ///< where the scenario will lie: files of meshes are relative to it
  std::vector<std::string> packages;  ///< folders of packages, for package://NAME/FILE; those above the file are known
  std::optional<MeshForm> form = {};  ///< of meshes; none: the hull, which must be the part
};

/// Links become bodies, joints joints, boxes, cylinders, spheres and meshes of <collision> shapes. The robot stands as
/// its joints do at 0, or at the nearest of their limits. The first link is fixed if it has no mass or is called
/// "world". A link without mass, or with moments that no body has, on a fixed joint is a part of its parent. Throws
/// ScenarioError, with file and line, for what is no URDF: broken XML, a missing or twice given name, a joint of
/// unknown links, a circle of joints, numbers that are none.
Import import_urdf(const std::string& path, const UrdfOptions& options = {});
/// The same of a text.
Import import_urdf_text(const std::string& text, const std::string& file_name, const UrdfOptions& options = {});

}  // namespace jostle
