// Each problem is timed several times in turn with the peer; its least time counts, and the table shows the median
// over the problems. Ours includes the certificate; the peer computes none. Both are timed on q jittered by 1e-9
// relative, because exactly degenerate problems defeat the peer: the columns "exact" show who is certified there.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <utility>

#include "benchmarks/lcp_peer.hpp"
#include "benchmarks/lcp_problems.hpp"
#include "benchmarks/tables.hpp"
#include "benchmarks/timing.hpp"
#include "core/lcp/certificate.hpp"
#include "core/lcp/lemke.hpp"
#include "core/lcp/lemke_memory.hpp"

namespace jostle {
namespace {

class OurSolver {
 public:
  explicit OurSolver(int n) : z_(n), w_(n), workspace_(memory_.workspace(n)) {}

  LcpResult solve(const ContactLcp& lcp, const std::uint8_t* start_basis, std::uint8_t* final_basis) {
    const LcpView view = lcp.view();
    const auto certify = [&, this] {
      return certify_equilibrated(SerialTeam{}, view, lcp.scale.data(), z_.data(), w_.data());
    };
    return solve_lcp(SerialTeam{}, view, lcp.scale.data(), workspace_, LemkeOptions{}, z_.data(), certify, start_basis,
                     final_basis);
  }

 private:
  LemkeMemory memory_;
  std::vector<double> z_, w_;
  LemkeWorkspace workspace_;
};

struct Measurement {
  double ours = std::numeric_limits<double>::infinity();  ///< microseconds
  double started = ours;                                  ///< ours, given the basis of the solution
  double peer = ours;
  int pivots = 0;
  bool certified = false, certified_exact = false, peer_certified = false, peer_certified_exact = false;
};

double microseconds(int calls, const std::function<void()>& call) {
  return microseconds_of([&] {
           for (int i = 0; i < calls; ++i) call();
         }) /
         calls;
}

bool certifies(const ContactLcp& lcp, const std::vector<double>& z) {
  std::vector<double> w(z.size());
  return certify_plain(SerialTeam{}, lcp.view(), z.data(), w.data()) <= 1e-8;
}

// Relative to |q|inf, so that zeros move too.
std::vector<double> jittered(const std::vector<double>& q, std::mt19937_64& random) {
  double size = 0;
  for (const double x : q) size = std::max(size, std::fabs(x));
  std::vector<double> moved = q;
  for (double& x : moved) x += 1e-9 * size * double(random() >> 11) * 0x1p-53;
  return moved;
}

Measurement measure(const ContactLcp& exact, LcpPeer* peer, int repetitions, std::mt19937_64& random) {
  Measurement best;
  OurSolver ours(exact.n());
  std::vector<std::uint8_t> basis(exact.n());
  best.certified_exact = ours.solve(exact, nullptr, nullptr).status == LcpStatus::solved;
  if (peer) {
    peer->set_problem(exact.n(), exact.M, exact.q);
    peer->solve();
    best.peer_certified_exact = certifies(exact, peer->z());
  }
  ContactLcp lcp = exact;
  lcp.q = jittered(exact.q, random);
  const LcpResult result = ours.solve(lcp, nullptr, basis.data());
  best.pivots = result.pivots;
  best.certified = result.status == LcpStatus::solved;
  if (peer) peer->set_problem(lcp.n(), lcp.M, lcp.q);
  const int calls = 1 + 400 / std::max(1, lcp.n() * lcp.n());
  for (int i = 0; i < repetitions; ++i) {
    best.ours = std::min(best.ours, microseconds(calls, [&] { ours.solve(lcp, nullptr, nullptr); }));
    best.started = std::min(best.started, microseconds(calls, [&] { ours.solve(lcp, basis.data(), nullptr); }));
    if (peer) best.peer = std::min(best.peer, microseconds(calls, [&] { peer->solve(); }));
  }
  best.peer_certified = peer && certifies(lcp, peer->z());
  return best;
}

double median_of(const std::vector<Measurement>& all, double Measurement::*field) {
  std::vector<double> values;
  values.reserve(all.size());
  for (const Measurement& one : all) values.push_back(one.*field);
  return median(std::move(values));
}

double percent(const std::vector<Measurement>& all, bool Measurement::*field) {
  double count = 0;
  for (const Measurement& one : all) count += one.*field ? 1 : 0;
  return 100 * count / double(all.size());
}

void print_row(LcpSize size, const std::vector<Measurement>& all) {
  double pivots = 0;
  for (const Measurement& one : all) pivots += one.pivots / double(all.size());
  const double ours = median_of(all, &Measurement::ours), peer = median_of(all, &Measurement::peer);
  std::printf("%2d x %d %5d %7.1f %9.2f %7.1f %7.1f %10.2f", size.contacts, size.directions, size.n(), pivots, ours,
              percent(all, &Measurement::certified), percent(all, &Measurement::certified_exact),
              median_of(all, &Measurement::started));
  std::printf(" %10.2f %7.1f %7.1f %7.2f\n", peer, percent(all, &Measurement::peer_certified),
              percent(all, &Measurement::peer_certified_exact), peer / ours);
  std::fflush(stdout);
}

}  // namespace

void print_lcp_table(int problems, int repetitions) {
  const std::unique_ptr<LcpPeer> peer = LcpPeer::find();
  std::printf("peer: %s\n", LcpPeer::name());
  std::printf("median microseconds per LCP; shares certified in percent; ratio: peer / ours\n\n");
  std::printf("%6s %5s %7s %9s %7s %7s %10s %10s %7s %7s %7s\n", "size", "n", "pivots", "ours", "cert.", "exact",
              "own basis", "peer", "cert.", "exact", "ratio");
  for (const LcpSize size : contact_lcp_sizes) {
    ContactLcpGenerator generator(1);
    std::mt19937_64 random(2);
    std::vector<Measurement> all;
    for (int i = 0; i < problems; ++i) {
      const ContactLcp lcp = generator.make(size, contact_scenes[i % 4]);
      all.push_back(measure(lcp, peer.get(), repetitions, random));
    }
    print_row(size, all);
  }
}

}  // namespace jostle
