// The main function of tests. Where all tests were skipped it ends with 77, by which ctest knows: from the output, "0
// tests passed", it cannot tell a suite that was skipped from one that failed.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  constexpr int skipped = 77;
  testing::InitGoogleTest(&argc, argv);
  if (const int failed = RUN_ALL_TESTS(); failed != 0) return failed;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  return tests.skipped_test_count() > 0 && tests.successful_test_count() == 0 ? skipped : 0;
}
