#pragma once
// An error in a scenario, as one line that an editor can jump to.
#include <stdexcept>
#include <string>

namespace jostle {

/// Bytes of a file as part of a message: control characters, line ends among them, become blanks.
inline std::string on_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return text;
}

/// An error that affects every sample. what() is `rod.yaml:14:9: message`; if the error is in an option of the
/// command line, `file` names it, line and column are 0 and what() is `--set world.step=0: message`.
struct ScenarioError : std::runtime_error {
  ScenarioError(std::string file_name, int line_number, int column_number, const std::string& message)
      : std::runtime_error(place(file_name, line_number, column_number) + ": " + on_one_line(message)),
        file(std::move(file_name)),
        line(line_number),
        column(column_number) {}

  std::string file;
  int line;    ///< from 1
  int column;  ///< from 1, in bytes

 private:
  static std::string place(const std::string& file_name, int line_number, int column_number) {
    if (line_number == 0) return file_name;
    return file_name + ":" + std::to_string(line_number) + ":" + std::to_string(column_number);
  }
};

}  // namespace jostle
