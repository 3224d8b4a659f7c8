#include <H5public.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cuda/device.hpp"
#include "drivers/commit.hpp"
#include "drivers/datasets/dataset.hpp"
#include "drivers/program/commands.hpp"
#include "drivers/text.hpp"
#include "scenarios/format/schema.hpp"

namespace jostle {
namespace {

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

std::vector<std::string> processor_features() {
  std::vector<std::string> features;
#if defined(__x86_64__)
#define JOSTLE_FEATURE(name) \
  if (__builtin_cpu_supports(name)) features.emplace_back(name);
  JOSTLE_FEATURE("sse4.2")
  JOSTLE_FEATURE("avx")
  JOSTLE_FEATURE("avx2")
  JOSTLE_FEATURE("fma")
  JOSTLE_FEATURE("bmi2")
  JOSTLE_FEATURE("avx512f")
#undef JOSTLE_FEATURE
#endif
  return features;
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(release);
}

/// Opens the GPU: only this shows which kernels it has and whether it can be used at all.
nlohmann::ordered_json json_of(const DeviceInfo& gpu) {
  nlohmann::ordered_json json{{"name", fmt::format("cuda:{}", gpu.index)},
                              {"gpu", gpu.name},
                              {"compute_capability", gpu.architecture},
                              {"memory_bytes", gpu.memory_bytes},
                              {"has_code", gpu.has_code},
                              {"team_kinds", nlohmann::ordered_json::array()}};
  if (!gpu.has_code) return json;
  try {
    const unsigned kinds = open_cuda_device(gpu.index)->limits().team_kinds;
    for (int kind = 0; kind < team_kind_count; ++kind)
      if ((kinds >> kind & 1) != 0) json["team_kinds"].push_back(team_kinds[kind].name);
  } catch (const std::exception& error) {
    json["error"] = error.what();
  }
  return json;
}

nlohmann::ordered_json devices() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  list.push_back({{"name", "cpu"},
                  {"processor", processor_name()},
                  {"threads", omp_get_max_threads()},
                  {"features", processor_features()}});
  for (const DeviceInfo& gpu : cuda_devices()) list.push_back(json_of(gpu));
  return list;
}

nlohmann::ordered_json program_info() {
  return {{"version", JOSTLE_VERSION},
          {"commit", commit()},
          {"results_version", results_version},
          {"format", dataset_format},
          {"build",
           {{"type", JOSTLE_BUILD_TYPE},
            {"compiler", JOSTLE_COMPILER},
            {"arch", JOSTLE_ARCH},
            {"cuda", built_with_cuda()}}},
          {"hdf5", hdf5_version()},
          {"devices", devices()}};
}

std::string gpu_text(const nlohmann::ordered_json& gpu) {
  std::string text =
      fmt::format("{}, compute capability {}, {}{}\n", gpu["gpu"].get<std::string>(),
                  gpu["compute_capability"].get<std::string>(), size_text(gpu["memory_bytes"].get<double>()),
                  gpu["has_code"].get<bool>() ? "" : " (this build has no code for it)");
  if (gpu.contains("error")) return text + "    cannot be used: " + gpu["error"].get<std::string>() + '\n';
  if (gpu["team_kinds"].empty()) return text;
  return text + fmt::format("    kernels for teams of: {}\n",
                            fmt::join(gpu["team_kinds"].get<std::vector<std::string>>(), ", "));
}

std::string device_text(const nlohmann::ordered_json& device) {
  std::string text = "  " + device["name"].get<std::string>() + ": ";
  if (device.contains("gpu")) return text + gpu_text(device);
  text += device["processor"].get<std::string>() + ", " + counted(device["threads"].get<int>(), "thread");
  for (const auto& feature : device["features"]) text += ' ' + feature.get<std::string>();
  return text + '\n';
}

void print_info(const nlohmann::ordered_json& info) {
  const auto& build = info["build"];
  const auto from = info["commit"].get<std::string>();
  std::cout << "jostle " << info["version"].get<std::string>() << (from.empty() ? "" : ", commit ") << from
            << "\nresults version: " << info["results_version"]
            << " (results with the same version are bit-identical)\nbuild: " << build["type"].get<std::string>() << ", "
            << build["compiler"].get<std::string>() << ", for " << build["arch"].get<std::string>() << ", "
            << (build["cuda"].get<bool>() ? "with" : "without") << " CUDA, HDF5 " << info["hdf5"].get<std::string>()
            << "\ndevices:\n";
  for (const auto& device : info["devices"]) std::cout << device_text(device);
}

}  // namespace

void add_info(CLI::App& app, Invocation& invocation) {
  auto as_json = std::make_shared<bool>(false);
  app.set_version_flag("--version", "jostle " JOSTLE_VERSION);
  CLI::App* info = app.add_subcommand("info", "version, build and devices");
  info->add_flag("--json", *as_json, "one JSON object instead of text");
  info->footer("Example: jostle info");
  info->callback([as_json, &invocation] {
    if (*as_json)
      std::cout << program_info().dump(2) << '\n';
    else
      print_info(program_info());
    invocation.status = ExitStatus::ok;
  });
}

void add_schema(CLI::App& app, Invocation& invocation) {
  CLI::App* schema = app.add_subcommand("schema", "JSON Schema of scenario files");
  schema->footer("Example: jostle schema > scenario.schema.json");
  schema->callback([&invocation] {
    std::cout << json_schema() << '\n';
    invocation.status = ExitStatus::ok;
  });
}

}  // namespace jostle
