// Guessed modes and Lemke's method on contact LCPs of all sizes: boxes at rest, stacks, the same perturbed, clusters of
// bodies, one body on more contacts than it has freedoms; planar and spatial, with friction and without.
#include <gtest/gtest.h>

#include "benchmarks/lcp_problems.hpp"
#include "tests/core/solved_problem.hpp"

namespace jostle {
namespace {

/// The mixed LCP of which a generated LCP is the Schur complement; frictionless on demand.
MixedProblem mixed(const ContactLcp& lcp, bool is_smooth) {
  const ContactRows& parts = lcp.rows;
  const int contacts = lcp.size.contacts, k = lcp.size.directions, nv = static_cast<int>(parts.velocity.size());
  MixedProblem problem;
  Column mass(nv);
  problem.r = Column::Zero(nv), problem.s = Column(0), problem.N = Dense(nv, 0);
  for (int i = 0; i < nv; ++i) {
    const auto at = static_cast<std::size_t>(i);
    mass[i] = 1 / parts.inverse_mass[at];
    if (parts.inverse_mass[at] > 0) problem.r[i] = mass[i] * parts.velocity[at];
  }
  problem.A = mass.asDiagonal();
  std::vector<double> bias;
  for (int c = 0; c < contacts; ++c) {
    const auto at = static_cast<std::size_t>(c);
    const int first = static_cast<int>(problem.rows.size()), above = parts.bodies[at][0], below = parts.bodies[at][1];
    const auto add = [&](int row, double row_bias) {
      const Column dense = Eigen::Map<const Column>(parts.J[static_cast<std::size_t>(row)].data(), nv);
      problem.rows.push_back(below < 0 ? row_of(dense, above, no_body)
                                       : row_of(dense, std::min(above, below), std::max(above, below)));
      bias.push_back(row_bias);
    };
    add(contacts * k + c, parts.gap_speed[at]);
    for (int i = 0; i < k / 2; ++i) add(c * k + i, 0);
    const bool is_rough = !is_smooth && parts.friction[at] > 0;
    problem.blocks.push_back({first, first + 1, is_rough ? k / 2 : 0, true, is_rough ? parts.friction[at] : 0, 0});
  }
  problem.bias = Eigen::Map<const Column>(bias.data(), static_cast<int>(bias.size()));
  return problem;
}

double residual_of(const ContactLcp& lcp, const Column& z) {
  const Eigen::Map<const Dense> M(lcp.M.data(), lcp.n(), lcp.n());
  return natural_residual(M, Eigen::Map<const Column>(lcp.q.data(), lcp.n()),
                          Eigen::Map<const Column>(lcp.scale.data(), lcp.n()), z);
}

/// What both ways made of many problems.
struct Agreement {
  int problems = 0, vertices = 0, separate = 0;
};

/// Both answer the problem: alike, unless the problem has several answers.
void compare(const ContactLcp& lcp, bool is_smooth, Agreement& agreement) {
  const MixedProblem problem = mixed(lcp, is_smooth);
  const Solved guess = solved(problem, lcp.size.directions, Solver::guess_first);
  const Solved lemke = solved(problem, lcp.size.directions, Solver::lemke);
  ASSERT_EQ(guess.result.status, Status::ok);
  ASSERT_EQ(lemke.result.status, Status::ok);
  ++agreement.problems;
  const bool is_vertex = guess.result.vertex + lemke.result.vertex > 0;
  agreement.vertices += is_vertex;
  for (const Solved* answer : {&guess, &lemke}) {
    EXPECT_LE(answer->result.residual, answer->result.vertex > 0 ? 1e-10 : 1e-12);
    if (!is_smooth) {
      EXPECT_LE(residual_of(lcp, answer->z), answer->result.vertex > 0 ? 1e-10 : 2e-12);
    }
  }
  const double scale = std::max(guess.velocity.cwiseAbs().maxCoeff(), lemke.velocity.cwiseAbs().maxCoeff());
  if (difference(guess, lemke) <= 1e-9 * std::max(scale, 1e-3)) return;
  ++agreement.separate;
  EXPECT_FALSE(is_smooth) << "without friction v is unique";
  if (!is_smooth && !is_vertex) {
    EXPECT_GE(residual_of(lcp, (guess.z + lemke.z) / 2), 1e-6) << "answers of one family";
  }
}

class ContactLcps : public testing::TestWithParam<LcpSize> {};

INSTANTIATE_TEST_SUITE_P(Sizes, ContactLcps, testing::ValuesIn([] {
                           std::vector<LcpSize> sizes(std::begin(contact_lcp_sizes), std::end(contact_lcp_sizes));
                           sizes.push_back({4, 16});
                           return sizes;
                         }()),
                         [](const auto& one) {
                           return std::to_string(one.param.contacts) + "x" + std::to_string(one.param.directions);
                         });

// 20,000 in all.
TEST_P(ContactLcps, HaveOneAnswerByGuessesAndByLemke) {
  for (const ContactScene scene : contact_scenes) {
    ContactLcpGenerator generator(20240601);
    Agreement agreement;
    for (int sample = 0; sample < 456; ++sample) {
      SCOPED_TRACE("scene " + std::to_string(int(scene)) + ", sample " + std::to_string(sample));
      compare(generator.make(GetParam(), scene), sample % 6 == 5, agreement);
      if (HasFatalFailure()) return;
    }
    RecordProperty("vertices of scene " + std::to_string(int(scene)), agreement.vertices);
    RecordProperty("separate answers of scene " + std::to_string(int(scene)), agreement.separate);
    EXPECT_EQ(agreement.vertices, 0);
    EXPECT_LE(agreement.separate, scene == ContactScene::hyperstatic ? 1 : 0) << "of " << agreement.problems;
  }
}

}  // namespace
}  // namespace jostle
