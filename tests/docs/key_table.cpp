// Prints the tables of keys that docs/scenario-file.md holds; tools/manual puts them there.
#include <iostream>

#include "scenarios/format/keys.hpp"

int main() { std::cout << jostle::key_table_markdown(); }
