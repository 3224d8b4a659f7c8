#pragma once
// Refuses to start on a processor that lacks the instructions this program was built for, instead of dying of an
// illegal one. Its source alone is compiled for every processor of the architecture, and it runs before any other
// code of the program, static initialisers included.

namespace jostle {

/// The first instruction set that the build uses and this processor lacks, e.g. "avx2"; nullptr if there is none.
const char* missing_cpu_feature();

}  // namespace jostle
