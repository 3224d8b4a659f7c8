#include <cstdio>

int main() {
  std::puts("jostle");
  return 0;
}
