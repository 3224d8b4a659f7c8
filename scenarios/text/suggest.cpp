#include "scenarios/text/suggest.hpp"

#include <algorithm>

namespace jostle {

namespace {

constexpr std::size_t longest_name = 64;  // longer names get no suggestion; bounds the work on hostile input

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Optimal string alignment distance: rows of the table are prefixes of a, columns prefixes of b.
std::size_t slips(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& known) {
  if (wrong.empty() || wrong.size() > longest_name) return {};
  const std::string* nearest = nullptr;
  std::size_t fewest = (wrong.size() + 2) / 3 + 1;
  for (const std::string& name : known) {
    if (name.size() > longest_name) continue;
    const std::size_t count = slips(wrong, name);
    // A short name is near only if part of it is left.
    if (count < fewest && count < std::max(wrong.size(), name.size())) {
      fewest = count;
      nearest = &name;
    }
  }
  return nearest == nullptr ? std::string() : *nearest;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known) {
  const std::string name = nearest_name(wrong, known);
  return name.empty() ? std::string() : " (did you mean '" + name + "'?)";
}

std::string did_you_mean_or_known(std::string_view wrong, const std::vector<std::string>& known) {
  std::string hint = did_you_mean(wrong, known);
  if (!hint.empty()) return hint;
  if (known.empty()) return " (there is none)";
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  return " (known: " + list + ")";
}

}  // namespace jostle
