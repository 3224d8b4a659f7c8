#pragma once
// Points to simulate, one per row of a CSV file.
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/text/error.hpp"

namespace jostle {

class Table {
 public:
  /// Columns are named after variables, in any order; not every variable needs one.
  /// Throws ScenarioError with line and column in `file`.
  Table(const std::string& file, std::string bytes, const std::vector<std::string>& variables);
  /// Reads the file first.
  static Table load(const std::string& file, const std::vector<std::string>& variables);

  std::int64_t rows() const { return static_cast<std::int64_t>(values_.size() / columns_.size()); }
  /// Names of the variables, in the order of the columns.
  const std::vector<std::string>& columns() const { return columns_; }
  double value(std::int64_t row, std::size_t column) const {
    return values_[static_cast<std::size_t>(row) * columns_.size() + column];
  }
  /// The content of the file, for its identity.
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::vector<std::string> columns_;
  std::vector<double> values_;  ///< row by row
};

}  // namespace jostle
