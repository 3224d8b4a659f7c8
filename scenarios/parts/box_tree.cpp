#include "scenarios/parts/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace jostle {
namespace {

class TreeMaker {
 public:
  TreeMaker(const std::vector<Box>& boxes, int most, BoxTree& tree) : boxes_(boxes), most_(most), tree_(tree) {
    tree_.items.resize(boxes.size());
    std::iota(tree_.items.begin(), tree_.items.end(), 0);
    if (!boxes.empty()) add(0, static_cast<int>(boxes.size()));
  }

 private:
  const Box& box(int item) const { return boxes_[static_cast<std::size_t>(item)]; }
  double middle(int item, int axis) const { return box(item).least[axis] + box(item).largest[axis]; }

  /// Equal middles are ordered by number, so that the tree depends on the boxes alone.
  void add(int begin, int end) {
    const std::size_t number = tree_.nodes.size();
    tree_.nodes.emplace_back();
    Box all, middles;
    for (int k = begin; k < end; ++k) {
      const int item = tree_.items[static_cast<std::size_t>(k)];
      all.include(box(item));
      middles.include(Vec3(middle(item, 0), middle(item, 1), middle(item, 2)));
    }
    if (end - begin <= most_) {
      tree_.nodes[number].first = begin, tree_.nodes[number].count = end - begin;
      std::sort(tree_.items.begin() + begin, tree_.items.begin() + end);
    } else {
      int axis = 0;
      (middles.largest - middles.least).maxCoeff(&axis);
      const int half = begin + (end - begin) / 2;
      std::nth_element(tree_.items.begin() + begin, tree_.items.begin() + half, tree_.items.begin() + end,
                       [&](int i, int j) {
                         const double of_i = middle(i, axis), of_j = middle(j, axis);
                         return of_i != of_j ? of_i < of_j : i < j;
                       });
      add(begin, half);
      add(half, end);
    }
    tree_.nodes[number].box = all;
    tree_.nodes[number].after = static_cast<int>(tree_.nodes.size());
  }

  const std::vector<Box>& boxes_;
  int most_;
  BoxTree& tree_;
};

}  // namespace

BoxTree::BoxTree(const std::vector<Box>& boxes, int most) { TreeMaker(boxes, most, *this); }

}  // namespace jostle
