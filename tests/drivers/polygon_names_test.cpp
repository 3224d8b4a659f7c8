// Names of the feature pairs of polygons: corners and edges are numbered as in the file, in either orientation.
#include <gmock/gmock.h>

#include "drivers/datasets/feature_names.hpp"

namespace jostle {
namespace {

TEST(PolygonFeatureNames, NumberCornersAndEdgesAsTheFileDoes) {
  Model model;
  model.add_polygon(0, 3);
  model.add_polygon(1, 4, true);  // clockwise: corners 0, 3, 2, 1 of the file; its edge 3 leads from 3 to 0
  model.add_shape(ShapeType::capsule, 2);
  model.add_shape(ShapeType::half_space, 3);
  const std::vector<std::string> names = polygon_feature_names(model.shapes[0], model.shapes[1]);
  ASSERT_EQ(static_cast<int>(names.size()), model.features_of(0, 1));
  EXPECT_EQ(names[0], "corner 0 of a, edge 3 of b");
  EXPECT_EQ(names[1 * 4 + 1], "corner 1 of a, edge 2 of b");
  EXPECT_EQ(names[12 + 1 * 3 + 2], "edge 2 of a, corner 3 of b");
  EXPECT_EQ(names[24 + 2 * 4 + 3], "corner 2 of a, corner 1 of b");
  EXPECT_EQ(polygon_feature_names(model.shapes[2], model.shapes[1])[0], "cap -z of a, edge 3 of b");
  EXPECT_EQ(polygon_feature_names(model.shapes[1], model.shapes[3])[1], "corner 3 of a, plane of b");
}

TEST(PolygonFeatureNames, OfArcsAreThoseOfEdges) {
  Model model;
  model.add_polygon(0, 3, false, true);
  model.add_polygon(1, 4, true);
  model.add_shape(ShapeType::half_space, 2);
  const std::vector<std::string> names = polygon_feature_names(model.shapes[0], model.shapes[1]);
  ASSERT_EQ(static_cast<int>(names.size()), model.features_of(0, 1));
  EXPECT_EQ(names[36 + 1 * 4 + 2], "edge 1 of a, edge 1 of b");
  const std::vector<std::string> on_plane = polygon_feature_names(model.shapes[0], model.shapes[2]);
  ASSERT_EQ(static_cast<int>(on_plane.size()), model.features_of(0, 2));
  EXPECT_EQ(on_plane[3 + 2], "edge 2 of a, plane of b");
}

}  // namespace
}  // namespace jostle
