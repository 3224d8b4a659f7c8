#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace jostle {

/// 1234567 as "1,234,567".
std::string with_commas(std::int64_t number);

/// "1 shard", "2 shards": the number with commas, and the noun with an s unless the number is 1.
std::string counted(std::int64_t number, const std::string& noun);

/// Seconds as "0.5 s", "42 s", "12 min 5 s" or "3 h 20 min".
std::string duration_text(double seconds);
/// Of a rate per second: "1,234", or "0.66" below 10.
std::string per_second_text(double per_second);

/// Bytes as "1.5 kB", "420 MB" or "2.1 GB".
std::string size_text(double bytes);

/// A rate or share with four decimals, as many as 20,000 samples can tell; what is nearer to 0 or 1 than they show has
/// two digits of the distance: "0.0000038", "0.999970". 0 and 1 themselves stay "0.0000" and "1.0000".
std::string rate_text(double rate);

/// "a,b" as {"a", "b"}; one empty text of none.
std::vector<std::string> parts_at_commas(const std::string& text);

/// The words as a line that a shell splits into the same words, whatever letters they contain.
std::string shell_line(const std::vector<std::string>& words);

/// A table: columns as wide as their widest cell; the last one is not padded. At least one row, all of one length.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// JSON in lines, with their end. What is not UTF-8, as a path need not be, is replaced.
std::string json_text(const nlohmann::ordered_json& json);
/// The same on one line, without an end.
std::string json_line(const nlohmann::ordered_json& json);

}  // namespace jostle
