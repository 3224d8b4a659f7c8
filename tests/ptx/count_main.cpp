// What the kernels cost in slots of warps, by the kind of team: the one thing about their speed that needs no GPU.
//
//     count_kernels [--nvdisasm PATH] [--ptxas PATH]      prints the tables of docs/gpu-development.md
//     count_kernels --only rod                            rows whose names contain that
//     count_kernels --functions rod                       what each function takes in these rows, and its machine code
//
// Kernels are executed as intermediate code and counted in machine instructions (machine_code.hpp); without nvdisasm,
// which the CUDA toolkit has as a package of its own, in instructions of intermediate code.
#include <cxxabi.h>

#include <cstdio>
#include <cstring>

#include "tests/ptx/counts.hpp"

namespace jostle {
namespace {

/// What an H200 issues in a second at best: 132 multiprocessors with 4 schedulers each, at 1.98 GHz.
constexpr double slots_per_second = 132 * 4 * 1.98e9;

/// Steps a second that are aimed at.
struct Goal {
  const char* scenario;
  double steps_per_second;
};
constexpr Goal goals[] = {{"rod", 100e6}, {"tossed_box", 25e6}, {"box_stack", 1e6}, {"box_stack", 2e6}};

/// A line of a table in the way of docs/: digits in groups.
std::string grouped(double number) {
  std::string digits = std::to_string(static_cast<std::int64_t>(number + 0.5));
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

struct Row {
  std::string name;
  int chosen;                    ///< kind of team that the placement gives it
  std::vector<Counted> counted;  ///< [kind of the build]
};

/// The rest of the head of a table.
void print_kinds() {
  for (const int kind : test::kinds_of_build()) std::printf(" %s |", team_kinds[kind].name);
  std::printf("\n|---|");
  for (std::size_t i = 0; i < test::kinds_of_build().size(); ++i) std::printf("---|");
}

void print_table(const char* title, const std::vector<Row>& rows,
                 const std::function<std::string(const ptx::IssueCount&)>& cell) {
  std::printf("\n%s\n\n|  |", title);
  print_kinds();
  for (const Row& row : rows) {
    std::printf("\n| %s |", row.name.c_str());
    for (std::size_t i = 0; i < row.counted.size(); ++i) {
      const std::string text = row.counted[i] ? cell(*row.counted[i]) : "-";
      std::printf(row.chosen == test::kinds_of_build()[i] ? " **%s** |" : " %s |", text.c_str());
    }
  }
  std::printf("\n");
}

template <class Count>
void add_row(std::vector<Row>& rows, const std::string& name, const std::string& only, int chosen, const Count& count) {
  if (name.find(only) == std::string::npos) return;
  rows.push_back({name, chosen, {}});
  for (const int kind : test::kinds_of_build()) rows.back().counted.push_back(count(kind));
}

std::vector<Row> rows_of(const Listings& listings, const std::string& only) {
  std::vector<Row> rows;
  for (const LcpSize size : contact_lcp_sizes) {
    char name[60];
    std::snprintf(name, sizeof name, "n = %d, %.1f pivots", size.n(), mean_pivots(size));
    add_row(rows, name, only, team_kind_for(size.n(), all_team_kinds, test::set_of_build()),
            [&](int kind) { return count_lcps(listings, size, kind); });
  }
  const std::pair<const char*, int> scenarios[] = {
      {"rod", 32}, {"tossed_box", 32}, {"cube_toss", 32}, {"four_balls", 16}, {"box_stack", 8}};
  for (const auto& [scenario, systems] : scenarios)
    for (const Solver solver : {Solver::guess_first, Solver::lemke}) {
      const std::string name =
          std::string("a step of ") + scenario + (solver == Solver::lemke ? ", by Lemke's method" : "");
      if (name.find(only) == std::string::npos) continue;
      const MiddleOfRun middle(scenario, solver);
      add_row(rows, name, only, chosen_for(middle), [&, systems = systems](int kind) {
        return count_steps(listings, middle.batch(filling(kind, systems)), middle.step, kind);
      });
    }
  return rows;
}
std::vector<Row> rows_of_orders(const Listings& listings, const std::string& only) {
  constexpr int systems = 64, steps = 128, fewer = 32;
  const Ensemble ensemble(read_scenario(library_file("tossed_box")));
  std::vector<Row> rows;
  for (const bool from_many_heights : {false, true})
    for (const auto& [launches, length, order] : {std::tuple{"a launch of 128 steps", steps, Order::of_memory},
                                                  {"launches of 32, order of memory", fewer, Order::of_memory},
                                                  {"launches of 32, sorted", fewer, Order::of_cost}}) {
      const std::string name = std::string(from_many_heights ? "from many heights: " : "from one height: ") + launches;
      add_row(rows, name, only, team_kind_for(24, all_team_kinds, test::set_of_build()),
              [&, l = length, o = order](int kind) {
                const Batch start = falling_boxes(ensemble, systems, from_many_heights);
                return count_launches(listings, start, l, steps / l, o, kind);
              });
    }
  return rows;
}

void print_code(const std::vector<Row>& rows) {
  std::printf(
      "\nkB of machine code that warps execute in a step: of which each instruction is issued in at least every\n"
      "second step, in every tenth, or at all\n\n|  |");
  print_kinds();
  for (const Row& row : rows) {
    std::printf("\n| %s |", row.name.c_str());
    for (std::size_t i = 0; i < row.counted.size(); ++i) {
      const int kind = test::kinds_of_build()[i];
      if (row.counted[i])
        std::printf(" %.0f / %.0f / %.0f |", kilobytes_of_code(*row.counted[i], kind, 0.5),
                    kilobytes_of_code(*row.counted[i], kind, 0.1), kilobytes_of_code(*row.counted[i], kind, 0));
      else
        std::printf(" - |");
    }
  }
  std::printf("\n");
}

void print_goals(const std::vector<Row>& rows) {
  std::vector<Row> wanted;
  for (const Goal& goal : goals)
    for (const Row& row : rows) {
      if (row.name != std::string("a step of ") + goal.scenario) continue;
      wanted.push_back(
          {grouped(goal.steps_per_second / 1e6) + " M steps of " + goal.scenario + " a second", row.chosen, {}});
      for (const Counted& counted : row.counted)
        wanted.back().counted.push_back(counted ? Counted(scaled(*counted, {}, 1 / goal.steps_per_second)) : counted);
    }
  print_table("Share of the slots of an H200 (together to serialised)", wanted, [](const ptx::IssueCount& count) {
    char text[40];
    std::snprintf(text, sizeof text, count.serialised > count.together ? "%.0f to %.0f %%" : "%.0f %%",
                  100 * count.together / slots_per_second, 100 * count.serialised / slots_per_second);
    return std::string(text);
  });
}

using Amounts = std::map<std::string, double>;  ///< by names of functions

/// "solve_modes" for its mangled name, whatever its template arguments.
std::string short_name(const std::string& mangled) {
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, nullptr), &std::free);
  const std::string name = text ? text.get() : mangled;
  const std::string head = name.substr(0, name.find_first_of("<("));
  return head.substr(std::min(head.size(), head.find_last_of(" :") + 1));
}

/// A table of those functions, by short names, that have most of something of a row: amounts(count) by their names.
void print_functions(const Row& of, const char* title, const std::function<Amounts(const ptx::IssueCount&)>& amounts) {
  std::map<std::string, std::vector<Counted>> functions;
  for (std::size_t kind = 0; kind < of.counted.size(); ++kind) {
    if (!of.counted[kind]) continue;
    for (const auto& [name, amount] : amounts(*of.counted[kind])) {
      std::vector<Counted>& counted = functions.try_emplace(short_name(name), of.counted.size()).first->second;
      if (!counted[kind]) counted[kind].emplace();
      counted[kind]->together += amount;
    }
  }
  const auto largest = [](const Row& row) {
    double most = 0;
    for (const Counted& counted : row.counted) most = std::max(most, counted ? counted->together : 0);
    return most;
  };
  std::vector<Row> rows;
  for (const auto& [name, counted] : functions) rows.push_back({name, of.chosen, counted});
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return largest(a) > largest(b); });
  rows.resize(std::min<std::size_t>(rows.size(), 16));
  print_table((title + of.name).c_str(), rows, [](const ptx::IssueCount& count) { return grouped(count.together); });
}

