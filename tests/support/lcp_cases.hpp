#pragma once
// Reader of tests/data/lcp_cases (its README describes the format) and of matrices in CSV.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/lcp_solve.hpp"

namespace jostle {

struct LcpCase {
  int contacts, directions;
  std::int32_t kind, solvers_certified, solvers_with_equal_velocity;
  LcpProblem problem;
  std::vector<double> z;                    ///< n: one solution
  std::vector<double> velocity;             ///< p (k + 1): M z + q without the terms of lambda
  std::vector<std::vector<double>> q_next;  ///< q of the next time steps
};

class LcpCaseReader {
 public:
  explicit LcpCaseReader(const std::string& file) : name_(file) {
    std::ifstream stream(file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
  }

  std::vector<LcpCase> read() {
    if (bytes_.compare(0, 8, "LCPSET01") != 0) throw std::runtime_error(name_ + " is no set of LCPs");
    at_ = 8;
    const std::vector<std::int32_t> header = take<std::int32_t>(6);
    std::vector<LcpCase> cases(header[0]);
    for (LcpCase& one : cases) one = read_case(header[1], header[2], header[3], header[4]);
    if (at_ != bytes_.size()) throw std::runtime_error(name_ + " has bytes left");
    return cases;
  }

 private:
  LcpCase read_case(int n, int p, int k, int next) {
    LcpCase one;
    one.contacts = p;
    one.directions = k;
    const std::vector<std::int32_t> facts = take<std::int32_t>(4);
    one.kind = facts[0];
    one.solvers_certified = facts[1];
    one.solvers_with_equal_velocity = facts[2];
    take<double>(1 + p);  // step and friction, which stand in M
    one.problem.n = n;
    one.problem.q = take<double>(n);
    one.problem.M = take<double>(n * n);
    one.z = take<double>(n);
    take<double>(n);  // w
    one.velocity = take<double>(p * (k + 1));
    for (int step = 0; step < next; ++step) one.q_next.push_back(take<double>(n));
    return one;
  }

  template <class T>
  std::vector<T> take(int count) {
    const std::size_t size = sizeof(T) * std::size_t(count);
    if (at_ + size > bytes_.size()) throw std::runtime_error(name_ + " ends early");
    std::vector<T> values(count);
    std::memcpy(values.data(), bytes_.data() + at_, size);
    at_ += size;
    return values;
  }

  std::string name_;
  std::string bytes_;
  std::size_t at_ = 0;
};

/// All numbers of a CSV file, row after row.
inline std::vector<double> read_csv(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::vector<double> numbers;
  for (std::string line, cell; std::getline(stream, line);) {
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
  }
  return numbers;
}

}  // namespace jostle
