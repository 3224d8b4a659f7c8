#include "scenarios/import/yaml_text.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "scenarios/expression/vocabulary.hpp"
#include "scenarios/text/error.hpp"
#include "scenarios/text/number.hpp"
#include "scenarios/text/utf8.hpp"

namespace jostle {

std::string yaml(double x) {
  const std::string rounded = fmt::format("{:.15g}", x == 0 ? 0.0 : x);
  return finite_number_of(rounded) ? rounded : fmt::format("{}", x);
}

std::string yaml(const Vec3& v) { return fmt::format("[{}, {}, {}]", yaml(v[0]), yaml(v[1]), yaml(v[2])); }

std::string yaml_inertia(const Mat3& J) {
  const Mat3 clean = (J.array().abs() > 1e-15 * J.norm()).select(J, 0.0);
  return fmt::format("[{}, {}, {}, {}, {}, {}]", yaml(clean(0, 0)), yaml(clean(1, 1)), yaml(clean(2, 2)),
                     yaml(clean(0, 1)), yaml(clean(0, 2)), yaml(clean(1, 2)));
}

std::string yaml_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

std::string quoted_file(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  const std::string name = fs::proximate(fs::absolute(file), fs::absolute(folder)).generic_string();
  if (on_one_line(name) != name || find_no_utf8(name) != std::string::npos)
    throw ScenarioError(
        on_one_line(file), 0, 0,
        "a scenario cannot name a file with control characters or bytes that are not UTF-8 in its path");
  return yaml_quoted(name);
}

std::string name_like(std::string_view name, std::set<std::string>& taken) {
  std::string good;
  for (const char c : name) good += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (good.empty() || std::isdigit(static_cast<unsigned char>(good[0]))) good = "_" + good;
  const auto is_null = [&] { return good == "null" || good == "Null" || good == "NULL"; };  // to YAML
  while (is_reserved(good) || is_null() || !taken.insert(good).second) good += "_";
  return good;
}

std::string file_name_of(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace jostle
