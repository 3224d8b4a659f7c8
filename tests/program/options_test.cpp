// What the program makes of its command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cuda/device.hpp"
#include "tests/program/program.hpp"

namespace jostle {
namespace {

using test::Answer;
using test::is_one_line;
using test::library;
using testing::HasSubstr;

TEST(Help, OfEveryCommandIsOnStdoutWithAnExample) {
  for (const char* command : {"", "sweep", "run", "lcp", "compare", "info", "schema"}) {
    const std::vector<std::string> words =
        *command ? std::vector<std::string>{command, "--help"} : std::vector<std::string>{"--help"};
    const Answer answer = test::jostle(words);
    EXPECT_EQ(answer.status, 0) << command;
    EXPECT_EQ(answer.err, "") << command;
    EXPECT_THAT(answer.out, HasSubstr("Example: jostle " + std::string(command))) << command;
  }
}

TEST(Help, NamesEveryOptionOfTheContract) {
  const std::string sweep = test::jostle({"sweep", "--help"}).out;
  for (const char* option : {"-n", "-o", "--seed", "--set", "--device", "--threads", "--shard", "--dry-run", "--json",
                             "--fail-if", "--max-invalid", "-v"})
    EXPECT_THAT(sweep, HasSubstr(option));
  const std::string run = test::jostle({"run", "--help"}).out;
  for (const char* option : {"--sample", "--set", "--seed", "--json", "--dump-lcp", "-v"})
    EXPECT_THAT(run, HasSubstr(option));
}

TEST(Help, SaysWhereAutoIsTheCpu) {
  for (const char* command : {"run", "record", "view", "lcp"})
    EXPECT_THAT(test::jostle({command, "--help"}).out, HasSubstr("(default auto, which is cpu)")) << command;
}

struct WrongLine {
  std::vector<std::string> words;
  int status;
  std::string message;
};

/// The words without what no name may have; the number tells cases of equal words apart.
std::string name_of(const testing::TestParamInfo<WrongLine>& info) {
  std::string name = "Nothing";
  if (!info.param.words.empty()) name.clear();
  for (const std::string& word : info.param.words) {
    std::string part = std::filesystem::path(word).stem().string();
    std::erase_if(part, [](unsigned char letter) { return !std::isalnum(letter); });
    name += (name.empty() ? "" : "_") + part;
  }
  return std::to_string(info.index) + "_" + name;
}

void PrintTo(const WrongLine& line, std::ostream* out) {
  for (const std::string& word : line.words) *out << '\'' << word << "' ";
}

class WrongCommandLine : public testing::TestWithParam<WrongLine> {};

TEST_P(WrongCommandLine, IsRefusedInOneLineAndNothingIsWritten) {
  const test::ScratchFolder folder;
  const Answer answer = test::jostle(GetParam().words, folder.path().string());
  EXPECT_EQ(answer.status, GetParam().status);
  EXPECT_EQ(answer.out, "");
  EXPECT_TRUE(is_one_line(answer.err)) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr(GetParam().message));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

std::vector<WrongLine> wrong_lines() {
  const std::string rod = library("rod");
  std::vector<WrongLine> lines = {
      {{}, 2, "a command is required"},
      {{"swep"}, 2, "there is no command 'swep' (did you mean 'sweep'?)"},
      {{"veiw", "f", "--sample", "1"}, 2, "there is no command 'veiw'"},
      {{"--foo"}, 2, "there is no option '--foo'"},
      {{"run"}, 2, "file is required; see 'jostle run --help'"},
      {{"run", rod, "more"}, 2, "unexpected argument 'more'"},
      {{"view", rod, "-o", "no\nfolder/page.html"}, 6, "cannot be created"},
      {{"run", rod, "--sampel", "1"}, 2, "there is no option '--sampel' (did you mean '--sample'?)"},
      {{"run", rod, "--sample"}, 2, "--sample"},
      {{"run", rod, "--sample", "-1"}, 2, "--sample: expected a whole number, 0 or more, not '-1'"},
      {{"run", rod, "--sample", "x"}, 2, "--sample: expected a whole number, 0 or more, not 'x'"},
      {{"run", rod, "--sample", "1.5"}, 2, "not '1.5'"},
      {{"run", rod, "--dump-lcp", "x", "f"}, 2, "--dump-lcp: expected a whole number, from 1 to 400, not 'x'"},
      {{"run", rod, "--dump-lcp", "-3", "f"}, 2, "not '-3'"},
      {{"run", rod, "--dump-lcp", "0", "f"}, 2, "not '0'"},
      {{"run", rod, "--dump-lcp", "401", "f"}, 2, "not '401'"},
      {{"run", rod, "--dump-lcp", "3"}, 2, "--dump-lcp"},
      {{"run", rod, "--device", "cuda:99"}, 5, "--device cuda:99: "},
      {{"run", rod, "--device", "tpu"},
       2,
       "--device: expected auto, cpu, cuda or cuda:i with i = 0, 1, ..., not 'tpu'"},
      {{"run", rod, "--device", "cuda:x"}, 2, "not 'cuda:x'"},
      {{"run", rod, "--device", "cuda:-1"}, 2, "not 'cuda:-1'"},
      {{"lcp", "absent.json", "--device", "cuda:99"}, 5, "; use --device cpu"},
      {{"compare", rod, "--device", "cuda:99"}, 5, "; use --device cpu"},
      {{"run", rod, "--set", "world.step=0"}, 2, "--set world.step=0: world.step must be greater than 0"},
      {{"run", rod, "--set", "bodies.rob.mass=1"}, 2, "did you mean 'rod'?"},
      {{"run", rod, "--set", "mu=0.5"}, 2, "there is no 'mu' at the top (did you mean 'variables.mu'?)"},
      {{"run", rod, "--set", "nonsense"}, 2, "--set nonsense: must be path=value"},
      {{"run", rod, "--set", "world.duration=0"}, 2, "world.duration"},
      {{"sweep"}, 2, "file is required"}};
  const auto sweep = [&](std::vector<std::string> options, int status, const std::string& message) {
    options.insert(options.begin(), {"sweep", rod, "-o", "out"});
    lines.push_back({options, status, message});
  };
  sweep({"-n", "0"}, 2, "-n: expected a whole number, from 1 to 10,000,000,000, not '0'");
  sweep({"-n", "-5"}, 2, "not '-5'");
  sweep({"-n", "1.5e0"}, 2, "not '1.5e0'");
  sweep({"-n", "99999999999999999999"}, 2, "not '99999999999999999999'");
  sweep({"-n", ""}, 2, "the value is empty");
  sweep({"--seed", "-1"}, 2, "--seed: expected a whole number");
  sweep({"--threads", "0"}, 2, "--threads: expected a whole number, from 1 to 1,024, not '0'");
  sweep({"--threads", "x"}, 2, "not 'x'");
  sweep({"--shard", "0/3"}, 2, "--shard wants k/n with 1 <= k <= n, not '0/3'");
  sweep({"--shard", "4/3"}, 2, "not '4/3'");
  sweep({"--shard", "x"}, 2, "not 'x'");
  sweep({"--device", "cuda:99"}, 5, built_with_cuda() ? "GPU" : "this build of jostle has no CUDA");
  sweep({"--max-invalid", "many"}, 2, "--max-invalid wants");
  sweep({"--max-invalid", "101%"}, 2, "not '101%'");
  sweep({"--fail-if", "lyes < 1"}, 2, "--fail-if 'lyes < 1', column 1: no outcome 'lyes'");
  sweep({"--fail-if", "lies <"}, 2, "--fail-if 'lies <'");
  sweep({"--theads", "2"}, 2, "did you mean '--threads'?");
  return lines;
}

INSTANTIATE_TEST_SUITE_P(Program, WrongCommandLine, testing::ValuesIn(wrong_lines()), name_of);

TEST(Info, NamesVersionBuildAndDevices) {
  const Answer text = test::jostle({"info"});
  EXPECT_EQ(text.status, 0);
  for (const char* part : {"jostle 0.", "build: ", "HDF5 ", "cpu: ", " threads"})
    EXPECT_THAT(text.out, HasSubstr(part));
  const auto json = nlohmann::json::parse(test::jostle({"info", "--json"}).out);
  const auto commit = json.at("commit").get<std::string>();
  EXPECT_EQ(commit.find_first_not_of("0123456789abcdef"), std::string::npos)
      << "of the repository, or empty: " << commit;
  EXPECT_THAT(text.out, HasSubstr(commit.empty() ? "" : ", commit " + commit + "\n"));
  EXPECT_EQ(json.at("devices").at(0).at("name"), "cpu");
  EXPECT_GE(json.at("devices").at(0).at("threads").get<int>(), 1);
  EXPECT_EQ(json.at("build").at("cuda"), built_with_cuda());
  EXPECT_EQ(json.at("devices").size(), 1 + cuda_devices().size());
  EXPECT_EQ(test::jostle({"--version"}).out, "jostle " + json.at("version").get<std::string>() + "\n");
}

TEST(Schema, IsAJsonSchemaOfScenarios) {
  const Answer answer = test::jostle({"schema"});
  EXPECT_EQ(answer.status, 0);
  const auto schema = nlohmann::json::parse(answer.out);
  EXPECT_TRUE(schema.contains("$schema"));
  EXPECT_TRUE(schema.at("properties").contains("world"));
}

TEST(Stdout, ThatCannotBeWrittenIsAFileError) {
  const Answer answer = test::shell("$JOSTLE schema > /dev/full");
  EXPECT_EQ(answer.status, 6);
  EXPECT_EQ(answer.err, "standard output: cannot be written\n");
}

TEST(Stdout, ThatIsClosedIsNoPlaceForFiles) {
  const test::ScratchFolder folder;
  const Answer answer =
      test::shell("$JOSTLE sweep " + library("rod") + " -n 10 -o out >&-; echo $? >&2", folder.path());
  EXPECT_THAT(answer.err, HasSubstr("standard output: cannot be written\n6\n"));
  EXPECT_EQ(test::jostle({"sweep", library("rod"), "-n", "10", "-o", "out"}, folder.path()).status, 0);
}

// A reader that has seen enough is no error to talk about, with the default effect of SIGPIPE and without.
TEST(Stdout, WhoseReaderHasSeenEnoughGivesNoMessage) {
  const std::string long_run = "$JOSTLE run " + library("rod") + " --set world.step=0.0001 | head -1";
  for (const char* before : {"", "trap '' PIPE; "}) {
    const Answer answer = test::shell(before + long_run);
    EXPECT_EQ(answer.err, "");
    EXPECT_TRUE(is_one_line(answer.out)) << answer.out;
  }
}

}  // namespace
}  // namespace jostle