void print_functions(const Row& of) {
  print_functions(of, "Slots by function, with those that it calls: ", [](const ptx::IssueCount& count) {
    return count.functions;
  });
  print_functions(of, "kB of machine code that warps execute, by function: ", [](const ptx::IssueCount& count) {
    Amounts kilobytes;
    for (const auto& [line, use] : count.code)
      if (use.times > 0) kilobytes[use.function] += use.size * kilobytes_of_instruction;
    return kilobytes;
  });
}

void print_reports() {
  std::printf(
      "\nOf a lane: registers, bytes of local memory, bytes of spills\n\n| | simulate | solve LCPs |\n|---|---|---|\n");
  for (const int kind : test::kinds_of_build()) {
    const std::filesystem::path code = test::code_of_kind(team_kinds[kind].name);
    std::printf("| %s |", team_kinds[kind].name);
    for (const char* kernel : {"simulate_kernel", "solve_lcps_kernel"}) {
      const test::KernelReport report =
          test::report_of(code.parent_path().replace_extension(".o.log"), test::target_of(code), kernel);
      std::printf(" %d, %s, %s |", report.registers, grouped(report.frame).c_str(), grouped(report.spills).c_str());
    }
    std::printf("\n");
  }
}

Listings listings_of_build(const test::CudaTools& tools) {
  Listings listings;
  for (const int kind : test::kinds_of_build()) {
    std::optional<ptx::Listing> listing = test::listing_of(test::code_of_kind(team_kinds[kind].name), tools);
    if (!listing) {
      std::printf(
          "No machine code: ptxas or nvdisasm did not succeed. What follows counts intermediate code, which is\n"
          "less. nvdisasm is in the package cuda-nvdisasm of the CUDA toolkit and in the wheel of triton, in\n"
          "triton/backends/nvidia/bin; name it with --nvdisasm, and ptxas, if need be, with --ptxas.\n");
      return {};
    }
    std::printf("%s: %s machine instructions, and %s that only run in special cases\n", team_kinds[kind].name,
                grouped(static_cast<double>(listing->instructions)).c_str(),
                grouped(static_cast<double>(listing->special)).c_str());
    listings[kind] = std::move(*listing);
  }
  return listings;
}

