// Prints the digests of the library's scenarios, as tests/data/golden_digests.json holds them. With the name of such a
// file it compares: exit 1, and the lines that differ, unless every digest is there and equal. Built several times with
// other flags, which must not change a bit.
//
//     library_digest_unoptimised > tests/data/golden_digests.json
#include <cstdio>
#include <fstream>
#include <iterator>

#include "tests/support/library_digest.hpp"

namespace jostle {
namespace {

std::string content(const char* file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

int print_or_compare(int count, char** arguments) {
  const std::string golden = count > 1 ? content(arguments[1]) : "";
  int differences = 0;
  const char* separator = "{\n";
  for (const std::string& name : whole_library()) {
    const Ensemble ensemble(read_scenario(library_file(name)));
    const std::string line = '"' + name + "\": \"" + digest_text(library_digest(ensemble)) + '"';
    std::printf("%s  %s", separator, line.c_str());
    std::fflush(stdout);
    separator = ",\n";
    if (count > 1 && golden.find(line) == std::string::npos) {
      std::fprintf(stderr, "\n%s does not hold %s\n", arguments[1], line.c_str());
      ++differences;
    }
  }
  std::puts("\n}");
  return differences > 0;
}

}  // namespace
}  // namespace jostle

int main(int count, char** arguments) { return jostle::print_or_compare(count, arguments); }
