// Prints the tables of keys that docs/keys.md holds; tools/manual puts them there.
#include <iostream>

#include "scenarios/format/keys.hpp"

int main() { std::cout << jostle::key_table_markdown(); }
