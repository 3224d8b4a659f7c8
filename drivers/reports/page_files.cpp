#include "drivers/reports/page_files.hpp"

#include <stdexcept>
#include <string_view>

#include "drivers/embedded_files.hpp"

namespace jostle {
namespace {

void replace_mark(std::string& page, const std::string& name, std::string_view text) {
  const std::string mark = "{{" + name + "}}";
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::out_of_range("a page without " + mark);
  page.replace(at, mark.size(), text);
}

/// In an element <script>, "</" would end it, and "<!--" changes how what follows is read. In JSON "<" can stand only
/// in texts, where "\u003c" means the same.
std::string without_tags(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

}  // namespace

std::string page_of(const std::string& name, const std::vector<std::string>& scripts, const std::string& data) {
  const auto& files = embedded_files();
  std::string page(files.at(name + ".html")), all;
  for (const std::string& script : scripts) all += files.at(script + ".js");
  replace_mark(page, "style", files.at(name + ".css"));
  replace_mark(page, "script", all);
  replace_mark(page, "data", without_tags(data));
  return page;
}

}  // namespace jostle
