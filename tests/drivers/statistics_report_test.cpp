// What a user reads: table, histograms, invalid samples, progress, JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/status.hpp"
#include "drivers/program/progress.hpp"
#include "drivers/statistics/outcome_report.hpp"
#include "drivers/sweeps/summary_files.hpp"
#include "drivers/sweeps/sweep_report.hpp"
#include "drivers/text.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/outcome_statistics.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using test::outcome_statistics;
using testing::HasSubstr;

/// 8 valid samples and 2 with status ray, the first of them number 3.
RunStatistics ten_samples() {
  const auto ok = static_cast<std::uint8_t>(Status::ok), ray = static_cast<std::uint8_t>(Status::ray);
  const std::vector<std::uint8_t> status = {ok, ok, ok, ray, ray, ok, ok, ok, ok, ok};
  const auto description = test::fake_description();
  const std::vector<double> lies = {1, 1, 1, 0, 0, 1, 1, 1, 0, 0}, x = {0, 1, 2, 9, 9, 3, 4, 5, 6, 7};
  RunStatistics statistics;
  statistics.samples = 10;
  statistics.invalid = 2;
  statistics.status[ok] = {8, 0, ""};
  statistics.status[ray] = {2, 3, ""};
  statistics.outcomes = {outcome_statistics(description.outcomes[0], lies, status),
                         outcome_statistics(description.outcomes[1], x, status),
                         outcome_statistics(description.outcomes[2], std::vector<double>(10, undefined_value), status)};
  return statistics;
}

TEST(SummaryJson, HasTheAgreedKeys) {
  const auto json = summary_json(ten_samples());
  EXPECT_EQ(json["samples"], 10);
  EXPECT_EQ(json["statuses"].dump(), R"({"ok":8,"ray":2})");
  const auto& lies = json["outcomes"]["lies"];
  std::vector<std::string> keys;
  for (const auto& [key, value] : lies.items()) keys.push_back(key);
  EXPECT_THAT(keys, testing::ElementsAre("kind", "count", "invalid", "rate", "lower", "upper", "worst_lower",
                                         "worst_upper", "minimum", "maximum", "quantiles"));
  EXPECT_EQ(lies["rate"], 0.75);
  EXPECT_EQ(lies["worst_upper"].get<double>(), wilson_interval(8, 10).upper);
  EXPECT_TRUE(lies["minimum"].is_null());
  const auto& x = json["outcomes"]["rest_x"];
  EXPECT_EQ(x["mean"], 3.5);
  EXPECT_EQ(x["quantiles"]["0.5"], 3.5);
  EXPECT_TRUE(x["worst_lower"].is_null());
  EXPECT_FALSE(x.contains("rate"));
  const auto& hit = json["outcomes"]["hit"];
  EXPECT_EQ(hit["rate"], 0);
  EXPECT_EQ(hit["quantiles"].dump(), "{}") << "never reached: no times";
}

TEST(OutcomeTable, ShowsIntervalAndWorstCase) {
  const std::string table = outcome_table(ten_samples(), true);
  EXPECT_THAT(table, HasSubstr("lies     rate          0.7500  [0.4093, 0.9285]    [0.3127, 0.9433]"));
  EXPECT_THAT(table, HasSubstr("rest_x   mean          3.5"));
  EXPECT_THAT(table, HasSubstr("0 .. 7"));
  EXPECT_THAT(table, HasSubstr("median"));
  EXPECT_THAT(table, HasSubstr("3.5     0.35 .. 6.65  0 .. 7"));
  EXPECT_THAT(table, HasSubstr("conservative"));
  EXPECT_THAT(outcome_table(ten_samples(), false), testing::Not(HasSubstr("conservative")));
}

