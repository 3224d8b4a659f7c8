// The geometry as device code. It need not run: that it compiles and links for a device is the check.
//
//   nvcc -arch=sm_80 --expt-relaxed-constexpr -diag-suppress 20012 -fmad=false -DEIGEN_DONT_VECTORIZE
//        -std=c++20 -I. -I/usr/include/eigen3 tests/cuda/compile_check_geometry.cu
#include "core/geometry/shape_pair.hpp"

namespace {

/// One lane per pair: number of candidates, their least gap, and the signed distance.
__global__ void collide(const jostle::PlacedShape* a, const jostle::PlacedShape* b, int pairs, jostle::Real margin,
                        int* candidates, jostle::Real* least_gap, jostle::Real* distance) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= pairs || !jostle::supported(a[i].type, b[i].type)) return;
  const jostle::FeatureSet set = jostle::close_features(a[i], b[i], margin);
  candidates[i] = set.size();
  set.for_each([&](int feature) {
    const jostle::Real gap = jostle::contact_geometry(a[i], b[i], feature).gap;
    if (gap < least_gap[i]) least_gap[i] = gap;
  });
  distance[i] = jostle::signed_distance(a[i], b[i]);
}

}  // namespace

int main() {
  collide<<<1, 1>>>(nullptr, nullptr, 0, 0, nullptr, nullptr, nullptr);
  return 0;
}
