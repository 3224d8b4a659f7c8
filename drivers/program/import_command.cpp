#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/program/options.hpp"
#include "drivers/text.hpp"
#include "scenarios/format/words.hpp"
#include "scenarios/import/part.hpp"
#include "scenarios/import/urdf.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

struct ImportCommand {
  std::string file, out, report, allow, scale, density, form;
  std::vector<std::string> packages;
  bool quiet = false;
};

std::optional<MeshForm> form_of(const ImportCommand& command) {
  if (command.form.empty()) return {};
  const auto forms = words<MeshForm>();
  const auto found = std::ranges::find(forms, command.form);
  if (found == forms.end()) throw UsageError("--as is surface or hull, not '" + command.form + "'");
  return static_cast<MeshForm>(found - forms.begin());
}

Import import_file(const ImportCommand& command) {
  const std::string& path = command.file;
  std::string end = std::filesystem::path(path).extension().string();
  std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string folder = std::filesystem::absolute(command.out.empty() ? "." : command.out).parent_path().string();
  if (end == ".stl" || end == ".obj") {
    if (!command.packages.empty()) throw UsageError("--packages is for robots, " + path + " is a part");
    if (command.scale.empty())
      throw UsageError("a file of triangles has no unit: give --scale, 0.001 for mm or 1 for m");
    if (command.density.empty())
      throw UsageError("a file of triangles has no mass: give --density in kg/m^3, such as 2700 for aluminium");
    const double scale = positive_number("--scale", command.scale);
    return import_part(path, scale, positive_number("--density", command.density), folder, form_of(command));
  }
  if (end == ".xacro") throw UsageError(path + " is a xacro file: run xacro first, and import what it prints");
  if (end != ".urdf" && end != ".xml")
    throw UsageError(path + ": jostle imports URDF (.urdf), STL (.stl) and OBJ (.obj)");
  if (!command.scale.empty() || !command.density.empty())
    throw UsageError("--scale and --density are for STL and OBJ, a robot has its own: <mesh scale>, <inertial>");
  return import_urdf(path, {folder, command.packages, form_of(command)});
}

/// Used, converted, ignored and refused, each with its lines.
void print_lists(const Import& import, const std::string& file, const std::vector<std::string>& allowed) {
  for (const Fate fate : {Fate::used, Fate::converted, Fate::ignored, Fate::refused}) {
    const auto count = std::ranges::count(import.notes, fate, &ImportNote::fate);
    std::cerr << fmt::format("{}: {}\n", name_of(fate), count);
    if (fate == Fate::used) continue;
    for (const ImportNote& note : import.notes) {
      if (note.fate != fate) continue;
      const bool is_allowed = std::ranges::find(allowed, note.kind) != allowed.end();
      std::cerr << fmt::format(
          "  {}: {}{}{}\n", note.line == 0 ? file : fmt::format("{}:{}", file, note.line), note.item,
          note.message.empty() ? "" : ": " + note.message,
          fate == Fate::refused ? fmt::format(" ({})", is_allowed ? "allowed" : "--allow " + note.kind) : "");
    }
  }
}

std::string report_of(const Import& import) {
  nlohmann::ordered_json lists;
  for (const Fate fate : {Fate::used, Fate::converted, Fate::ignored, Fate::refused}) {
    nlohmann::ordered_json& list = lists[std::string(name_of(fate))] = nlohmann::ordered_json::array();
    for (const ImportNote& note : import.notes)
      if (note.fate == fate)
        list.push_back({{"line", note.line}, {"item", note.item}, {"kind", note.kind}, {"message", note.message}});
  }
  return json_text(lists);
}

/// The names of docs/parts.md, which may be allowed whether or not a file has something of the kind. Elements and
/// attributes that nobody knows have names of their own.
void check_allowed(const std::vector<std::string>& allowed, const Import& import) {
  std::vector<std::string> known =
      parts_at_commas("concave,contact_coefficients,dynamics,gazebo,inertial,massless,mesh,mimic,planar,size,text");
  for (const ImportNote& note : import.notes) known.push_back(note.kind);
  for (const std::string& kind : allowed)
    if (std::ranges::find(known, kind) == known.end())
      throw UsageError("--allow: there is no kind '" + kind + "'" + did_you_mean(kind, known));
}

void keep_files(const ImportCommand& command, const std::vector<std::string>& sources) {
  keep_sources("--out", command.out, sources);
  keep_sources("--report", command.report, sources);
}

ExitStatus run_command(const ImportCommand& command) {
  keep_files(command, {command.file});
  keep_apart("--out", command.out, "--report", command.report);
  const Import import = import_file(command);
  keep_files(command, import.meshes);
  const std::vector<std::string> allowed =
      command.allow.empty() ? std::vector<std::string>() : parts_at_commas(command.allow);
  check_allowed(allowed, import);
  if (!command.quiet) print_lists(import, command.file, allowed);
  if (!command.report.empty()) {
    catch_interrupts();
    write_atomically(command.report, report_of(import), "import");
  }
  if (!import.is_complete(allowed)) {
    std::cerr << "nothing is written: what is refused changes motion. --allow NAME,... goes without it\n";
    return ExitStatus::usage;
  }
  if (command.out.empty()) {
    warn_of_faults(import.scenario, "<scenario>");
    std::cout << import.scenario;
  } else {
    write_scenario(command.out, import.scenario, "import");
  }
  return ExitStatus::ok;
}

}  // namespace

void add_import(CLI::App& app, Invocation& invocation) {
  auto command = std::make_shared<ImportCommand>();
  CLI::App* import =
      app.add_subcommand("import", "writes a scenario from a robot or a part, and says what became of each element");
  add_value(*import, "file", command->file, "", "a robot: .urdf; a part: .stl, .obj")->required();
  add_value(*import, "-o,--out", command->out, "FILE", "the scenario (default: stdout)");
  add_value(*import, "--scale", command->scale, "X", "of a part: m per unit of the file, 0.001 for mm");
  add_value(*import, "--density", command->density, "X", "of a part: kg/m^3");
  import->add_option("--packages", command->packages, "of a robot: a folder of packages, for package:// (repeatable)")
      ->type_name("FOLDER");
  add_value(*import, "--as", command->form, "FORM",
            "of meshes: surface, as they are, or hull, their convex hulls (default: the hull, if it is the part)");
  add_value(*import, "--report", command->report, "FILE", "the four lists as JSON");
  add_value(*import, "--allow", command->allow, "NAME,...",
            "kinds of elements that it goes without, although they change motion");
  import->add_flag("--quiet", command->quiet, "does not print the lists");
  import->footer(
      "Exit status 2, and no scenario, if something that changes motion would be left out.\n"
      "Examples: jostle import arm.urdf -o arm.yaml\n"
      "          jostle import nut.stl --scale 0.001 --density 7850 --as surface -o nut.yaml");
  import->callback([command, &invocation] { invocation.status = run_command(*command);
});
}  // namespace jostle

}  // namespace jostle
