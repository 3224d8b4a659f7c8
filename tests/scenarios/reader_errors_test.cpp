// Faults of files, of YAML and of options. The tables of faults of a scenario are in reader_*_errors_test.cpp.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/scenarios/error_case.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {

using test::edited;
using test::error_of;
using test::ErrorCases;
using test::good_scenario;

TEST_P(ErrorCases, AreRefusedInOneLineWithThePlace) {
  EXPECT_EQ(error_of(edited(GetParam().edits)), GetParam().message);
}

namespace {

/// What reading the file gives, and that it takes no time worth mentioning even with sanitizers.
std::string error_of_file(const std::string& path) {
  const auto start = std::chrono::steady_clock::now();
  std::string message;
  try {
    read_scenario(path);
  } catch (const ScenarioError& error) {
    message = error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  return message;
}

std::string error_of_bytes(const std::string& bytes) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "reader_test.yaml").string();
  std::ofstream(path, std::ios::binary) << bytes;
  const std::string message = error_of_file(path);
  return message.substr(message.find("reader_test.yaml"));
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(ReaderErrors, TheGoodScenarioHasNone) { EXPECT_EQ(error_of(good_scenario), ""); }

TEST(ReaderFiles, AMissingFileIsNamed) {
  EXPECT_EQ(error_of_file("/no/such/rod.yaml"), "/no/such/rod.yaml:1:1: cannot be read: No such file or directory");
}

TEST(ReaderFiles, ADirectoryIsNotAScenario) {
  const std::string path = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(error_of_file(path), path + ":1:1: is a directory, not a scenario file");
}

TEST(ReaderFiles, EmptyFilesAreRefusedAtTheFirstCharacter) {
  EXPECT_EQ(error_of_bytes(""), "reader_test.yaml:1:1: the file is empty");
  EXPECT_EQ(error_of_bytes("# nothing\n\n"), "reader_test.yaml:1:1: the file is empty");
  EXPECT_EQ(error_of_bytes("\xEF\xBB\xBF"), "reader_test.yaml:1:1: the file is empty");
}

TEST(ReaderFiles, BinaryFilesAreRefusedAtTheFirstCharacter) {
  EXPECT_EQ(error_of_bytes(std::string("\x7F"
                                       "ELF\0\0",
                                       6)),
            "reader_test.yaml:1:1: not a text file in UTF-8");
  EXPECT_EQ(error_of_bytes("title: \xFF\xFE"), "reader_test.yaml:1:1: not a text file in UTF-8");
  EXPECT_EQ(error_of_bytes(std::string("j\0o\0s\0", 6)), "reader_test.yaml:1:1: not a text file in UTF-8");
}

TEST(ReaderFiles, AHundredMegabytesAreRefusedAtOnce) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "large.yaml").string();
  std::ofstream(path) << "jostle: 1\n";
  std::filesystem::resize_file(path, 100'000'000);
  EXPECT_EQ(error_of_file(path), path + ":1:1: larger than 16 MiB, not a scenario");
  EXPECT_EQ(error_of(repeated("- 1\n", 10'000'000)), "rod.yaml:1:1: larger than 16 MiB, not a scenario");
}

TEST(ReaderYaml, SyntaxErrorsHaveTheirPlace) {
  EXPECT_EQ(
      error_of("jostle: 1\nworld\nbodies: {}\n"),
      "rod.yaml:3:7: not valid YAML: no key can stand here; is a ':' or the space after it missing in this line or "
      "the one before?");
  EXPECT_EQ(error_of("title: @home\n"), "rod.yaml:1:8: not valid YAML: unknown token");
  EXPECT_EQ(error_of("title: *none\n"), "rod.yaml:1:8: not valid YAML: the referenced anchor is not defined");
}