void print_counts(const test::CudaTools& tools, const std::string& only) {
  const Listings listings = listings_of_build(tools);
  const std::vector<Row> rows = rows_of(listings, only);
  const auto number = [](double ptx::IssueCount::*member) {
    return [member](const ptx::IssueCount& count) { return grouped(count.*member); };
  };
  using Count = ptx::IssueCount;
  print_table("Slots, if the teams of a warp stay together as well as they can", rows, number(&Count::together));
  print_table("Slots, if the teams of a warp take turns", rows, number(&Count::serialised));
  print_table("Slots of the slowest lanes alone", rows, number(&Count::slowest));
  print_table("Machine instructions for one of intermediate code, and what special divisions and roots add", rows,
              [](const Count& count) {
                char text[40];
                std::snprintf(text, sizeof text, "%.2f + %.2f", (count.together - count.special) / count.intermediate,
                              count.special / count.intermediate);
                return std::string(text);
              });
  print_table("Slots with accesses to local, shared and global memory", rows, [](const Count& count) {
    return grouped(count.local) + " / " + grouped(count.shared) + " / " + grouped(count.global);
  });
  print_code(rows);
  print_goals(rows);
  print_table("Slots for a step of a tossed box, by the order of the systems", rows_of_orders(listings, only),
              number(&Count::together));
  print_reports();
}

}  // namespace
}  // namespace jostle

int main(int argc, char** argv) {
  jostle::test::CudaTools tools{JOSTLE_PTXAS, "nvdisasm"};
  std::string only, functions;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--nvdisasm") == 0) tools.nvdisasm = argv[i + 1];
    if (std::strcmp(argv[i], "--ptxas") == 0) tools.ptxas = argv[i + 1];
    if (std::strcmp(argv[i], "--only") == 0) only = argv[i + 1];
    if (std::strcmp(argv[i], "--functions") == 0) functions = argv[i + 1];
  }
  if (jostle::test::kinds_of_build().empty()) {
    std::printf("This build has no kernels: nvcc was not found, or JOSTLE_CUDA is OFF.\n");
    return 0;
  }
  if (functions.empty()) {
    jostle::print_counts(tools, only);
    return 0;
  }
  for (const jostle::Row& row : jostle::rows_of(jostle::listings_of_build(tools), functions))
    jostle::print_functions(row);
}
