#include "drivers/program/program.hpp"

int main(int count, char** words) { return jostle::run_program(count, words); }