TEST(ReaderYaml, UsualSlipsAreNamedWhereTheyStand) {
  const std::string no_yaml = ": not valid YAML: ";
  const std::string bracket = "no bracket of this kind is open; or a space is missing after a ':'";
  EXPECT_EQ(error_of("jostle: 1\nworld:\n\t- 1\n"),
            "rod.yaml:3:2" + no_yaml + "a tab indents this line, YAML wants spaces");
  EXPECT_EQ(error_of(edited({{"  mu:", "  \tmu:"}})),
            "rod.yaml:3:6" + no_yaml + "a tab indents this line, YAML wants spaces");
  EXPECT_EQ(error_of("jostle: 1\nworld: {step: 1\n"), "rod.yaml:2:8" + no_yaml + "this '{' is never closed");
  EXPECT_EQ(error_of(edited({{"{radius: 0.1}", "{radius: 0.1"}})),
            "rod.yaml:11:12" + no_yaml + "this '{' is never closed");
  EXPECT_EQ(error_of(edited({{"between: any", "between: [floor, ball[0]]"}})),
            "rod.yaml:14:27" + no_yaml + "a name with brackets needs quotes inside of others: 'ball[0]'");
  EXPECT_EQ(error_of(edited({{"[0, 0, 1]\n", "[0, 0, 1} # ]\n"}})), "rod.yaml:12:23" + no_yaml + bracket);
  EXPECT_EQ(error_of(edited({{"mu: {", "mu:{"}})), "rod.yaml:3:26" + no_yaml + bracket);
  EXPECT_EQ(error_of(edited({{"mass: 1", "mass:1"}})),
            "rod.yaml:11:10" + no_yaml +
                "no key can stand here; is a ':' or the space after it missing in this line or the one before?");
}

TEST(ReaderYaml, OneDocumentOnly) {
  EXPECT_EQ(error_of(std::string(good_scenario) + "---\njostle: 1\n"),
            "rod.yaml:17:1: only one YAML document is allowed in a scenario");
}

