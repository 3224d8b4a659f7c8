// docs/lcp.md shows the program that docs/lcp_example.cpp is.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace jostle {
namespace {

std::string content(const std::string& name) {
  std::ifstream in(JOSTLE_SOURCE_DIR "/docs/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(LcpPage, ShowsTheExampleAsItIs) {
  const std::string example = content("lcp_example.cpp");
  ASSERT_NE(example, "");
  EXPECT_NE(content("lcp.md").find("```cpp\n" + example + "```\n"), std::string::npos);
}

}  // namespace
}  // namespace jostle
