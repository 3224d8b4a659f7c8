// A sweep of made-up samples as a program of its own, for tests that kill it.
//
//   fake_sweep OUT N [--seed S] [--shard k/n] [--record none|first|all|failures] [--delay MILLISECONDS]
//              [--scratch FOLDER]
//
// `--delay` makes every shard take that long. Exit statuses are those of the real program.
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "drivers/errors.hpp"
#include "drivers/program/interrupt.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "tests/support/fake_producer.hpp"

namespace jostle::test {
namespace {

struct Arguments {
  SweepOptions options;
  std::uint64_t seed = 7;
  RecordSettings::Which record = RecordSettings::Which::none;
  int delay = 0;  ///< ms per shard
};

RecordSettings::Which which_of(const std::string& name) {
  using Which = RecordSettings::Which;
  if (name == "first") return Which::first;
  if (name == "all") return Which::all;
  if (name == "failures") return Which::failures;
  return Which::none;
}

Arguments parse(int count, char** values) {
  Arguments arguments;
  arguments.options.folder = values[1];
  arguments.options.n = std::stoll(values[2]);
  for (int i = 3; i + 1 < count; i += 2) {
    const std::string name = values[i], value = values[i + 1];
    if (name == "--seed") arguments.seed = std::stoull(value);
    if (name == "--shard") parse_shard_part(value, arguments.options);
    if (name == "--record") arguments.record = which_of(value);
    if (name == "--scratch") arguments.options.scratch = value;
    if (name == "--delay") arguments.delay = std::stoi(value);
  }
  return arguments;
}

int sweep(int count, char** values) {
  Arguments arguments = parse(count, values);
  const std::atomic<bool>& stop = catch_interrupts();
  arguments.options.stop = &stop;
  DatasetDescription description = fake_description(arguments.record, 20000);
  description.seed = arguments.seed;
  FakeProducer producer(description);
  producer.before = [&](const std::atomic<bool>& is_dropped) {
    for (int waited = 0; waited < arguments.delay && !is_dropped; ++waited)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const SweepReport report = run_sweep(description, producer, arguments.options);
  std::printf("%lld\n", static_cast<long long>(report.simulated));
  return static_cast<int>(report.end == SweepReport::End::interrupted ? ExitStatus::interrupted : ExitStatus::ok);
}

}  // namespace
}  // namespace jostle::test

int main(int count, char** values) {
  try {
    return jostle::test::sweep(count, values);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(jostle::exit_status_of(error));
  }
}
