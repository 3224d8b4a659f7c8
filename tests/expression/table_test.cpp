// CSV tables: what is read, and what is refused at which line and column.
#include "scenarios/sampling/table.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

const std::vector<std::string> table_variables = {"mu", "omega0", "bodies.rod.spin[2]"};

Table table_of(const std::string& bytes) { return Table("points.csv", bytes, table_variables); }

std::string table_error(const std::string& bytes) {
  try {
    table_of(bytes);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "none";
}

TEST(Table, ReadsColumnsInAnyOrder) {
  const Table table = table_of("omega0,mu\n1,0.5\n-2.5e-3,+.25\n");
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.columns(), (std::vector<std::string>{"omega0", "mu"}));
  EXPECT_EQ(table.value(0, 0), 1);
  EXPECT_EQ(table.value(0, 1), 0.5);
  EXPECT_EQ(table.value(1, 0), -2.5e-3);
  EXPECT_EQ(table.value(1, 1), 0.25);
}

TEST(Table, ReadsWhatSpreadsheetsWrite) {
  const Table table = table_of("\xEF\xBB\xBF\"mu\" , bodies.rod.spin[2]\r\n 1 ,\t2\r\n3,4\r\n\r\n");
  EXPECT_EQ(table.columns(), (std::vector<std::string>{"mu", "bodies.rod.spin[2]"}));
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.value(1, 1), 4);
  EXPECT_EQ(table_of("mu\n7").value(0, 0), 7) << "without a last line feed";
}

TEST(Table, KeepsItsBytesForItsIdentity) { EXPECT_EQ(table_of("mu\n7\n").bytes(), "mu\n7\n"); }

TEST(Table, RefusesColumnsThatAreNoVariables) {
  EXPECT_EQ(table_error("mu,omega\n1,2\n"),
            "points.csv:1:4: column 'omega' names no variable of the scenario (did you mean 'omega0'?)");
  EXPECT_EQ(table_error("1,2\n"), "points.csv:1:1: column '1' names no variable of the scenario");
  EXPECT_EQ(table_error("mu, mu\n1,2\n"), "points.csv:1:5: column 'mu' stands twice");
  EXPECT_EQ(table_error("mu,\n1,2\n"), "points.csv:1:4: a column without a name");
}

TEST(Table, RefusesWhatIsNoNumber) {
  EXPECT_EQ(table_error("mu,omega0\n1,2\n3, four\n"), "points.csv:3:4: 'four' is not a number");
  EXPECT_EQ(table_error("mu\n0x10\n"), "points.csv:2:1: '0x10' is not a number");
  EXPECT_EQ(table_error("mu\n1 2\n"), "points.csv:2:1: '1 2' is not a number");
  EXPECT_EQ(table_error("mu\n+-1\n"), "points.csv:2:1: '+-1' is not a number");
  EXPECT_EQ(table_error("mu\n+\n"), "points.csv:2:1: '+' is not a number");
  EXPECT_EQ(table_error("mu,omega0\n,2\n"), "points.csv:2:1: a number is missing");
  EXPECT_EQ(table_error("mu,omega0\n1,\n"), "points.csv:2:3: a number is missing");
  EXPECT_EQ(table_error("mu\nnan\n"), "points.csv:2:1: 'nan' is not finite");
  EXPECT_EQ(table_error("mu\n-inf\n"), "points.csv:2:1: '-inf' is not finite");
  EXPECT_EQ(table_error("mu\n1e999\n"), "points.csv:2:1: '1e999' is outside the range of doubles");
}

TEST(Table, RefusesRaggedRows) {
  EXPECT_EQ(table_error("mu,omega0\n1\n"), "points.csv:2:2: the row ends before column 'omega0'");
  EXPECT_EQ(table_error("mu,omega0\n1,2,3\n"), "points.csv:2:5: the row has more fields than the header");
  EXPECT_EQ(table_error("mu\n1\n\n2\n"), "points.csv:3:1: an empty line between the rows");
}

TEST(Table, RefusesFilesThatAreNoTables) {
  EXPECT_EQ(table_error(""), "points.csv:1:1: the table does not begin with the names of its columns");
  EXPECT_EQ(table_error("\n"), "points.csv:1:1: the table does not begin with the names of its columns");
  EXPECT_EQ(table_error("mu\n"), "points.csv:1:1: the table has no rows");
  EXPECT_EQ(table_error("mu\n\n \n"), "points.csv:1:1: the table has no rows");
  EXPECT_EQ(table_error(std::string("mu\n1\0\n", 6)), "points.csv:1:1: the table is not a text file");
  EXPECT_EQ(table_error(std::string(1000000, 'x')),
            "points.csv:1:1: column '" + std::string(60, 'x') + "...' names no variable of the scenario");
  EXPECT_EQ(table_error("m\xB5\n1\n"),
            "points.csv:1:1: column 'm\uFFFD' names no variable of the scenario (did you mean 'mu'?)")
      << "a message is UTF-8, whatever the file is in";
}

TEST(Table, ReportsFilesThatCannotBeRead) {
  const test::ScratchFolder folder;
  const std::pair<std::string, std::string> unreadable[] = {
      {folder.path().string(), ":1:1: the table is a directory, not a file of numbers"},
      {(folder / "absent.csv").string(), ":1:1: the table cannot be read: No such file or directory"}};
  for (const auto& [file, message] : unreadable) {
    try {
      Table::load(file, table_variables);
      ADD_FAILURE() << file << " was read";
    } catch (const ScenarioError& error) {
      EXPECT_EQ(error.what(), file + message);
    }
  }
  const std::string file = (folder / "points.csv").string();
  std::ofstream(file) << "mu\n1\n2\n";
  EXPECT_EQ(Table::load(file, table_variables).rows(), 2);
}

}  // namespace
}  // namespace jostle
