#pragma once
// Random numbers as parts of the text of a scenario.
#include <cstdio>
#include <initializer_list>
#include <random>
#include <string>

namespace jostle {

/// What generators of random scenes share. The numbers of a text depend on the seed alone.
class RandomTexts {
 protected:
  /// `digits`: of the numbers in texts.
  explicit RandomTexts(unsigned seed, int digits = 6) : digits_(digits), random_(seed) {}

  double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(random_()) * 0x1p-32); }
  /// 0 .. n - 1.
  int pick(int n) { return static_cast<int>(uniform(0, n)); }
  std::string written(double value) const {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits_, value);
    return text;
  }
  std::string number(double low, double high) { return written(uniform(low, high)); }
  /// The parts are made one after the other; the order in which a sum evaluates its terms is up to the compiler.
  static std::string joined(std::initializer_list<std::string> parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
  }
  /// Of a body.
  static std::string name(int b) { return "b" + std::to_string(b); }

 private:
  int digits_;
  std::mt19937 random_;
};

}  // namespace jostle
