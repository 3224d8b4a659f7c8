#pragma once
// The keys of shapes.
#include "scenarios/format/map_format.hpp"

namespace jostle {

template <>
inline constexpr MapFormat format_of<ShapeSpec>{"shape", "bodies.NAME.shape"};
template <Is<ShapeSpec> Spec>
void visit_keys(Spec& shape, auto&& visit) {
  using enum ShapeType;
  visit(Alternative{shape.type, sphere, shape.sphere}, Key("sphere", "ball about its centre").one_of());
  visit(Alternative{shape.type, capsule, shape.capsule},
        Key("capsule", "points within a radius of a segment").one_of());
  visit(Alternative{shape.type, box, shape.box}, Key("box", "box about its centre").one_of());
  visit(Alternative{shape.type, cylinder, shape.cylinder},
        Key("cylinder", "points within a radius of an axis, between two flat caps").one_of());
  visit(Alternative{shape.type, polygon, shape.polygon},
        Key("polygon", "polygon in the plane of a planar scene, convex or not, edges rounded or not").one_of());
  visit(Alternative{shape.type, hull, shape.hull},
        Key("hull", "convex hull of points in space, edges rounded or not")
            .one_of()
            .only_if(!shape.is_prism && !shape.is_surface && !shape.is_mesh));
  visit(Alternative{shape.is_prism, true, shape.prism},
        Key("prism", "an outline with a height, with holes or without").one_of());
  visit(Alternative{shape.is_surface, true, shape.surface},
        Key("surface", "solid inside of a closed surface, convex or not").one_of());
  visit(Alternative{shape.type, half_space, shape.half_space},
        Key("half_space", "solid where normal . x <= offset; fixed or prescribed bodies only").one_of());
  visit(Alternative{shape.is_mesh, true, shape.mesh},
        Key("mesh", "closed surface of triangles in an STL or OBJ file, or its convex hull").one_of());
  visit(shape.density, Key("density", "of this shape, if not that of the body")
                           .in("kg/m^3")
                           .positive()
                           .only_if(shape.has_density)
                           .no_default());
  visit(shape.position, Key("position", "of the shape's centre in the body").in("m"));
  visit(shape.rotation, Key("rotation", "of the shape in the body"));
  visit(shape.pattern, Key("pattern", "several of it about an axis of the body or in a row; in `shapes`")
                           .only_if(shape.pattern.count > 0)
                           .no_default());
  visit(shape.display, Key("display", "true: it is drawn, but touches nothing and has no mass").only_if(shape.display));
}

template <>
inline constexpr MapFormat format_of<SphereSpec>{"sphere", "sphere"};
template <Is<SphereSpec> Spec>
void visit_keys(Spec& sphere, auto&& visit) {
  visit(sphere.radius, Key("radius", "0 or more; 0: a particle").in("m").required().not_negative());
}

template <>
inline constexpr MapFormat format_of<CapsuleSpec>{"capsule", "capsule"};
template <Is<CapsuleSpec> Spec>
void visit_keys(Spec& capsule, auto&& visit) {
  visit(capsule.length, Key("length", "between the centres of the caps, above 0").in("m").required().positive());
  visit(capsule.radius, Key("radius", "0 or more").in("m").required().not_negative());
  visit(capsule.axis, Key("axis", "direction in the body"));
}

template <>
inline constexpr MapFormat format_of<BoxSpec>{"box", "box"};
template <Is<BoxSpec> Spec>
void visit_keys(Spec& box, auto&& visit) {
  visit(box.size, Key("size", "full edges, above 0").in("m").required().positive());
}

template <>
inline constexpr MapFormat format_of<CylinderSpec>{"cylinder", "cylinder"};
template <Is<CylinderSpec> Spec>
void visit_keys(Spec& cylinder, auto&& visit) {
  visit(cylinder.length, Key("length", "above 0").in("m").required().positive());
  visit(cylinder.radius, Key("radius", "above 0").in("m").required().positive());
  visit(cylinder.axis, Key("axis", "direction in the body"));
}

template <>
inline constexpr MapFormat format_of<PolygonSpec>{"polygon", "polygon"};
template <Is<PolygonSpec> Spec>
void visit_keys(Spec& polygon, auto&& visit) {
  visit(polygon.points, Key("points", "the corners in order, [x, z] in the plane of x and z").in("m").required());
  visit(polygon.radius, Key("radius", "rounds the edges: all points that are at most this far belong to the shape")
                            .in("m")
                            .not_negative());
  visit(polygon.thickness,
        Key("thickness", "extent across the plane; with a density, it matters for the mass").in("m").positive());
}

template <>
inline constexpr MapFormat format_of<HullSpec>{"hull", "hull"};
template <Is<HullSpec> Spec>
void visit_keys(Spec& hull, auto&& visit) {
  visit(hull.points, Key("points", "in any order; those inside are ignored").in("m").required().to(max_hull_points));
  visit(hull.radius, Key("radius", "rounds the edges: all points that are at most this far belong to the shape")
                         .in("m")
                         .not_negative());
}

template <>
inline constexpr MapFormat format_of<PrismSpec>{"prism", "prism"};
template <Is<PrismSpec> Spec>
void visit_keys(Spec& prism, auto&& visit) {
  visit(prism.points,
        Key("points", "the corners in order: [x, y], for the axis x [y, z], for the axis y [x, z]").in("m").required());
  visit(prism.height, Key("height", "along the axis, half on each side of the outline").in("m").required().positive());
  visit(prism.axis, Key("axis", "across the outline"));
  visit(prism.tolerance, Key("tolerance", "largest distance of a facet from its arc; required with arcs")
                             .in("m")
                             .positive()
                             .only_if(prism.tolerance > 0)
                             .no_default());
  visit(prism.radius, Key("radius",
                          "rounds the edges: all points that are at most this far belong to the shape; "
                          "of convex prisms")
                          .in("m")
                          .not_negative());
  visit(prism.holes, Key("holes", "outlines of holes, as `points`").in("m").only_if(!prism.holes.list.empty()));
}

template <>
inline constexpr MapFormat format_of<SurfaceSpec>{"surface", "surface"};
template <Is<SurfaceSpec> Spec>
void visit_keys(Spec& surface, auto&& visit) {
  visit(surface.points, Key("points", "the corners").in("m").required().to(max_surface_corners));
  visit(surface.faces, Key("faces",
                           "polygons by the numbers of their points, from 0, counter-clockwise seen from "
                           "outside; with holes: the outline, then the holes")
                           .required());
}

template <>
inline constexpr MapFormat format_of<MeshSpec>{"mesh", "mesh"};
template <Is<MeshSpec> Spec>
void visit_keys(Spec& mesh, auto&& visit) {
  const bool has_file = mesh.points.list.empty();
  visit(mesh.file, Key("file", "STL (binary or ASCII) or OBJ, relative to the scenario").only_if(has_file).one_of());
  visit(mesh.points,
        Key("points", "the corners of its hull, which canonical text has in place of a file, with scale: 1")
            .in("m")
            .one_of()
            .to(max_hull_points));
  visit(mesh.scale, Key("scale", "m per unit of the file: 0.001 for mm, 1 for m").required());
  visit(mesh.form, Key("as", "hull: its convex hull; surface: what it encloses").required());
  visit(mesh.radius, Key("radius",
                         "rounds the edges: all points that are at most this far belong to the shape; of "
                         "convex shapes")
                         .in("m")
                         .not_negative());
  visit(mesh.any_size, Key("any_size", "takes parts below 0.1 mm or above 10 m as they are").only_if(has_file));
}

template <>
inline constexpr MapFormat format_of<HalfSpaceSpec>{"half_space", "half_space"};
template <Is<HalfSpaceSpec> Spec>
void visit_keys(Spec& half_space, auto&& visit) {
  visit(half_space.normal, Key("normal", "out of the solid; need not have unit length").required());
  visit(half_space.offset, Key("offset", "along the unit normal").in("m"));
}

}  // namespace jostle