TEST(ReaderYaml, AMillionBracketsAreTooDeep) {
  EXPECT_EQ(error_of(std::string(1'000'000, '[') + std::string(1'000'000, ']')),
            "rod.yaml:1:25: nested deeper than 24 levels");
  EXPECT_EQ(error_of(std::string(1'000'000, '[')), "rod.yaml:1:1: a key must be a word (or a bracket is not closed)");
  EXPECT_EQ(error_of(repeated("{a: ", 500'000) + std::string(500'000, '}')),
            "rod.yaml:1:97: nested deeper than 24 levels");
  EXPECT_EQ(error_of(repeated("- ", 500'000)), "rod.yaml:1:49: nested deeper than 24 levels");
  EXPECT_EQ(error_of(repeated("? ", 500'000)), "rod.yaml:1:3: a key must be a word (or a bracket is not closed)");
}

TEST(ReaderYaml, AliasBombsAreRefused) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + repeated(", " + before, 9) + "]\n";
  }
  EXPECT_EQ(error_of(text), "rod.yaml:6:10: more than 200000 values once aliases are expanded");
}

// Each anchor keeps a copy: 200,000 values in 20 of them took half a gigabyte.
TEST(ReaderYaml, AnchorsAroundAnchorsAreCounted) {
  std::string text = "[x" + repeated(", x", 99'999) + "]";
  for (int i = 0; i < 12; ++i) text = "&a" + std::to_string(i) + " [" + text + "]";
  EXPECT_EQ(error_of("title: " + text), "rod.yaml:1:20: more than 1000000 values in anchors, one within the other");
  EXPECT_EQ(error_of("title: &a [x]\n"),
            "rod.yaml:1:1: jostle is missing; write 'jostle: 1', the version of the format");
}

TEST(ReaderYaml, DeepAliasesAreRefused) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 40; ++i)
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  EXPECT_THAT(error_of(text), testing::EndsWith(": nested deeper than 24 levels"));
}

TEST(ReaderYaml, AnAliasInsideItselfIsRefused) {
  EXPECT_EQ(error_of("title: &a [*a]\n"), "rod.yaml:1:12: an alias cannot stand inside what it names");
}

TEST(ReaderYaml, LongTextOfTheUserIsCutAndOnOneLine) {
  const std::string known =
      "' (known: jostle, title, units, variables, derived, world, bodies, contacts, joints, springs, forces, impulses, "
      "sample, "
      "outcomes, "
      "stop_when, record)";
  EXPECT_EQ(error_of("\"" + std::string(1000, 'k') + "\": 1\n"),
            "rod.yaml:1:1: unknown key '" + std::string(60, 'k') + "..." + known);
  EXPECT_EQ(error_of("\"a\\nb\": 1\n"), "rod.yaml:1:1: unknown key 'a b" + known);
}

std::string error_of_set(const std::string& option) {
  return error_of(good_scenario, {.set = {option}, .count = {}, .seed = {}});
}

TEST(ReaderSet, ErrorsNameTheOption) {
  const std::pair<const char*, const char*> cases[] = {
      {"world.step=0", "world.step must be greater than 0"},
      {"world.stepp=1", "unknown key 'stepp' in world (did you mean 'step'?)"},
      {"wrold.step=1", "unknown key 'wrold' (did you mean 'world'?)"},
      {"bodies.bal.mass=1", "there is no 'bal' in bodies (did you mean 'ball'?)"},
      {"variables.my=1", "there is no 'my' in variables (did you mean 'mu'?)"},
      {"outcomes.high={at_end: 1}", "there is no 'high' in outcomes"},
      {"contacts[1].friction=0", "contacts has 1 item, the first is [0]"},
      {"contacts.friction=0", "contacts is not a map in rod.yaml: set it as a whole"},
      {"bodies.ball.spin[0]=1", "bodies.ball.spin is not a list in rod.yaml: set it as a whole"},
      {"world.step.x=1", "world.step is not a map in rod.yaml: set it as a whole"},
      {"world.step", "must be path=value, as in world.step=0.001"},
      {"=1", "must be path=value, as in world.step=0.001"},
      {"world.step=", "the value is empty"},
      {"world..step=1", "the path must look like bodies.rod.spin[2]"},
      {"world.=1", "the path must not end with '.'"},
      {"contacts[0=1", "the path must look like bodies.rod.spin[2]"},
      {"contacts[x]=1", "an index in the path must be a whole number, as in bodies.rod.spin[2]"},
      {"contacts[0]friction=1", "the path must look like bodies.rod.spin[2]"},
      {"bodies.ball.mass=\"1", "not valid YAML: illegal EOF in scalar"},
      {"contacts[0].friction=$nu", "contacts[0].friction: unknown variable '$nu' (did you mean '$mu'?)"},
  };
  for (const auto& [option, message] : cases)
    EXPECT_EQ(error_of_set(option), "--set " + std::string(option) + ": " + message);
}

TEST(ReaderSet, APathDeeperThanAnyScenarioIsRefused) {
  std::string path = "world";
  for (int i = 0; i < 40; ++i) path += ".x";
  EXPECT_THAT(error_of_set(path + "=1"), testing::EndsWith("=1: the path is too long"));
}

TEST(ReaderLimits, TooManyBodiesOrRulesAreRefused) {
  std::string bodies = good_scenario, rules = good_scenario;
  const std::string body = "  ball:\n", rule = "contacts:\n";
  for (int i = 0; i < 255; ++i) bodies.insert(bodies.find(body), "  b" + std::to_string(i) + ": {fixed: true}\n");
  for (int i = 0; i < 1000; ++i) rules.insert(rules.find(rule) + rule.size(), "  - {between: any}\n");
  EXPECT_EQ(error_of(bodies), "rod.yaml:8:3: bodies has more than 256 entries");
  EXPECT_EQ(error_of(rules), "rod.yaml:14:3: contacts has more than 1000 rules");
  std::string joints = "joints:\n", springs = "springs:\n";
  for (int i = 0; i <= 256; ++i) {
    joints += "  j" + std::to_string(i) + ": {ball: [world, ball], at: [0, 0, 1]}\n";
    springs += "  s" + std::to_string(i) + ": {between: [world, ball], at: [[0, 0, 0], [0, 0, 1]], stiffness: 1}\n";
  }
  EXPECT_EQ(error_of(good_scenario + joints), "rod.yaml:18:3: joints has more than 256 entries");
  EXPECT_EQ(error_of(good_scenario + springs), "rod.yaml:18:3: springs has more than 256 entries");
}

TEST(ReaderOptions, NoSamplesAreRefused) {
  for (const int count : {0, -3})
    EXPECT_EQ(error_of(good_scenario, {.set = {}, .count = count, .seed = {}}),
              "-n " + std::to_string(count) + ": the number of samples must be 1 or more");
}

}  // namespace
}  // namespace jostle
