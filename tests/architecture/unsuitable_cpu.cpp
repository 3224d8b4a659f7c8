// Linked with a CPU check that requires what no processor here has: neither the initialiser nor main may run.
#include <cstdio>

namespace {
const int initialised = std::puts("initialised");
}

int main() { return initialised < 0 ? 1 : 0; }
