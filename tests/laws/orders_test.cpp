// The table of orders in docs/methods.md, measured: every row of it is a motion here, every column a method.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/laws/known_contact_motions.hpp"

namespace jostle::orders {
namespace {

struct Row {
  const char* name;  ///< its first cell
  std::vector<Motion> (*motions)();
};

template <Motion (*motion)()>
std::vector<Motion> one() {
  return {motion()};
}

const Row rows[] = {
    {"a spring along one line", one<spring_along_a_line>},
    {"a spring that turns", one<spring_that_turns>},
    {"a force of position and velocity", one<force_of_position_and_velocity>},
    {"a force of time", one<force_of_time>},
    {"a free rotation", one<free_rotation>},
    {"an open chain of joints", [] { return std::vector{chain("")}; }},
    {"the same with `stabilisation: 0`", [] { return std::vector{chain("stabilisation: 0")}; }},
    {"a closed loop of joints", one<closed_loop>},
    {"a motor that reaches its speed", one<motor_of_told_speed>},
    {"a joint to a body with prescribed motion", one<told_motion>},
    {"friction of a joint whose speed reverses", friction_of_joints},
    {"a limit of a joint, restitution 0.8", limits},
    {"the same of a bar that swings", impacts_of_tied_bodies},
    {"rolling on a plane", one<rolling_on_a_plane>},
    {"rolling on a plane that turns", one<rolling_on_a_turntable>},
    {"rolling on a ball", [] { return std::vector{on_a_dome(2)}; }},
    {"sliding on a ball without friction", [] { return std::vector{on_a_dome(0)}; }},
    {"friction of a contact whose slip reverses", friction_of_contacts},
    {"impacts, restitution 0.8", impacts},
    {"a contact that opens", contact_that_opens},
};

/// The cells of the table, row by row: the first has the names of the methods.
std::vector<std::vector<std::string>> table() {
  std::ifstream page(JOSTLE_SOURCE_DIR "/docs/methods.md");
  std::vector<std::vector<std::string>> cells;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| error ~ h^order", 0) != 0 && cells.empty()) continue;
    if (line.empty()) break;
    cells.emplace_back();
    std::istringstream parts(line.substr(1));
    for (std::string cell; std::getline(parts, cell, '|');) {
      const auto first = cell.find_first_not_of(' ');
      cells.back().push_back(first == cell.npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    }
  }
  if (cells.size() > 1) cells.erase(cells.begin() + 1);  // the line of dashes
  return cells;
}

TEST(TableOfOrders, HasTheMotionsThatAreMeasured) {
  const auto cells = table();
  ASSERT_EQ(cells.size(), std::size(rows) + 1);
  for (std::size_t i = 0; i < std::size(rows); ++i) EXPECT_EQ(cells[i + 1].at(0), rows[i].name);
  EXPECT_THAT(cells[0], testing::ElementsAre("error ~ h^order", "`stewart_trinkle`", "`anitescu_potra`",
                                             "`trapezoidal`", "`trapezoidal_midpoint`", "`loetstedt`"));
}

class TableOfOrdersRow : public testing::TestWithParam<int> {};

// Where a method has no order it refuses the scenario.
TEST_P(TableOfOrdersRow, IsWhatIsMeasured) {
  const auto cells = table();
  const Row& row = rows[GetParam()];
  const auto motions = row.motions();
  for (std::size_t m = 1; m < cells.at(0).size(); ++m) {
    const std::string method = cells[0][m].substr(1, cells[0][m].size() - 2);
    const std::string promised = cells.at(GetParam() + 1).at(m);
    SCOPED_TRACE(method + ": " + row.name);
    if (promised == "-") {
      EXPECT_THROW(measured_order(motions, method), std::exception);
    } else {
      const MeasuredOrder measured = measured_order(motions, method);
      EXPECT_NEAR(measured.order, std::stod(promised), 0.25) << measured.errors;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Motions, TableOfOrdersRow, testing::Range(0, static_cast<int>(std::size(rows))),
                         [](const auto& row) {
                           std::string name;
                           bool starts = true;
                           for (const char* c = rows[row.param].name; *c != 0; ++c) {
                             if (std::isalnum(*c)) name += static_cast<char>(starts ? std::toupper(*c) : *c);
                             starts = std::isalnum(*c) == 0;
                           }
                           return name;
                         });

}  // namespace
}  // namespace jostle::orders