TEST(RateText, ShowsTwoDigitsOfWhatFourDecimalsHide) {
  EXPECT_EQ(rate_text(0), "0.0000");
  EXPECT_EQ(rate_text(1), "1.0000");
  EXPECT_EQ(rate_text(0.75), "0.7500");
  EXPECT_EQ(rate_text(0.99981), "0.9998") << "as many decimals as 20,000 samples can tell";
  EXPECT_EQ(rate_text(1.92e-4), "0.0002");
  EXPECT_EQ(rate_text(3.84e-6), "0.0000038") << "the upper bound of 0 in a million";
  EXPECT_EQ(rate_text(1 - 3e-5), "0.999970");
  EXPECT_EQ(rate_text(1 - 1e-16), "1.0000") << "a rounding error";
}

TEST(OutcomeHistograms, ShowEveryNumberOnce) {
  const std::string text = outcome_histograms(ten_samples());
  EXPECT_THAT(text, HasSubstr("rest_x\n             0 |####"));
  EXPECT_THAT(text, testing::Not(HasSubstr("lies")));
  EXPECT_THAT(text, testing::Not(HasSubstr("hit"))) << "never reached: nothing to show";
}

TEST(OutcomeHistograms, BeginAtTheLeastNumberWhateverTheRange) {
  RunStatistics statistics;
  const std::vector<double> huge = {-1.5e308, 1.5e308, 1e308};
  statistics.outcomes = {outcome_statistics(test::fake_description().outcomes[1], huge, std::vector<std::uint8_t>(3))};
  const std::string text = outcome_histograms(statistics);
  EXPECT_THAT(text, HasSubstr("rest_x\n     -1.5e+308 |####"));
}

TEST(OutcomeHistograms, OfDecadesNameTheEdgesOfTheirBins) {
  RunStatistics statistics;
  const std::vector<double> decades = {1e-8, 1e-6, 1e-4, 1e-2, 1};
  statistics.outcomes = {
      outcome_statistics(test::fake_description().outcomes[1], decades, std::vector<std::uint8_t>(5))};
  const std::string text = outcome_histograms(statistics);
  EXPECT_THAT(text, HasSubstr("rest_x\n         1e-08 |####"));
  EXPECT_THAT(text, HasSubstr("\n        0.0001 |####"));
}

TEST(InvalidSamples, NameTheCommandThatReplaysTheFirst) {
  EXPECT_EQ(invalid_samples(ten_samples(), "rod.out"), "2 invalid: ray (replay: jostle run rod.out --sample 3)\n");
}

TEST(SweepReportText, OfAnInterruptedSweepSaysHowToGoOn) {
  SweepReport report;
  report.end = SweepReport::End::interrupted;
  report.n = 20000;
  report.simulated = 16384;
  EXPECT_THAT(sweep_report_text(report, true), HasSubstr("16,384 of 20,000 samples; the same command resumes"));
}

TEST(ProgressText, ShowsShareRateTimeLeftAndLiveRate) {
  SweepProgress progress;
  progress.done = 12000, progress.total = 20000, progress.simulated = 8000, progress.valid = 8000;
  progress.true_count = 6000, progress.seconds = 2;
  EXPECT_EQ(progress_text(progress, "lies"), "12,000 of 20,000 samples (60 %), 4,000/s, 2.0 s left, lies 0.7500");
}

TEST(ProgressLine, IsPlainEveryTenSecondsOutsideOfATerminal) {
  std::FILE* stream = std::tmpfile();
  {
    ProgressLine line(test::fake_description(), stream, false);
    SweepProgress progress;
    progress.total = 100;
    for (progress.seconds = 0; progress.seconds < 25; progress.seconds += 0.5) line.update(progress);
  }
  std::string text(static_cast<std::size_t>(std::ftell(stream)), ' ');
  std::rewind(stream);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), stream), text.size());
  std::fclose(stream);
  EXPECT_EQ(text, "0 of 100 samples (0 %)\n0 of 100 samples (0 %)\n");
}

TEST(Text, GroupsThousandsAndNamesDurations) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(-123456), "-123,456");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(per_second_text(1234567.8), "1,234,567");
  EXPECT_EQ(per_second_text(9.876), "9.9");
  EXPECT_EQ(per_second_text(0.6612), "0.66");
  EXPECT_EQ(duration_text(0.25), "0.2 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(3700), "1 h 1 min");
}

}  // namespace
}  // namespace jostle
